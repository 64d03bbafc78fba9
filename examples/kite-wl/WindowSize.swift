import Kite

/// How large the window is before the user or the compositor says otherwise.
enum WindowSize {
  /// Without a picture to go by.
  static let withoutVideo = LogicalSize(width: 960, height: 540)

  /// The video's own size, made smaller with its aspect until it fits on every output.
  @MainActor static func initial(video: PixelSize?, outputs: [Output]) -> LogicalSize {
    let sizes = outputs.compactMap { $0.info.flatMap(logicalSize) }
    let space = LogicalSize(
      width: sizes.map { $0.width }.min() ?? .max, height: sizes.map { $0.height }.min() ?? .max)
    return fitting(video, into: space)
  }

  /// What an output has room for, in logical pixels; nil when it doesn't say.
  private static func logicalSize(_ output: OutputInfo) -> LogicalSize? {
    guard output.modeWidth > 0, output.modeHeight > 0 else { return nil }
    let (width, height) = (output.modeWidth / max(1, output.scale), output.modeHeight / max(1, output.scale))
    return output.transform.swapsSides
      ? LogicalSize(width: height, height: width) : LogicalSize(width: width, height: height)
  }

  /// `video` in `space`; never empty.
  static func fitting(_ video: PixelSize?, into space: LogicalSize) -> LogicalSize {
    guard let video, !video.isEmpty else { return withoutVideo }
    let scale = min(1, Double(space.width) / Double(video.width), Double(space.height) / Double(video.height))
    return LogicalSize(
      width: max(1, Int((Double(video.width) * scale).rounded())),
      height: max(1, Int((Double(video.height) * scale).rounded())))
  }
}
