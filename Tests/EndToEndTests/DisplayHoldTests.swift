import Foundation
import TestDisplay
import TestMedia
import Testing

extension EndToEnd {
  /// The display stays awake while a video plays, and only then.
  @Suite(.needs(.sway), .compositor(.sway, 640, 400)) struct SwayDisplayHold {
    /// What sway says of the player's window.
    private struct Node: Decodable {
      struct Inhibitors: Decodable { let application: String }
      let appID: String?
      let isInhibiting: Bool?
      let inhibitors: Inhibitors?
      let nodes: [Node]?

      enum CodingKeys: String, CodingKey {
        case appID = "app_id"
        case isInhibiting = "inhibit_idle"
        case inhibitors = "idle_inhibitors"
        case nodes
      }

      var player: Node? {
        appID == "kite-wl" ? self : (nodes ?? []).lazy.compactMap(\.player).first
      }
    }

    private func run(_ arguments: [String], in session: CompositorSession) async throws -> String {
      let command = try session.launch(arguments)
      let ending = await command.wait(atMost: .seconds(30))
      try #require(ending == .exited(0), "\(arguments): \(command.errors)")
      return command.output
    }

    /// Whether the player's window keeps the display awake; nil while there is no window.
    private func isInhibiting(in session: CompositorSession) async throws -> Bool? {
      let tree = try await run(["swaymsg", "-r", "-t", "get_tree"], in: session)
      guard let node = try JSONDecoder().decode(Node.self, from: Data(tree.utf8)).player else { return nil }
      let isInhibiting = node.inhibitors?.application == "enabled"
      #expect(node.isInhibiting == isInhibiting, "sway counts what it is told")
      return isInhibiting
    }

    private func waits(
      until expected: Bool, in session: CompositorSession, atMost limit: Duration = .seconds(40)
    ) async throws -> Bool {
      let deadline = ContinuousClock.now + limit
      while ContinuousClock.now < deadline {
        if try await isInhibiting(in: session) == expected { return true }
        try await Task.sleep(for: .milliseconds(100))
      }
      return false
    }

    /// Presses space until the player has heard it: a key that comes before the player has the new keyboard is lost.
    private func pressSpace(toInhibit expected: Bool, in session: CompositorSession) async throws -> Bool {
      for _ in 0..<4 {
        _ = try await run(["wtype", "-s", "400", "-k", "space"], in: session)
        if try await waits(until: expected, in: session, atMost: .seconds(10)) { return true }
      }
      return false
    }

    @Test func anIdleTimeoutFiresAfterThePauseAndNotWhilePlaying() async throws {
      let session = try #require(CompositorSession.current)
      let place = try TestPlace()
      defer { withExtendedLifetime(place) {} }
      let mark = place.folder.appending(path: "idle").path
      let player = try PlayerProcess(
        Array(repeating: try TestClip.tenSeconds.path(), count: 30), in: session)
      try #require(try await waits(until: true, in: session), "\(player.process.errors)")
      let idle = try session.launch(["swayidle", "timeout", "2", "touch '\(mark)'"])
      for _ in 0..<10 {
        try await Task.sleep(for: .milliseconds(500))
        #expect(try await isInhibiting(in: session) == true)
      }
      #expect(idle.poll() == nil, "\(idle.errors)")
      #expect(!FileManager.default.fileExists(atPath: mark))
      // Pressing a key is activity: the two seconds begin with it.
      try #require(try await pressSpace(toInhibit: false, in: session))
      let deadline = ContinuousClock.now + .seconds(40)
      while ContinuousClock.now < deadline, !FileManager.default.fileExists(atPath: mark) {
        try await Task.sleep(for: .milliseconds(100))
      }
      #expect(FileManager.default.fileExists(atPath: mark), "\(idle.errors)")
      try #require(try await pressSpace(toInhibit: true, in: session), "playing again holds again")
      await idle.kill()
      #expect(await player.quit() == .exited(0))
      #expect(player.process.errors == "")
    }
  }
}
