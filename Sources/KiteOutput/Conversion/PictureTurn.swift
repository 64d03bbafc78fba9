import CConvert
import KiteCore

/// An orientation as libyuv does it: flipped upside down first, if at all, then rotated clockwise.
///
/// A mirroring left to right is the same as a flip and half a turn, so it needs no pass of its own.
struct PictureTurn {
  let flips: Bool
  let mode: RotationMode

  /// Nil where nothing is to be done.
  init?(_ orientation: Orientation) {
    guard orientation != .upright else { return nil }
    flips = orientation.isMirrored
    let degrees = orientation.rotation.rawValue + (orientation.isMirrored ? 180 : 0)
    mode = RotationMode(rawValue: UInt32(degrees % 360))
  }

  /// Turns a band of rows into its place in the whole turned picture.
  ///
  /// - Parameters:
  ///   - rows: the band's place in the upright picture of `size`.
  ///   - target: the turned picture's first pixel.
  func place(
    _ band: UnsafeRawPointer, bandStride: Int, rows: Range<Int>, of size: PixelSize,
    to target: UnsafeMutableRawPointer, stride: Int
  ) throws(ConversionError) {
    let first = flips ? size.height - rows.upperBound : rows.lowerBound
    let fromEnd = size.height - first - rows.count
    let offset =
      switch mode {
      case kRotate90: fromEnd * 4
      case kRotate180: fromEnd * stride
      case kRotate270: first * 4
      default: first * stride
      }
    let height = Int32(rows.count)
    let code = ARGBRotate(
      band.assumingMemoryBound(to: UInt8.self), Int32(bandStride),
      (target + offset).assumingMemoryBound(to: UInt8.self), Int32(stride), Int32(size.width),
      flips ? -height : height, mode)
    try PicturePainter.check(code, "ARGBRotate")
  }
}
