import KiteCore
import KiteSystem
import KiteViews

/// Converts frames into buffers of the view's size: the picture at its place, bars around it.
final class PictureConverter {
  private let hasViewport: Bool
  private var converter: FrameConverter?

  init(hasViewport: Bool) { self.hasViewport = hasViewport }

  /// A buffer with the frame in it; nil while the compositor holds all buffers.
  ///
  /// - Throws: `ConversionError` when the frame can't be converted, `SystemError` when there is no memory.
  func convert(
    _ frame: borrowing VideoFrame, path: FramePath, geometry: SurfaceGeometry, buffers: ConvertedBuffers
  ) throws -> ShmBuffer? {
    let properties = frame.properties
    let size = geometry.bufferSize(hasViewport: hasViewport)
    guard
      let layout = PictureLayout(picture: properties.displaySize, in: size, scaleMode: geometry.scaleMode)
    else { return nil }
    let format: PixelFormat = path.kind == .xrgb2101010 ? .xrgb2101010 : .bgrx8888
    buffers.configure(size: size, fourcc: format.fourcc, background: geometry.background)
    guard let buffer = try buffers.acquire(picture: layout.destination) else { return nil }
    var source = ConversionSource(properties)
    source.crop = properties.codedSource(of: layout.source)
    let target = ConversionTarget(format: format, size: layout.destination.size)
    if converter?.source != source || converter?.target != target {
      converter = nil
      converter = try FrameConverter(source: source, target: target)
    }
    try converter?.convert(
      planes: frame.planes,
      into: UnsafeMutableRawBufferPointer(start: buffer.memory.baseAddress, count: buffer.memory.byteCount),
      stride: buffer.stride, x: layout.destination.x, y: layout.destination.y)
    return buffer
  }
}
