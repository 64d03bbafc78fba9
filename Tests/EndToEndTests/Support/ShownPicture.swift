import TestDisplay
import TestMedia
import Testing

/// The picture of a still clip as the compositor's output shows it.
struct ShownPicture {
  /// All of the output.
  let screen: ReferencePicture
  /// Where the picture is on it.
  let area: ReferencePicture.Area

  /// Waits until there is a picture and the output has stopped changing.
  ///
  /// - Throws: When there is none after `limit`, or the player ends before.
  static func settled(
    of player: PlayerProcess, in session: CompositorSession, atMost limit: Duration = .seconds(40)
  ) async throws -> ShownPicture {
    let deadline = ContinuousClock.now + limit
    var last: [UInt8]?
    while ContinuousClock.now < deadline {
      if let ending = player.process.poll() {
        throw TestDisplayError.noScreenshot("the player ended: \(ending), \(player.process.errors)")
      }
      let screen = try await session.screenshot()
      if let area = screen.frameArea(), screen.pixels == last {
        return ShownPicture(screen: screen, area: area)
      }
      last = screen.pixels
    }
    throw TestDisplayError.timedOut("no picture that stays the same within \(limit)")
  }

  /// Expects the picture to be the one that `ffmpeg` decodes and converts.
  ///
  /// - Parameter expected: Where it ought to be; nil when the compositor places the window, then only its size is
  ///   compared with `size`.
  func expect(
    _ still: StillClip, size: (width: Int, height: Int), at expected: ReferencePicture.Area? = nil,
    meanError limit: Double = 2, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let ideal = expected ?? .init(x: area.x, y: area.y, width: size.width, height: size.height)
    #expect(
      area.edgeDistance(to: ideal) <= 1, "it is \(area), not \(ideal)", sourceLocation: sourceLocation)
    let error = try error(against: still)
    #expect(
      error <= limit, "\(still) is \(error) levels off in the mean", sourceLocation: sourceLocation)
  }

  /// How far it is from the picture that `ffmpeg` decodes and converts, in levels of 255 in the mean.
  func error(against still: StillClip) throws -> Double {
    var options = ReferencePicture.Options()
    options.size = (area.width, area.height)
    let reference = try ReferencePicture.frame(0, of: still.clip.url(), options: options)
    return screen.cropped(to: area).meanError(against: reference)
  }
}
