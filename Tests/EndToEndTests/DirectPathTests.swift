import TestDisplay
import TestMedia
import Testing

extension EndToEnd {
  /// Weston's GL renderer takes YUV in shared memory, and reads it as BT.601 of limited range.
  @Suite(.needs(.westonGL), .compositor(.westonGL, 640, 400)) struct DirectPath {
    private func path(of still: StillClip) async throws -> String {
      let session = try #require(CompositorSession.current)
      let player = try PlayerProcess(["--stats", try still.clip.path()], in: session)
      let shown = try await ShownPicture.settled(of: player, in: session)
      try shown.expect(still, size: still.shownSize)
      #expect(await player.quit() == .exited(0))
      #expect(player.process.errors == "")
      return player.statistic("path") ?? player.process.output
    }

    @Test func framesThatItReadsRightAreNotTouched() async throws {
      var still = StillClip()
      still.matrix = .bt601
      #expect(try await path(of: still) == "wl_shm in the frame's own format (YU12)")
    }

    @Test func framesThatItWouldReadWrongAreConverted() async throws {
      #expect(try await path(of: StillClip()) == "wl_shm converted to RGB (XR24)")
    }
  }
}
