import Foundation
import TestDisplay
import TestMedia
import Testing

/// A file that is damaged, hostile, rare, or no file at all, and what the player is to make of it.
struct DifficultInput: Sendable, CustomStringConvertible {
  enum Outcome: Sendable {
    /// A picture, and a good end.
    case plays
    /// One line of error that contains this.
    case isRefused(String)
  }

  let description: String
  let outcome: Outcome
  let path: @Sendable (TestPlace) throws -> String

  init(_ description: String, _ outcome: Outcome, path: @escaping @Sendable (TestPlace) throws -> String) {
    self.description = description
    self.outcome = outcome
    self.path = path
  }

  init(_ clip: TestClip, _ outcome: Outcome) {
    self.init(clip.fileName, outcome) { _ in try clip.path() }
  }

  static let all: [DifficultInput] = [
    DifficultInput(.empty, .isRefused("is empty")),
    DifficultInput(.noise(), .isRefused("not a media file")),
    DifficultInput(.prose, .isRefused("not a media file")),
    DifficultInput(.truncatedWithoutIndex, .isRefused("the index of the file is missing")),
    DifficultInput(.absurdSize, .isRefused("more than the")),
    DifficultInput(.absurdPicture, .isRefused("no picture")),
    DifficultInput("no such file", .isRefused("does not exist")) { $0.folder.path + "/none.mp4" },
    DifficultInput("a directory", .isRefused("is a folder")) { $0.folder.path },
    DifficultInput(.truncated, .plays),
    DifficultInput(.corrupt, .plays),
    DifficultInput(.changing, .plays),
    DifficultInput(.tiny, .plays),
    DifficultInput(.huge, .plays),
    DifficultInput(.oneFramePerSecond, .plays),
    DifficultInput(.frames240PerSecond, .plays),
    DifficultInput(.h264Elementary, .plays),
    DifficultInput(.variableRate, .plays),
  ]
}

extension EndToEnd {
  /// Whatever the file: a picture or one clear error, and the right exit code.
  @Suite(.needs(.weston), .compositor(.weston, 640, 400)) struct BadInput {
    private func play(_ arguments: [String]) async throws -> (PlayerProcess, ChildProcess.Ending) {
      let session = try #require(CompositorSession.current)
      let player = try PlayerProcess(["--stats"] + arguments, in: session)
      return (player, await player.ending())
    }

    private func expectRefusal(
      _ player: PlayerProcess, _ ending: ChildProcess.Ending, of path: String, because reason: String
    ) {
      #expect(ending == .exited(1))
      #expect(player.errorLines.count == 1, "\(player.process.errors)")
      let line = player.errorLines.first ?? ""
      #expect(line.hasPrefix("kite-wl: \(path): "), "\(line)")
      #expect(reason.isEmpty || line.contains(reason), "\(line)")
    }

    private func expectPicture(_ player: PlayerProcess, _ ending: ChildProcess.Ending) {
      #expect(ending == .exited(0))
      #expect(player.process.errors == "")
      #expect((player.ledger?.presented ?? 0) > 0, "\(player.process.output)")
    }

    @Test(arguments: DifficultInput.all)
    func aFileGivesAPictureOrOneClearError(_ input: DifficultInput) async throws {
      let place = try TestPlace()
      defer { withExtendedLifetime(place) {} }
      let path = try input.path(place)
      let (player, ending) = try await play([path])
      switch input.outcome {
      case .plays: expectPicture(player, ending)
      case .isRefused(let reason): expectRefusal(player, ending, of: path, because: reason)
      }
    }

    @Test func aFileThatMayNotBeReadIsOneClearError() async throws {
      let session = try #require(CompositorSession.current)
      let place = try TestPlace()
      defer { withExtendedLifetime(place) {} }
      let path = try place.forbidden(.h264360p)
      // Root reads everything by two of its capabilities: the player runs without them.
      let humble = geteuid() == 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
      let player = PlayerProcess(process: try session.launch(humble + [PlayerProcess.path, path]))
      expectRefusal(player, await player.ending(), of: path, because: "may not be read")
    }

    @Test func soundAloneIsPlayedOrOneClearError() async throws {
      let path = try TestClip.audioOnly.path()
      let (player, ending) = try await play([path])
      if ending != .exited(0) { expectRefusal(player, ending, of: path, because: "") }
      #expect(player.errorLines.count <= 1)
    }

    @Test func aFileThatCannotBePlayedDoesNotKeepTheNextOneFromPlaying() async throws {
      let place = try TestPlace()
      defer { withExtendedLifetime(place) {} }
      let missing = place.folder.path + "/none.mp4"
      let (player, ending) = try await play([missing, try TestClip.frames240PerSecond.path()])
      expectRefusal(player, ending, of: missing, because: "does not exist")
      #expect((player.ledger?.presented ?? 0) > 0, "\(player.process.output)")
    }

    @Test func aPipeThatNobodyWritesToIsLeftWhenAsked() async throws {
      let session = try #require(CompositorSession.current)
      let place = try TestPlace()
      defer { withExtendedLifetime(place) {} }
      let fifo = try place.fifo()
      let player = try PlayerProcess([fifo], in: session)
      try await waitUntilOpen(fifo, by: player)
      #expect(await player.quit() == .exited(0))
      #expect(player.process.errors == "")
    }

    @Test func aPipeIsPlayedWhileItIsWritten() async throws {
      let session = try #require(CompositorSession.current)
      let place = try TestPlace()
      defer { withExtendedLifetime(place) {} }
      let fifo = try place.fifo()
      let player = try PlayerProcess(["--stats", fifo], in: session)
      let writer = try session.launch(
        ["sh", "-c", "exec cat \"$0\" >\"$1\"", try TestClip.h264TransportStream.path(), fifo])
      expectPicture(player, await player.ending())
      #expect(await writer.wait(atMost: .seconds(10)) == .exited(0))
    }

    /// Until a descriptor of the player is this file.
    private func waitUntilOpen(_ path: String, by player: PlayerProcess) async throws {
      let folder = "/proc/\(player.process.id)/fd"
      let deadline = ContinuousClock.now + .seconds(30)
      while ContinuousClock.now < deadline, player.process.poll() == nil {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let targets = descriptors.compactMap {
          try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }
        if targets.contains(path) { return }
        try await Task.sleep(for: .milliseconds(20))
      }
      Issue.record("\(path) was not opened: \(player.process.errors)")
    }
  }
}
