package import KiteCore

/// Converts frames of one source layout to one target layout. Keeps what it needs between frames; one thread at a time.
package final class FrameConverter {
  let source: ConversionSource
  let target: ConversionTarget

  private let painter: PicturePainter
  private let scaler: PictureScaler?
  private let turn: PictureTurn?
  private let band = ScratchMemory()

  package init(source: ConversionSource, target: ConversionTarget) throws(ConversionError) {
    if let error = source.geometryError(target: target.size) { throw error }
    self.source = source
    self.target = target
    let color = source.color.resolved(for: source.format, size: source.codedSize)
    let uprightSize = source.orientation.swapsAxes ? target.size.transposed : target.size
    scaler =
      uprightSize == source.crop.size
      ? nil : try PictureScaler(source: source, color: color, size: uprightSize)
    painter = try PicturePainter(
      format: scaler?.outputFormat ?? source.format, color: scaler?.outputColor ?? color,
      target: target.format)
    turn = PictureTurn(source.orientation)
  }

  /// Writes the picture of a frame to the rectangle of `target.size` at (`x`, `y`) of `buffer`, and nothing outside it.
  /// The X byte of XRGB8888 becomes 0xFF.
  ///
  /// - Parameters:
  ///   - planes: the frame's planes, as `source` describes them.
  ///   - stride: bytes from one row of `buffer` to the next.
  package func convert(
    planes: [VideoPlane], into buffer: UnsafeMutableRawBufferPointer, stride: Int, x: Int = 0, y: Int = 0
  ) throws(ConversionError) {
    let first = try place(in: buffer, stride: stride, x: x, y: y)
    var picture = try PictureView(source, planes: planes)
    if let scaler { picture = try scaler.scale(picture) }
    guard let turn else { return try painter.paint(picture, to: first, stride: stride) }
    try paint(picture, turnedBy: turn, to: first, stride: stride)
  }

  /// The picture's first pixel in `buffer`, which has room for all of it.
  private func place(
    in buffer: UnsafeMutableRawBufferPointer, stride: Int, x: Int, y: Int
  ) throws(ConversionError) -> UnsafeMutableRawPointer {
    let longest = Int(Int32.max)
    let isSound = (0...longest).contains(x) && (0...longest).contains(y) && (4...longest).contains(stride)
    let rowEnd = isSound ? (x + target.size.width) * 4 : .max
    let needed = isSound ? (y + target.size.height - 1) * stride + rowEnd : .max
    guard let base = buffer.baseAddress, rowEnd <= stride, needed <= buffer.count else {
      throw .bufferTooSmall(bytes: buffer.count, needed: needed)
    }
    return base + y * stride + x * 4
  }

  private func paint(
    _ picture: PictureView, turnedBy turn: PictureTurn, to first: UnsafeMutableRawPointer, stride: Int
  ) throws(ConversionError) {
    let size = picture.size
    let bandStride = ScratchMemory.stride(size.width * 4)
    let pixels = try band.reserve(bandStride * min(size.height, PicturePainter.bandRows))
    var row = 0
    while row < size.height {
      let rows = row..<min(row + PicturePainter.bandRows, size.height)
      try painter.paint(picture.rows(rows), to: pixels, stride: bandStride)
      try turn.place(pixels, bandStride: bandStride, rows: rows, of: size, to: first, stride: stride)
      row = rows.upperBound
    }
  }
}
