import TestDisplay
import TestMedia
import Testing

/// What is on the screen is what the `ffmpeg` command decodes and converts.
private func showPixelForPixel(_ still: StillClip) async throws {
  let session = try #require(CompositorSession.current)
  let player = try PlayerProcess([try still.clip.path()], in: session)
  let shown = try await ShownPicture.settled(of: player, in: session)
  try shown.expect(still, size: still.shownSize)
  #expect(await player.quit() == .exited(0))
  #expect(player.process.errors == "")
}

extension EndToEnd {
  /// Weston places windows where it likes, in the video's own size.
  @Suite(.needs(.weston), .compositor(.weston, 900, 520)) struct WestonPictures {
    @Test(arguments: PictureCase.colors) func coloursAreRight(_ still: StillClip) async throws {
      try await showPixelForPixel(still)
    }

    @Test(arguments: PictureCase.shapes) func shapesAreRight(_ still: StillClip) async throws {
      try await showPixelForPixel(still)
    }
  }

  /// Sway, told to let windows float in their own size.
  @Suite(
    .needs(.sway), .compositor(.sway, 900, 520, sway: [#"for_window [app_id="kite-wl"] floating enable"#])
  ) struct SwayPictures {
    @Test(arguments: PictureCase.colors) func coloursAreRight(_ still: StillClip) async throws {
      try await showPixelForPixel(still)
    }

    @Test(arguments: PictureCase.shapes) func shapesAreRight(_ still: StillClip) async throws {
      try await showPixelForPixel(still)
    }
  }
}
