import CFFmpeg
import KiteCore

/// A frame as it is to be shown, as 8-bit RGB in memory: cropped, stretched to square pixels, turned upright.
struct RGBPicture {
  private(set) var size: PixelSize
  /// R, G, B of each pixel, row by row without padding.
  private(set) var bytes: [UInt8]

  /// Converts `frame`, exactly rather than fast.
  ///
  /// - Throws: `MediaError` of kind `unsupported` for a frame that is not in memory, or that swscale can't read.
  init(_ frame: borrowing VideoFrame) throws(MediaError) {
    let properties = frame.properties
    let display = properties.displaySize
    size = properties.orientation.swapsAxes ? display.transposed : display
    bytes = [UInt8](repeating: 0, count: size.width * size.height * 3)
    try Self.scale(frame, to: size, into: &bytes)
    turn(properties.orientation)
  }

  private static func scale(
    _ frame: borrowing VideoFrame, to size: PixelSize, into bytes: inout [UInt8]
  ) throws(MediaError) {
    let properties = frame.properties
    let crop = properties.crop
    let context = sws_getContext(
      Int32(clamping: crop.width), Int32(clamping: crop.height),
      FormatMapping.ffmpegFormat(properties.format), Int32(clamping: size.width),
      Int32(clamping: size.height),
      AV_PIX_FMT_RGB24, SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, nil, nil, nil)
    guard let context else { throw unsupported("swscale can't read \(properties.format.rawValue)") }
    defer { sws_freeContext(context) }
    let color = properties.color.resolved(for: properties.format, size: properties.codedSize)
    // The table of RGB output is not used; its range is: RGB is always full.
    _ = sws_setColorspaceDetails(
      context, sws_getCoefficients(Int32(color.matrix.rawValue)), color.range == .full ? 1 : 0,
      sws_getCoefficients(Int32(color.matrix.rawValue)), 1, 0, 1 << 16, 1 << 16)
    var sources: [UnsafePointer<UInt8>?] = []
    var strides: [Int32] = []
    for (plane, layout) in zip(frame.planes, properties.format.planes) {
      guard let base = plane.baseAddress else { throw unsupported("its memory can't be read here") }
      let offset =
        (crop.y >> layout.shiftY) * plane.stride + (crop.x >> layout.shiftX) * layout.bytesPerSample
      sources.append((base + offset).assumingMemoryBound(to: UInt8.self))
      strides.append(Int32(clamping: plane.stride))
    }
    while sources.count < 4 {
      sources.append(nil)
      strides.append(0)
    }
    // swscale writes whole vectors: past the end of a row, and so past the end of the last one.
    let row = size.width * 3
    let padded = (row + 127) / 64 * 64
    var target = [UInt8](repeating: 0, count: padded * size.height + 64)
    let rows = target.withUnsafeMutableBufferPointer { buffer in
      sws_scale(
        context, sources, strides, 0, Int32(clamping: crop.height), [buffer.baseAddress, nil, nil, nil],
        [Int32(clamping: padded), 0, 0, 0])
    }
    guard rows == Int32(clamping: size.height) else { throw unsupported("swscale gave up") }
    for y in 0..<size.height {
      bytes.replaceSubrange(y * row..<(y + 1) * row, with: target[y * padded..<y * padded + row])
    }
  }

  private static func unsupported(_ reason: String) -> MediaError {
    MediaError(kind: .unsupported, subject: "the picture", reason: reason)
  }

  /// Mirrors first, then turns clockwise.
  private mutating func turn(_ orientation: Orientation) {
    guard orientation != .upright else { return }
    let old = self
    let (width, height) = (old.size.width, old.size.height)
    size = orientation.swapsAxes ? old.size.transposed : old.size
    for y in 0..<height {
      for x in 0..<width {
        let mirrored = orientation.isMirrored ? width - 1 - x : x
        let (toX, toY) =
          switch orientation.rotation {
          case .none: (mirrored, y)
          case .clockwise90: (height - 1 - y, mirrored)
          case .half: (width - 1 - mirrored, height - 1 - y)
          case .clockwise270: (y, width - 1 - mirrored)
          }
        let (from, to) = ((y * width + x) * 3, (toY * size.width + toX) * 3)
        for channel in 0..<3 { bytes[to + channel] = old.bytes[from + channel] }
      }
    }
  }
}
