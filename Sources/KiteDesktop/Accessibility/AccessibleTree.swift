import KiteCore
import KiteViews

/// All views of the process as assistive technology sees them: application → window → video → slider.
///
/// A value without a bus: it is told what views are like, and returns what is to be told of that.
struct AccessibleTree {
  /// A view and where it stands.
  struct Entry {
    let number: Int
    let window: Int
    var view: AccessibleView
  }

  /// An object on the bus: who has it, and its path there.
  struct Reference: Hashable {
    var owner: String
    var path: String

    static let none = Reference(owner: "", path: AtspiName.nullPath)
    var value: BusValue { .structure([.string(owner), .path(path)]) }
  }

  /// The program's name.
  let applicationName: String
  /// The name that the bus gave to this program.
  var busName = ""
  /// What the application stands in, as the registry said.
  var desktop = Reference.none
  /// The number that the registry gave to the application.
  var applicationID: Int32 = 0
  /// In the order of their coming.
  private(set) var entries: [Entry] = []
  private var keys: [ObjectIdentifier: Int] = [:]
  /// The windows' numbers by their own identity.
  private var windowNumbers: [ObjectIdentifier: Int] = [:]
  private var lastNumber = 0

  init(applicationName: String) { self.applicationName = applicationName }

  // MARK: Changes

  /// A view is new or has changed. Returns what to tell.
  mutating func publish(_ view: AccessibleView, of key: ObjectIdentifier) -> [AccessibleSignal] {
    guard let number = keys[key], let index = entries.firstIndex(where: { $0.number == number }) else {
      return add(view, key)
    }
    guard isSameWindow(view, entries[index]) else {
      // It moved: for those who look on, another object.
      return withdraw(key) + add(view, key)
    }
    let old = self
    entries[index].view = view
    return changes(from: old, of: number)
  }

  /// A view is gone. Returns what to tell.
  mutating func withdraw(_ key: ObjectIdentifier) -> [AccessibleSignal] {
    guard let number = keys.removeValue(forKey: key),
      let index = entries.firstIndex(where: { $0.number == number })
    else { return [] }
    let old = self
    let window = entries.remove(at: index).window
    guard entries.contains(where: { $0.window == window }) else {
      windowNumbers = windowNumbers.filter { $0.value != window }
      return old.removal(of: .window(window))
    }
    return old.removal(of: .video(number))
  }

  private mutating func add(_ view: AccessibleView, _ key: ObjectIdentifier) -> [AccessibleSignal] {
    let known = view.window.flatMap { windowNumbers[$0.id] }
    let window = known ?? nextNumber()
    if let id = view.window?.id { windowNumbers[id] = window }
    let number = nextNumber()
    keys[key] = number
    entries.append(Entry(number: number, window: window, view: view))
    return addition(of: known == nil ? .window(window) : .video(number))
  }

  private func isSameWindow(_ view: AccessibleView, _ entry: Entry) -> Bool {
    view.window?.id == entry.view.window?.id
  }

  private mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  // MARK: What is where

  /// The view whose video, slider or window a node is; nil for the application and what is gone.
  func entry(_ node: AccessibleNode) -> Entry? {
    switch node {
    case .application: nil
    case .window(let number): entries.first { $0.window == number }
    case .video(let number), .slider(let number): entries.first { $0.number == number }
    }
  }

  func exists(_ node: AccessibleNode) -> Bool { node == .application || entry(node) != nil }

  func children(of node: AccessibleNode) -> [AccessibleNode] {
    switch node {
    case .application:
      entries.reduce(into: []) { windows, entry in
        if !windows.contains(.window(entry.window)) { windows.append(.window(entry.window)) }
      }
    case .window(let number): entries.filter { $0.window == number }.map { .video($0.number) }
    case .video(let number): entry(node) == nil ? [] : [.slider(number)]
    case .slider: []
    }
  }

  /// What a node stands in; nil for the application, whose parent is the registry's.
  func parent(of node: AccessibleNode) -> AccessibleNode? {
    switch node {
    case .application: nil
    case .window: .application
    case .video: entry(node).map { .window($0.window) }
    case .slider(let number): .video(number)
    }
  }

  func reference(_ node: AccessibleNode) -> Reference { Reference(owner: busName, path: node.path) }

  func parentReference(of node: AccessibleNode) -> Reference {
    node == .application ? desktop : parent(of: node).map { reference($0) } ?? .none
  }

  func index(of node: AccessibleNode) -> Int {
    parent(of: node).flatMap { children(of: $0).firstIndex(of: node) } ?? -1
  }

  /// All nodes, from the top down.
  var nodes: [AccessibleNode] {
    var nodes = [AccessibleNode.application]
    var next = 0
    while next < nodes.count {
      nodes += children(of: nodes[next])
      next += 1
    }
    return nodes
  }
}
