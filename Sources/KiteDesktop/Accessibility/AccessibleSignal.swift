import KiteCore
import KiteViews

/// Something to be told to all who listen.
struct AccessibleSignal: Hashable {
  var path: String
  var interface: String
  var member: String
  var arguments: [BusValue]

  init(path: String, interface: String, member: String, arguments: [BusValue]) {
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }

  /// An event of AT-SPI's: what of the node, two numbers, and a value.
  init(
    _ member: String, _ detail: String = "", of node: AccessibleNode, _ first: Int = 0,
    value: BusValue = .int32(0), interface: String = AtspiName.objectEvent
  ) {
    self.init(
      path: node.path, interface: interface, member: member,
      arguments: [
        .string(detail), .int32(Int32(clamping: first)), .int32(0), .variant(value), .options([:]),
      ])
  }
}

// What is told of a change.
extension AccessibleTree {
  /// What has changed of a view: told of its video, its slider and its window. The ticking position is not among it.
  func changes(from old: AccessibleTree, of number: Int) -> [AccessibleSignal] {
    guard let before = old.entry(.video(number))?.view, let now = entry(.video(number)) else { return [] }
    let (video, slider, window) = (AccessibleNode.video(number), AccessibleNode.slider(number), now.window)
    var signals = windowChanges(from: old, of: .window(window))
    for node in [video, slider] {
      if name(of: node) != old.name(of: node) {
        signals.append(
          AccessibleSignal("PropertyChange", "accessible-name", of: node, value: .string(name(of: node))))
      }
      signals += stateChanges(from: old, of: node)
      if extents(of: node) != old.extents(of: node) {
        signals.append(
          AccessibleSignal("BoundsChanged", of: node, value: Self.value(of: extents(of: node))))
      }
    }
    let hasJumped = now.view.jumps != before.jumps
    let isOtherState = now.view.status != before.status || now.view.duration != before.duration
    // The text names the position: that it is another one after a jump is told once, by the slider.
    if now.view.stateText != before.stateText, isOtherState || !hasJumped {
      signals.append(
        AccessibleSignal(
          "PropertyChange", "accessible-description", of: video, value: .string(now.view.stateText)))
    }
    if hasJumped {
      signals.append(
        AccessibleSignal(
          "PropertyChange", "accessible-value", of: slider, value: .double(position(of: slider).seconds)))
    }
    return signals
  }

  private func windowChanges(from old: AccessibleTree, of window: AccessibleNode) -> [AccessibleSignal] {
    var signals: [AccessibleSignal] = []
    if name(of: window) != old.name(of: window) {
      signals.append(
        AccessibleSignal("PropertyChange", "accessible-name", of: window, value: .string(name(of: window))))
    }
    let isActive = states(of: window).contains(.active)
    if isActive != old.states(of: window).contains(.active) {
      signals.append(
        AccessibleSignal(
          isActive ? "Activate" : "Deactivate", of: window, value: .string(name(of: window)),
          interface: AtspiName.windowEvent))
    }
    return signals + stateChanges(from: old, of: window)
  }

  private func stateChanges(from old: AccessibleTree, of node: AccessibleNode) -> [AccessibleSignal] {
    let (states, former) = (states(of: node), old.states(of: node))
    return AtspiStates.told.compactMap { state, name in
      guard states.contains(state) != former.contains(state) else { return nil }
      return AccessibleSignal("StateChanged", name, of: node, states.contains(state) ? 1 : 0)
    }
  }

  /// A node and all in it have come.
  func addition(of node: AccessibleNode) -> [AccessibleSignal] {
    let parent = parent(of: node) ?? .application
    let added = [node] + children(of: node) + children(of: node).flatMap { children(of: $0) }
    return added.map { cacheSignal("AddAccessible", cacheItem($0)) } + [
      AccessibleSignal(
        "ChildrenChanged", "add", of: parent, index(of: node), value: reference(node).value)
    ]
  }

  /// Who has the keyboard, for those who have just come and could not hear of it.
  var attention: [AccessibleSignal] {
    nodes.flatMap { node -> [AccessibleSignal] in
      let states = states(of: node)
      if states.contains(.active) {
        return [
          AccessibleSignal(
            "Activate", of: node, value: .string(name(of: node)), interface: AtspiName.windowEvent),
          AccessibleSignal("StateChanged", "active", of: node, 1),
        ]
      }
      return states.contains(.focused) ? [AccessibleSignal("StateChanged", "focused", of: node, 1)] : []
    }
  }

  /// A node and all in it are about to go.
  func removal(of node: AccessibleNode) -> [AccessibleSignal] {
    let parent = parent(of: node) ?? .application
    let removed = [node] + children(of: node) + children(of: node).flatMap { children(of: $0) }
    return [
      AccessibleSignal(
        "ChildrenChanged", "remove", of: parent, index(of: node), value: reference(node).value)
    ] + removed.map { cacheSignal("RemoveAccessible", reference($0).value) }
  }

  private func cacheSignal(_ member: String, _ argument: BusValue) -> AccessibleSignal {
    AccessibleSignal(
      path: AtspiName.cachePath, interface: AtspiName.cache, member: member, arguments: [argument])
  }

  static func value(of extents: PixelRect) -> BusValue {
    .structure([extents.x, extents.y, extents.width, extents.height].map { .int32(Int32(clamping: $0)) })
  }

  // MARK: The cache

  /// `((so)(so)(so)iiassusau)`: all that a client wants to know of a node.
  func cacheItem(_ node: AccessibleNode) -> BusValue {
    .structure([
      reference(node).value, reference(.application).value, parentReference(of: node).value,
      .int32(Int32(index(of: node))), .int32(Int32(children(of: node).count)), .strings(node.interfaces),
      .string(name(of: node)), .uint32(node.role.number), .string(description(of: node)),
      states(of: node).words,
    ])
  }

  var cacheItems: BusValue {
    .array(of: "((so)(so)(so)iiassusau)", nodes.map { cacheItem($0) })
  }
}
