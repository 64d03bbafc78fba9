import Foundation
import TestDisplay
import TestMedia
import Testing

/// Subtitles as the compositor's output shows them: white, over a picture that is blue for as long as they last.
private struct SubtitleSight {
  /// Screenshots by what was on them.
  private(set) var both = 0
  private(set) var blueAlone = 0
  private(set) var textAlone = 0
  private(set) var dark = 0
  /// The pixels that are white, in 900ths and 500ths of the output.
  private(set) var area: (left: Int, top: Int, right: Int, bottom: Int)?
  /// Whether the text was seen, and its end.
  private(set) var isComplete = false

  /// Plays `arguments` over and over, on the whole output, and looks until the text was there and was gone again: however
  /// seldom this machine takes a screenshot.
  static func seen(_ arguments: [String]) async throws -> SubtitleSight {
    let session = try #require(CompositorSession.current)
    let player = try PlayerProcess(["--fullscreen", "--loop"] + arguments, in: session)
    var sight = SubtitleSight()
    let deadline = ContinuousClock.now + .seconds(120)
    while !sight.isComplete, ContinuousClock.now < deadline, player.process.poll() == nil {
      if let screen = try? await session.screenshot() { sight.look(at: screen) }
    }
    #expect(await player.quit() == .exited(0))
    #expect(player.process.errors == "")
    return sight
  }

  private mutating func look(at screen: ReferencePicture) {
    // No text is in the corner, only the picture.
    let corner = screen.rgb(x: screen.width - 8, y: 8)
    // Before the window is there the compositor's own colour is.
    let isBlue = corner.blue > 100 && corner.red < 30 && corner.green < 30
    guard isBlue || corner.blue < 50 else { return }
    var (left, top, right, bottom) = (Int.max, Int.max, -1, -1)
    for y in 0..<screen.height {
      for x in 0..<screen.width {
        let pixel = screen.rgb(x: x, y: y)
        guard pixel.red > 200, pixel.green > 200, pixel.blue > 200 else { continue }
        (left, top, right, bottom) = (min(left, x), min(top, y), max(right, x), max(bottom, y))
      }
    }
    let hasText = right >= 0
    if hasText {
      area = (
        left * 900 / screen.width, top * 500 / screen.height, (right + 1) * 900 / screen.width,
        (bottom + 1) * 500 / screen.height
      )
    }
    switch (isBlue, hasText) {
    case (true, true): both += 1
    case (true, false): blueAlone += 1
    case (false, true): textAlone += 1
    case (false, false):
      dark += 1
      isComplete = both > 0
    }
  }

  /// The text was there with its picture, and with no other.
  func expectInTime(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(isComplete && textAlone == 0, "\(self)", sourceLocation: sourceLocation)
  }
}

extension EndToEnd {
  /// The whole way, from a file to the output's pixels.
  @Suite(.needs(.weston), .compositor(.weston, 640, 360)) struct WestonSubtitles {
    @Test func aFileOfTextIsShownBelowWithItsPicture() async throws {
      let sight = try await SubtitleSight.seen(
        ["--sub-file", try TestClip.srt.path(), try TestClip.blueInTheMiddle.path()])
      sight.expectInTime()
      let area = try #require(sight.area)
      #expect(area.top > 400 && area.bottom <= 500)
      #expect(abs(area.left + area.right - 900) < 20)
    }

    @Test func aScriptInTheFilmIsShownWhereItSays() async throws {
      let clip = TestClip.film("default.mkv", with: .script, ["-c:s", "ass", "-disposition:s:0", "default"])
      let sight = try await SubtitleSight.seen([try clip.path()])
      sight.expectInTime()
      let area = try #require(sight.area)
      // (40, 20) to (140, 80) of 320×180.
      let ideal = (112, 55, 393, 222)
      #expect(abs(area.left - ideal.0) <= 3 && abs(area.top - ideal.1) <= 3, "\(area)")
      #expect(abs(area.right - ideal.2) <= 3 && abs(area.bottom - ideal.3) <= 3, "\(area)")
    }
  }

  @Suite(.needs(.sway), .compositor(.sway, 640, 360)) struct SwaySubtitles {
    @Test func picturesAreShownWhereTheySay() async throws {
      let clip = TestClip.filmsWithPictures[1]
      let sight = try await SubtitleSight.seen(["--sub-track", "1", try clip.path()])
      sight.expectInTime()
      let area = try #require(sight.area)
      let ideal = (112, 55, 393, 222)
      #expect(abs(area.left - ideal.0) <= 6 && abs(area.top - ideal.1) <= 6, "\(area)")
      #expect(abs(area.right - ideal.2) <= 6 && abs(area.bottom - ideal.3) <= 6, "\(area)")
    }
  }
}
