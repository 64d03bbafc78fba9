import TestDisplay
import TestMedia
import Testing

extension EndToEnd {
  /// Real libva and FFmpeg's own hardware decoding, over a driver that stands in for a device.
  @Suite(.needs(.weston), .compositor(.weston, 640, 400)) struct Hardware {
    /// What is in the file, and what the device makes of it.
    private let inFile: StillClip
    private let byDevice: StillClip

    init() {
      var still = StillClip()
      still.matrix = .bt601
      byDevice = still
      still.hasDetail = false
      inFile = still
    }

    /// Plays the file until the output shows `still`, and returns the player when it has quit.
    private func play(
      _ options: [String] = [], faults: [String: String] = [:], until still: StillClip
    ) async throws -> PlayerProcess {
      let session = try #require(CompositorSession.current)
      let device = try await StandInDevice.make(showing: byDevice)
      defer { device.remove() }
      let player = try device.player(options + [try inFile.clip.path()], faults: faults, in: session)
      // A device that fails in mid-stream has shown its own picture before.
      let deadline = ContinuousClock.now + .seconds(40)
      var shown = try await ShownPicture.settled(of: player, in: session)
      while try shown.error(against: still) > 2, ContinuousClock.now < deadline {
        shown = try await ShownPicture.settled(of: player, in: session)
      }
      try shown.expect(still, size: still.shownSize)
      #expect(await player.quit() == .exited(0))
      #expect(player.process.errors == "")
      let ledger = try #require(player.ledger)
      #expect(ledger.failed == 0)
      return player
    }

    @Test func whatTheDeviceDecodesIsShown() async throws {
      let player = try await play(["--hwdec=required"], until: byDevice)
      #expect(player.statistic("decoded by") == "VAAPI")
      #expect(player.statistic("why no hardware decoding") == nil)
    }

    @Test func withoutIt() async throws {
      let player = try await play(["--hwdec=off"], until: inFile)
      #expect(player.statistic("decoded by") == nil)
      #expect(player.statistic("why no hardware decoding") == "Hardware decoding is off.")
    }

    @Test(arguments: ["0", "2"]) func aDeviceThatFailsIsReplacedByTheProcessor(count: String)
      async throws
    {
      let player = try await play(faults: ["KITE_VA_FAILS_AFTER": count], until: inFile)
      #expect(player.statistic("decoded by") == nil)
      let reason = player.statistic("why no hardware decoding") ?? ""
      #expect(reason.hasPrefix("VAAPI failed: "), "\(reason)")
    }

    @Test func aDeviceThatDoesNotKnowTheCodecIsPassedOver() async throws {
      let player = try await play(faults: ["KITE_VA_REFUSES": "1"], until: inFile)
      #expect(player.statistic("decoded by") == nil)
      #expect(player.statistic("why no hardware decoding") == "VAAPI does not decode such a stream.")
    }

    @Test(arguments: ["KITE_VA_REFUSES", "KITE_VA_FAILS_AFTER"])
    func aDeviceThatIsRequiredAndFailsIsAnError(fault: String) async throws {
      let session = try #require(CompositorSession.current)
      let device = try await StandInDevice.make(showing: byDevice)
      defer { device.remove() }
      let player = try device.player(
        ["--hwdec=required", try inFile.clip.path()], faults: [fault: "3"], in: session)
      #expect(await player.ending() == .exited(1))
      #expect(player.errorLines.count == 1, "\(player.errorLines)")
      #expect(player.errorLines.first?.contains("can't be decoded by a device as is required") == true)
    }
  }
}
