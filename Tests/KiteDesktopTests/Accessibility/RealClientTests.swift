import CSystemd
import Foundation
import KiteCore
import KiteSystem
import KiteViews
import TestDisplay
import Testing

@testable import KiteDesktop

/// What a real client of AT-SPI's, libatspi, sees and hears of a view.
@Suite(
  .serialized,
  .enabled(
    if: AccessibilitySession.obstacle == nil,
    Comment(rawValue: AccessibilitySession.obstacle ?? "AT-SPI is here")))
struct RealClientTests {
  private final class Key: Sendable {}
  private let key = Key()
  private let window = Key()
  private let name = String(cString: kite_program_name())
  private let position = Position()

  /// A player's position, and how often it was toggled.
  private final class Position: Sendable {
    let seconds = Locked(83.0)
    let toggles = Locked(0)
  }

  /// What the client says of an object.
  private struct Object: Decodable {
    let role: String
    let name: String
    let description: String
    let states: [String]
    let interfaces: [String]
    let attributes: [String: String]
    let index: Int
    let parent: String
    let application: String
    let extents: [Int]?
    let point: String?
    let actions: [[String]]?
    let value: [Double]?
    let toolkit: String?
    let children: [Object]

    enum CodingKeys: String, CodingKey {
      case role, name, description, states, interfaces, attributes, index, parent, application, extents
      case actions, value, toolkit, children
      case point = "at point"
    }
  }

  private struct Event: Decodable {
    let type: String
    let role: String
    let detail: Int
    let data: String?
  }

  private func view(_ change: (inout AccessibleView) -> Void = { _ in }) -> AccessibleView {
    var view = AccessibleView(frame: PixelRect(x: 0, y: 0, width: 640, height: 360))
    view.window = AccessibleView.Window(id: ObjectIdentifier(window), title: "A film", isActive: true)
    view.isShown = true
    view.label = "Video"
    view.positionLabel = "Position"
    view.actionLabel = "Play or pause"
    view.stateText = "Playing, 1:23 of 4:56"
    view.status = .playing
    view.duration = MediaTime(seconds: 296)
    let position = position
    view.controls = AccessibleView.Controls(
      position: { MediaTime(seconds: position.seconds.withLock { $0 }) },
      toggle: { position.toggles.withLock { $0 += 1 } })
    change(&view)
    return view
  }

  /// A bridge with a view, attached.
  private func attach(_ session: AccessibilitySession) async throws -> DesktopAccessibility {
    let bridge = DesktopAccessibility(address: session.daemon.address, thread: session.thread)
    bridge.publish(view(), of: ObjectIdentifier(key))
    try await session.setEnabled(true)
    try await session.ask("list", name) { $0?.split(separator: "\n").contains(Substring(name)) == true }
    return bridge
  }

  private func tree(_ session: AccessibilitySession) async throws -> Object {
    let text = try #require(try await session.ask("tree", name))
    return try JSONDecoder().decode(Object.self, from: Data(text.utf8))
  }

  @Test func everythingCanBeRead() async throws {
    let session = try await AccessibilitySession()
    let bridge = try await attach(session)
    let application = try await tree(session)
    #expect(application.role == "application" && application.toolkit == "Kite")
    #expect(application.parent == "desktop frame")
    let frame = try #require(application.children.first)
    #expect(application.children.count == 1)
    #expect(frame.role == "frame" && frame.name == "A film" && frame.parent == "application")
    #expect(frame.states.contains("active") && frame.states.contains("showing"))
    #expect(frame.extents == [0, 0, 640, 360])
    let video = try #require(frame.children.first)
    #expect(video.role == "video" && video.name == "Video" && video.application == name)
    #expect(video.description == "Playing, 1:23 of 4:56")
    #expect(
      Set(video.states).isSuperset(of: ["animated", "enabled", "focused", "sensitive", "showing", "visible"]))
    #expect(video.interfaces == ["Accessible", "Action", "Component"])
    #expect(video.extents == [0, 0, 640, 360] && video.index == 0)
    #expect(video.actions == [["toggle", "Play or pause"]])
    #expect(frame.point == "video")
    let slider = try #require(video.children.first)
    #expect(slider.role == "slider" && slider.name == "Position" && slider.parent == "video")
    #expect(slider.value == [0, 83, 296])
    #expect(slider.attributes["valuetext"] == "1:23")
    #expect(slider.states.contains("read-only") && slider.children.isEmpty)
    position.seconds.withLock { $0 = 84.5 }
    #expect(try await tree(session).children.first?.children.first?.children.first?.value == [0, 84.5, 296])
    withExtendedLifetime(bridge) {}
    await session.end()
  }

  @Test func theActionIsPerformedAndAValueIsRefused() async throws {
    let session = try await AccessibilitySession()
    let bridge = try await attach(session)
    #expect(try await session.ask("act", name) == "True")
    #expect(position.toggles.withLock { $0 } == 1)
    let refusal = try await session.ask("set", name, "10")
    #expect(refusal?.contains("can't go to another position") == true, "\(refusal ?? "nothing")")
    let sought = Locked(0.0)
    bridge.publish(
      view { $0.controls?.seek = { time in sought.withLock { $0 = time.seconds } } },
      of: ObjectIdentifier(key))
    #expect(try await session.ask("set", name, "10") == "set")
    #expect(sought.withLock { $0 } == 10)
    await session.end()
  }

  @Test func changesOfTheStateAreHeardAndTheTickingPositionIsNot() async throws {
    let session = try await AccessibilitySession()
    let bridge = try await attach(session)
    let listener = try await session.watch(name)
    // The registry may hear of the listener after it has said that it is ready.
    let heard = { () throws -> [Event] in
      try listener.output.split(separator: "\n").dropFirst()
        .map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
    }
    var number = 0
    while try !heard().contains(where: { $0.type.hasSuffix("accessible-name") && $0.role == "video" }) {
      number += 1
      try #require(number < 3000, "\(listener.errors)")
      bridge.publish(view { $0.label = "Video \(number)" }, of: ObjectIdentifier(key))
      try await Task.sleep(for: .milliseconds(20))
    }
    let label = "Video \(number)"
    for second in 84..<94 {
      position.seconds.withLock { $0 = Double(second) }
      bridge.publish(view { $0.label = label }, of: ObjectIdentifier(key))
    }
    bridge.publish(
      view {
        $0.label = label
        $0.status = .paused
        $0.stateText = "Paused, 1:33 of 4:56"
      }, of: ObjectIdentifier(key))
    position.seconds.withLock { $0 = 10 }
    bridge.publish(
      view {
        $0.label = label
        $0.status = .paused
        $0.stateText = "Paused, 0:10 of 4:56"
        $0.jumps = 1
      }, of: ObjectIdentifier(key))
    bridge.withdraw(ObjectIdentifier(key))
    try await wait(for: "the events", detail: listener.output) {
      (try? heard().contains { $0.type == "object:children-changed:remove" }) == true
    }
    // The library says by itself of what is gone that it is defunct.
    let events = try heard().filter { !$0.type.hasSuffix("accessible-name") && !$0.type.hasSuffix("defunct") }
    #expect(
      events.map { "\($0.role) \($0.type) \($0.detail) \($0.data ?? "")" } == [
        "video object:state-changed:animated 0 0",
        "video object:property-change:accessible-description 0 Paused, 1:33 of 4:56",
        // Clients read the value itself.
        "slider object:property-change:accessible-value 0 0",
        "application object:children-changed:remove 0 ",
      ])
    await listener.kill()
    await session.end()
  }

  @Test func itAttachesAndDetachesWhileTheProgramRuns() async throws {
    let session = try await AccessibilitySession(isThere: false)
    let bridge = DesktopAccessibility(address: session.daemon.address, thread: session.thread)
    bridge.publish(view(), of: ObjectIdentifier(key))
    // AT-SPI's service comes after the view.
    try await session.launch()
    try await session.ask("list", name) { $0 != nil && $0?.contains(name) == false }
    try await session.setEnabled(true)
    try await session.ask("list", name) { $0?.contains(name) == true }
    try await session.setEnabled(false)
    try await session.ask("list", name) { $0 != nil && $0?.contains(name) == false }
    try await session.setEnabled(true)
    try await session.ask("list", name) { $0?.contains(name) == true }
    #expect(try await tree(session).children.first?.children.first?.name == "Video")
    await session.end()
  }

  @Test func theEndOfTheSessionIsNoMatter() async throws {
    let session = try await AccessibilitySession()
    let bridge = try await attach(session)
    await session.end()
    bridge.publish(view { $0.label = "Still here" }, of: ObjectIdentifier(key))
    bridge.withdraw(ObjectIdentifier(key))
    let done = Locked(false)
    session.thread.run { _ in done.withLock { $0 = true } }
    try await wait(for: "the thread") { done.withLock { $0 } }
  }
}
