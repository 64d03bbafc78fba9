import Kite

/// How large the window is before the user or the compositor says otherwise.
enum WindowSize {
  /// Without a picture to go by.
  static let withoutVideo = LogicalSize(width: 960, height: 540)

  /// The video's own size, made smaller with its aspect until it fits on every output.
  @MainActor static func initial(video: PixelSize?, outputs: [Output]) -> LogicalSize {
    let sizes = outputs.compactMap { $0.info?.logicalSize }
    return fitting(
      video, into: LogicalSize(width: sizes.map(\.width).min() ?? .max, height: sizes.map(\.height).min() ?? .max))
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
