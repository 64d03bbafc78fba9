import Foundation
import TestDisplay
import TestMedia
import Testing

extension EndToEnd {
  /// Keys, as somebody types them in sway: what they do is in the log.
  @Suite(.needs(.sway), .compositor(.sway, 640, 400)) struct SwayKeys {
    /// Types `key` until `line` is in the log once more than before: a key that comes before the player has the new keyboard
    /// is lost.
    private func type(
      _ key: [String], until line: String, log: URL, in session: CompositorSession
    ) async throws -> Bool {
      func count() -> Int {
        guard let data = FileManager.default.contents(atPath: log.path) else { return 0 }
        return String(decoding: data, as: UTF8.self).components(separatedBy: line).count - 1
      }
      let before = count()
      for _ in 0..<6 {
        let tool = try session.launch(["wtype", "-s", "400"] + key)
        try #require(await tool.wait(atMost: .seconds(30)) == .exited(0), "wtype \(key): \(tool.errors)")
        let deadline = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < deadline {
          if count() > before { return true }
          try await Task.sleep(for: .milliseconds(20))
        }
      }
      return false
    }

    @Test func eachKeyDoesWhatTheHelpSays() async throws {
      let session = try #require(CompositorSession.current)
      let place = try TestPlace()
      defer { withExtendedLifetime(place) {} }
      let log = place.folder.appending(path: "log")
      // Both play for long: nothing ends meanwhile.
      let (first, second) = (try TestClip.tenSeconds.path(), try TestClip.searchedH264.path())
      let player = try PlayerProcess(
        ["--log", "debug", "--log-file", log.path, "--loop", "--no-audio", first, second], in: session)
      for (keys, line) in [
        (["9"], "key: the volume is 95.0"), (["0"], "key: the volume is 100.0"),
        (["m"], "key: it is muted"), (["m"], "key: it is heard"),
        (["v"], "key: video track off"), (["v"], "key: video track 0"),
        (["L"], "key: a part begins at"), (["L"], "key: a part is played over and over"),
        (["L"], "key: all is played again"),
        ([">"], "\(second): is open"), (["<"], "\(first): is open"),
        (["l"], "key: the film ends"), (["l"], "key: the film loops"),
      ] {
        let isHeard = try await type(keys, until: line, log: log, in: session)
        try #require(isHeard, "\(keys): no '\(line)'; \(player.process.errors)")
      }
      #expect(await player.quit() == .exited(0))
      #expect(player.process.errors == "")
    }
  }
}
