import KiteCore
import KiteSystem
import KiteViews
import Testing

@testable import KiteDesktop

/// What clients are told and answered, without a bus.
@Suite struct AccessibleTreeTests {
  /// Identities for views and windows.
  private final class Key {}
  private let first = Key()
  private let second = Key()
  private let window = Key()

  static func view(window: ObjectIdentifier?, _ change: (inout AccessibleView) -> Void = { _ in })
    -> AccessibleView
  {
    var view = AccessibleView(frame: PixelRect(x: 0, y: 0, width: 640, height: 360))
    view.window = window.map { AccessibleView.Window(id: $0, title: "Film", isActive: true) }
    view.isShown = true
    view.label = "Video"
    view.positionLabel = "Position"
    view.actionLabel = "Play or pause"
    view.stateText = "Playing, 0:10 of 1:00"
    view.status = .playing
    view.duration = MediaTime(seconds: 60)
    view.controls = AccessibleView.Controls(position: { MediaTime(seconds: 10) }, toggle: {})
    change(&view)
    return view
  }

  private func view(_ change: (inout AccessibleView) -> Void = { _ in }) -> AccessibleView {
    Self.view(window: ObjectIdentifier(window), change)
  }

  /// A tree with one view, as number 2 in window 1.
  private func tree(_ view: AccessibleView? = nil) -> AccessibleTree {
    var tree = AccessibleTree(applicationName: "player")
    tree.busName = ":1.5"
    _ = tree.publish(view ?? self.view(), of: ObjectIdentifier(first))
    return tree
  }

  /// What a signal says, in a line.
  private func line(_ signal: AccessibleSignal) -> String {
    let object = signal.path.replacing("/org/a11y/atspi/", with: "").replacing("accessible/", with: "")
    guard signal.interface != AtspiName.cache else { return "\(object) \(signal.member)" }
    let number = signal.arguments[1].asInt32 ?? -1
    var value = ""
    switch signal.arguments[3].asVariant {
    case .string(let text): value = " \(text)"
    case .double(let number): value = " \(number)"
    case .structure: value = " …"
    default: break
    }
    return "\(object) \(signal.member):\(signal.arguments[0].asString ?? "?") \(number)\(value)"
  }

  @Test func viewsStandInTheirWindows() {
    var tree = tree()
    _ = tree.publish(view(), of: ObjectIdentifier(second))
    #expect(tree.nodes == [.application, .window(1), .video(2), .video(3), .slider(2), .slider(3)])
    #expect(tree.index(of: .video(3)) == 1)
    #expect(tree.parent(of: .slider(3)) == .video(3))
    // A view that knows no window has one to itself.
    let foreign = Key()
    _ = tree.publish(Self.view(window: nil), of: ObjectIdentifier(foreign))
    #expect(tree.children(of: .application) == [.window(1), .window(4)])
    #expect(tree.name(of: .window(4)) == "player")
    #expect(tree.name(of: .window(1)) == "Film")
  }

  @Test func pathsNameTheNodes() {
    for node in [AccessibleNode.application, .window(1), .video(22), .slider(3)] {
      #expect(AccessibleNode(path: node.path) == node)
    }
    for path in ["", "/", "/org/a11y/atspi/accessible/", "/org/a11y/atspi/accessible/video/x", "/root"] {
      #expect(AccessibleNode(path: path) == nil, "\(path)")
    }
  }

  /// A change of a view, and all that is told of it.
  private static let changes:
    [(what: String, change: @Sendable (inout AccessibleView) -> Void, told: [String])] = [
      ("nothing", { _ in }, []),
      ("the position ticks", { $0.controls?.position = { MediaTime(seconds: 11) } }, []),
      (
        "a pause",
        {
          $0.status = .paused
          $0.stateText = "Paused"
        },
        ["video/2 StateChanged:animated 0", "video/2 PropertyChange:accessible-description 0 Paused"]
      ),
      (
        "waiting for data",
        {
          $0.status = .buffering
          $0.stateText = "Buffering"
        },
        [
          "video/2 StateChanged:busy 1", "video/2 StateChanged:animated 0",
          "video/2 PropertyChange:accessible-description 0 Buffering",
        ]
      ),
      (
        "another duration",
        {
          $0.duration = MediaTime(seconds: 61)
          $0.stateText = "Playing, 0:10 of 1:01"
        },
        ["video/2 PropertyChange:accessible-description 0 Playing, 0:10 of 1:01"]
      ),
      (
        "a seek: one change of the value",
        {
          $0.jumps = 1
          $0.stateText = "Playing, 0:30 of 1:00"
          $0.controls?.position = { MediaTime(seconds: 30) }
        },
        ["slider/2 PropertyChange:accessible-value 0 30.0"]
      ),
      (
        "a seek that begins to play",
        {
          $0.jumps = 1
          $0.status = .paused
          $0.stateText = "Paused"
        },
        [
          "video/2 StateChanged:animated 0", "video/2 PropertyChange:accessible-description 0 Paused",
          "slider/2 PropertyChange:accessible-value 0 10.0",
        ]
      ),
      (
        "another format", { $0.stateText = "Läuft" },
        ["video/2 PropertyChange:accessible-description 0 Läuft"]
      ),
      (
        "other labels",
        {
          $0.label = "Film"
          $0.positionLabel = "Stelle"
        },
        ["video/2 PropertyChange:accessible-name 0 Film", "slider/2 PropertyChange:accessible-name 0 Stelle"]
      ),
      ("another title", { $0.window?.title = "Next" }, ["window/1 PropertyChange:accessible-name 0 Next"]),
      (
        "another window has the keyboard", { $0.window?.isActive = false },
        [
          "window/1 Deactivate: 0 Film", "window/1 StateChanged:active 0", "video/2 StateChanged:focused 0",
        ]
      ),
      (
        "another size", { $0.frame.width = 320 },
        ["video/2 BoundsChanged: 0 …", "slider/2 BoundsChanged: 0 …"]
      ),
      (
        "hidden", { $0.isShown = false },
        [
          "window/1 StateChanged:showing 0", "video/2 StateChanged:showing 0",
          "slider/2 StateChanged:showing 0",
        ]
      ),
      (
        "the player is gone",
        {
          $0.controls = nil
          $0.status = nil
          $0.duration = nil
          $0.stateText = "No media"
        },
        [
          "video/2 StateChanged:sensitive 0", "video/2 StateChanged:animated 0",
          "video/2 PropertyChange:accessible-description 0 No media",
        ]
      ),
    ]

  @Test(arguments: changes.indices) func whatIsToldOfAChange(_ row: Int) {
    let row = Self.changes[row]
    var tree = tree()
    let signals = tree.publish(view(row.change), of: ObjectIdentifier(first))
    #expect(signals.map(line) == row.told, "\(row.what)")
  }

  @Test func comingAndGoingIsToldOfTheHighestThatComesAndGoes() {
    var tree = AccessibleTree(applicationName: "player")
    var told = tree.publish(view(), of: ObjectIdentifier(first)).map(line)
    #expect(told.filter { $0 == "cache AddAccessible" }.count == 3)
    #expect(told.last == "root ChildrenChanged:add 0 …" && told.count == 4)
    told = tree.publish(view(), of: ObjectIdentifier(second)).map(line)
    #expect(told.filter { $0 == "cache AddAccessible" }.count == 2)
    #expect(told.last == "window/1 ChildrenChanged:add 1 …" && told.count == 3)
    told = tree.withdraw(ObjectIdentifier(first)).map(line)
    #expect(told.first == "window/1 ChildrenChanged:remove 0 …")
    #expect(told.filter { $0 == "cache RemoveAccessible" }.count == 2 && told.count == 3)
    told = tree.withdraw(ObjectIdentifier(second)).map(line)
    #expect(told.first == "root ChildrenChanged:remove 0 …")
    #expect(told.filter { $0 == "cache RemoveAccessible" }.count == 3 && told.count == 4)
    told = tree.withdraw(ObjectIdentifier(second)).map(line)
    #expect(told == [])
    #expect(tree.nodes == [.application])
  }

  @Test func whoHasTheKeyboardIsToldToThoseWhoCome() {
    var tree = tree()
    #expect(
      tree.attention.map(line) == [
        "window/1 Activate: 0 Film", "window/1 StateChanged:active 1", "video/2 StateChanged:focused 1",
      ])
    _ = tree.publish(view { $0.window?.isActive = false }, of: ObjectIdentifier(first))
    #expect(tree.attention == [])
  }

  @Test func aViewThatMovedToAnotherWindowIsAnotherObject() {
    var tree = tree()
    let signals = tree.publish(
      Self.view(window: ObjectIdentifier(second)), of: ObjectIdentifier(first))
    #expect(tree.nodes == [.application, .window(3), .video(4), .slider(4)])
    #expect(signals.map(line).contains("root ChildrenChanged:remove 0 …"))
    #expect(signals.map(line).contains("root ChildrenChanged:add 0 …"))
  }

  // MARK: Answers

  private func call(
    _ node: AccessibleNode, _ interface: String, _ member: String, _ body: [BusValue] = []
  ) -> AccessibleCall {
    AccessibleCall(path: node.path, interface: interface, member: member, body: body)
  }

  @Test func theActionTogglesPlaying() {
    let toggles = Locked(0)
    var tree = tree(view { $0.controls?.toggle = { toggles.withLock { $0 += 1 } } })
    let action = call(.video(2), AtspiName.action, "DoAction", [.int32(0)])
    #expect(tree.answer(action) == .success([.bool(true)]))
    #expect(toggles.withLock { $0 } == 1)
    #expect(
      tree.answer(call(.video(2), AtspiName.action, "DoAction", [.int32(1)])) == .success([.bool(false)]))
    #expect(tree.answer(call(.video(2), AtspiName.action, "DoAction")) == .success([.bool(false)]))
    #expect(toggles.withLock { $0 } == 1)
    _ = tree.publish(view { $0.controls = nil }, of: ObjectIdentifier(first))
    #expect(tree.answer(action) == .success([.bool(false)]))
  }

  private func set(_ value: BusValue, _ name: String = "CurrentValue") -> AccessibleCall {
    call(
      .slider(2), AtspiName.properties, "Set", [.string(AtspiName.value), .string(name), .variant(value)])
  }

  private func errorName(_ answer: Result<[BusValue], BusError>?) -> String? {
    if case .failure(let error) = answer { error.name } else { nil }
  }

  @Test func aPlayerThatCanNotSeekRefusesAValue() {
    let tree = tree()
    #expect(errorName(tree.answer(set(.double(5)))) == "org.freedesktop.DBus.Error.PropertyReadOnly")
    #expect(tree.states(of: .slider(2)).contains(.readOnly))
  }

  @Test func aPlayerThatCanSeekTakesAValueWithinTheMedia() {
    let sought = Locked<[Double]>([])
    let tree = tree(view { $0.controls?.seek = { time in sought.withLock { $0.append(time.seconds) } } })
    for value in [30, -5, 1e300] { #expect(tree.answer(set(.double(value))) == .success([])) }
    #expect(sought.withLock { $0 } == [30, 0, 60])
    for value in [BusValue.double(.nan), .double(.infinity), .string("30"), .int32(3)] {
      #expect(errorName(tree.answer(set(value))) == "org.freedesktop.DBus.Error.InvalidArgs")
    }
    #expect(
      errorName(tree.answer(set(.double(1), "MaximumValue"))) == "org.freedesktop.DBus.Error.PropertyReadOnly"
    )
    #expect(
      errorName(tree.answer(set(.double(1), "Nonsense"))) == "org.freedesktop.DBus.Error.UnknownProperty")
    #expect(!tree.states(of: .slider(2)).contains(.readOnly))
  }

  @Test func thePositionIsLiveAndWithinTheMedia() {
    let position = Locked(MediaTime(seconds: 83))
    let tree = tree(
      view {
        $0.duration = MediaTime(seconds: 90)
        $0.controls?.position = { position.withLock { $0 } }
      })
    func value(_ name: String) -> BusValue? {
      let get = call(.slider(2), AtspiName.properties, "Get", [.string(AtspiName.value), .string(name)])
      return (try? tree.answer(get)?.get())?.first?.asVariant
    }
    #expect(value("CurrentValue") == .double(83))
    #expect(tree.attributes(of: .slider(2))["valuetext"] == "1:23")
    position.withLock { $0 = MediaTime(seconds: 100) }
    #expect(value("CurrentValue") == .double(90))
    position.withLock { $0 = MediaTime(seconds: -1) }
    #expect(value("CurrentValue") == .double(0))
    #expect(value("MaximumValue") == .double(90))
    #expect(value("MinimumValue") == .double(0))
  }

  @Test func whatIsNotThereIsAnError() {
    let tree = tree()
    #expect(
      errorName(tree.answer(call(.video(9), AtspiName.accessible, "GetRole")))
        == "org.freedesktop.DBus.Error.UnknownObject")
    #expect(tree.answer(call(.video(2), AtspiName.value, "GetRole")) == nil)
    #expect(tree.answer(call(.video(2), AtspiName.accessible, "Nonsense")) == nil)
    #expect(
      tree.answer(call(.video(2), AtspiName.accessible, "GetChildAtIndex", [.int32(-1)]))
        == .success([AccessibleTree.Reference.none.value]))
    #expect(
      tree.answer(call(.video(2), AtspiName.accessible, "GetChildAtIndex"))
        == .success([AccessibleTree.Reference.none.value]))
  }

  @Test func theCacheHoldsEveryNode() {
    let tree = tree()
    #expect(tree.cacheItems.signature == "a((so)(so)(so)iiassusau)")
    #expect(
      tree.cacheItems.asElements?.map(\.signature) == Array(repeating: "((so)(so)(so)iiassusau)", count: 4))
  }
}
