import TestDisplay
import TestMedia
import Testing

extension EndToEnd {
  /// A picture that is fitted into all of an output, with bars beside it.
  private static func fillOutput(
    _ still: StillClip, fullscreen: Bool, at expected: ReferencePicture.Area
  ) async throws {
    let session = try #require(CompositorSession.current)
    let player = try PlayerProcess((fullscreen ? ["--fullscreen"] : []) + [still.clip.path()], in: session)
    let shown = try await ShownPicture.settled(of: player, in: session)
    try shown.expect(still, size: (expected.width, expected.height), at: expected)
    // The bars are black up to the edges of the output.
    let hasBars = expected.width < shown.screen.width || expected.height < shown.screen.height
    for (x, y) in hasBars ? [(0, 0), (shown.screen.width - 1, shown.screen.height - 1)] : [] {
      #expect(shown.screen.rgb(x: x, y: y) == (0, 0, 0))
    }
    #expect(await player.quit() == .exited(0))
    #expect(player.process.errors == "")
  }

  /// 4:3, and smooth: what different scalers make of lines one pixel wide differs.
  private static let standard: StillClip = {
    var still = StillClip()
    (still.width, still.height) = (240, 180)
    still.hasDetail = false
    return still
  }()

  /// An anamorphic picture: 360×288 in pixels of 64:45 are 512×288.
  private static let anamorphic: StillClip = {
    var still = StillClip()
    (still.width, still.height) = (360, 288)
    still.sampleAspect = "64/45"
    still.hasDetail = false
    return still
  }()

  @Suite(.needs(.weston), .compositor(.weston, 800, 500)) struct WestonFullscreen {
    @Test func aPictureFillsTheHeight() async throws {
      try await fillOutput(standard, fullscreen: true, at: .init(x: 66, y: 0, width: 667, height: 500))
    }

    @Test func aPictureFillsTheWidth() async throws {
      try await fillOutput(anamorphic, fullscreen: true, at: .init(x: 0, y: 25, width: 800, height: 450))
    }
  }

  /// Tiled, a window is all of the output, whatever its scale.
  private static func tile(_ scale: String) async throws {
    let session = try #require(CompositorSession.current)
    let message = try session.launch(["swaymsg", "output * scale \(scale)"])
    #expect(await message.wait(atMost: .seconds(60)) == .exited(0), "swaymsg: \(message.errors)")
    try await fillOutput(standard, fullscreen: false, at: .init(x: 160, y: 0, width: 960, height: 720))
  }

  @Suite(.needs(.sway), .compositor(.sway, 1280, 720)) struct SwayScales {
    @Test(arguments: ["1", "1.25", "1.5", "2"])
    func edgesAreExactInATiledWindow(_ scale: String) async throws { try await tile(scale) }

    @Test(arguments: ["1.25", "2"])
    func edgesAreExactInFullscreen(_ scale: String) async throws {
      let session = try #require(CompositorSession.current)
      let message = try session.launch(["swaymsg", "output * scale \(scale)"])
      #expect(await message.wait(atMost: .seconds(60)) == .exited(0), "swaymsg: \(message.errors)")
      try await fillOutput(anamorphic, fullscreen: true, at: .init(x: 0, y: 0, width: 1280, height: 720))
    }
  }
}
