import CConvert
import KiteCore

/// Scales a picture before it becomes RGB; one for each case of the table in docs/conversion.md.
final class PictureScaler {
  private enum Method {
    /// swscale, bicubic: planes of YUV to 4:4:4 at the target's size.
    case bicubic(SwscaleContext)
    /// libyuv, box: planes one by one, to 4:4:4 at the target's size.
    case box
    /// libyuv: to XRGB8888 first, then bilinear (up) or box (down).
    case rgb(PicturePainter)
  }

  /// What the painter gets.
  let outputFormat: PixelFormat
  let outputColor: ColorDescription
  private let size: PixelSize
  private let method: Method
  private let memory = ScratchMemory()
  private let unscaled = ScratchMemory()

  /// - Parameter size: of the picture before it is turned.
  init(source: ConversionSource, color: ColorDescription, size: PixelSize) throws(ConversionError) {
    self.size = size
    let format = source.format
    // swscale has no name for nv16.
    if format.model == .rgb || color.matrix == .identity || format == .nv16 {
      method = .rgb(try PicturePainter(format: format, color: color, target: .bgrx8888))
      outputFormat = .bgrx8888
      outputColor = ColorDescription(matrix: .identity, range: .full)
    } else if Self.isStrongReduction(from: source.crop.size, to: size), let output = Self.boxOutput(format) {
      method = .box
      outputFormat = output
      outputColor = color
    } else {
      outputFormat = SwscaleContext.outputFormat(for: format)
      outputColor = color
      method = .bicubic(try SwscaleContext(source: source, color: color, size: size, output: outputFormat))
    }
  }

  /// Whether there is more than twice the picture that is wanted: then an average over what falls on a pixel is better
  /// than four taps, and much cheaper.
  private static func isStrongReduction(from source: PixelSize, to target: PixelSize) -> Bool {
    target.width <= source.width && target.height <= source.height
      && source.width * source.height >= 2 * target.width * target.height
  }

  /// The layout that boxes over the planes of `format` give; nil where its planes aren't one component each.
  private static func boxOutput(_ format: PixelFormat) -> PixelFormat? {
    switch format {
    case .yuv420p, .yuv422p, .yuv440p, .yuv444p, .yuva420p, .yuva444p: .yuv444p
    case .yuv420p10, .yuv422p10, .yuv440p10, .yuv444p10: .yuv444p10
    case .yuv420p12, .yuv422p12, .yuv440p12, .yuv444p12: .yuv444p12
    case .gray8, .gray10, .gray12: format
    default: nil
    }
  }

  /// The scaled picture; valid until the next call.
  func scale(_ picture: PictureView) throws(ConversionError) -> PictureView {
    switch method {
    case .bicubic(let context):
      let result = try makeOutput()
      try context.scale(picture, to: result)
      return result.view
    case .box:
      let result = try makeOutput()
      scaleByBox(picture, to: result)
      return result.view
    case .rgb(let painter):
      return try scaleInRGB(picture, painter)
    }
  }

  /// An intermediate picture that may be written.
  struct Output {
    var view: PictureView
    var planes: [UnsafeMutableRawPointer]
  }

  private func makeOutput() throws(ConversionError) -> Output {
    let layouts = outputFormat.planes
    let strides = layouts.map { ScratchMemory.stride($0.rowBytes(width: size.width)) }
    var next = try memory.reserve(strides.reduce(0) { $0 + $1 * size.height })
    var output = Output(view: PictureView(format: outputFormat, size: size, planes: []), planes: [])
    for stride in strides {
      output.view.planes.append(.init(base: next, stride: stride))
      output.planes.append(next)
      next += stride * size.height
    }
    return output
  }

  private func scaleByBox(_ picture: PictureView, to output: Output) {
    let isWide = picture.format.bitDepth > 8
    for (index, plane) in picture.planes.enumerated() {
      let from = index == 0 ? picture.size : picture.chromaSize
      let stride = output.view.planes[index].stride
      if isWide {
        ScalePlane_12(
          plane.base.assumingMemoryBound(to: UInt16.self), Int32(plane.stride / 2), Int32(from.width),
          Int32(from.height), output.planes[index].assumingMemoryBound(to: UInt16.self), Int32(stride / 2),
          Int32(size.width), Int32(size.height), kFilterBox)
      } else {
        ScalePlane(
          plane.base.assumingMemoryBound(to: UInt8.self), Int32(plane.stride), Int32(from.width),
          Int32(from.height), output.planes[index].assumingMemoryBound(to: UInt8.self), Int32(stride),
          Int32(size.width), Int32(size.height), kFilterBox)
      }
    }
  }

  private func scaleInRGB(
    _ picture: PictureView, _ painter: PicturePainter
  ) throws(ConversionError) -> PictureView {
    let stride = ScratchMemory.stride(picture.size.width * 4)
    let pixels = try unscaled.reserve(stride * picture.size.height)
    try painter.paint(picture, to: pixels, stride: stride)
    let output = try makeOutput()
    let code = ARGBScale(
      pixels.assumingMemoryBound(to: UInt8.self), Int32(stride), Int32(picture.size.width),
      Int32(picture.size.height), output.planes[0].assumingMemoryBound(to: UInt8.self),
      Int32(output.view.planes[0].stride), Int32(size.width), Int32(size.height), kFilterBox)
    try PicturePainter.check(code, "ARGBScale")
    return output.view
  }
}
