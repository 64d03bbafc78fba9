import CConvert
import KiteCore

/// Turns rows of a picture into rows of XRGB8888 or XRGB2101010, at the picture's size.
final class PicturePainter {
  private let format: PixelFormat
  private let kernel: ConversionKernel
  private let matrix: YuvMatrix?
  /// Whether the target is XRGB2101010 but the kernel writes XRGB8888.
  private let widensAfterwards: Bool
  private let needsOpaquePass: Bool
  /// Limited-range RGB is stretched by a table, B, G, R, X for each code.
  private let stretchTable: [UInt8]?
  private let unpacker: PictureUnpacker?
  private let wideBand = ScratchMemory()
  /// A row of neutral chroma for luma alone, a row of 0xFF for the X byte.
  private let constantRow = ScratchMemory()

  /// Rows that are worked on at once where there is an intermediate picture: it stays in the second-level cache. Even,
  /// so that bands never part rows that share chroma.
  static let bandRows = 32

  init(format: PixelFormat, color: ColorDescription, target: PixelFormat) throws(ConversionError) {
    guard target == .bgrx8888 || target == .xrgb2101010 else { throw .unsupportedTarget(target) }
    let is10Bit = target == .xrgb2101010
    let isRGB = format.model == .rgb
    let isIdentity = color.matrix == .identity
    let isPlanarRGB = isIdentity && [.yuv444p, .yuva444p, .yuv444p10, .yuv444p12].contains(format)
    let isFullRange = color.range == .full
    let stretches = (isRGB || isPlanarRGB) && !isFullRange
    let direct =
      is10Bit && !stretches ? ConversionKernel(to10BitsFrom: format, isIdentity: isPlanarRGB) : nil
    let writes10Bits = direct != nil

    self.format = format
    kernel = direct ?? ConversionKernel(to8BitsFrom: format, isIdentity: isPlanarRGB)
    if isRGB || isPlanarRGB {
      matrix = nil
    } else {
      // Of gray, only the range matters.
      guard let weights = LumaWeights(format.model == .gray ? .bt709 : color.matrix) else {
        throw .unsupportedMatrix(color.matrix, format)
      }
      matrix = YuvMatrix(
        weights: weights, isFullRange: isFullRange, bitDepth: ConversionKernel.bitDepth(format),
        spread: ConversionKernel.lumaSpread(format), to1023: writes10Bits)
    }
    widensAfterwards = is10Bit && !writes10Bits
    needsOpaquePass = !writes10Bits && ConversionKernel.needsOpaquePass(format)
    stretchTable = stretches ? Self.limitedRangeTable : nil
    // The merging kernels take samples of any depth.
    unpacker = isPlanarRGB ? nil : PictureUnpacker(format)
  }

  /// Writes the whole of `picture` to `target`.
  func paint(_ picture: PictureView, to target: UnsafeMutableRawPointer, stride: Int) throws(ConversionError)
  {
    guard unpacker != nil || widensAfterwards else {
      return try paintBand(picture, to: target, stride: stride)
    }
    var row = 0
    while row < picture.size.height {
      let end = min(row + Self.bandRows, picture.size.height)
      try paintBand(picture.rows(row..<end), to: target + row * stride, stride: stride)
      row = end
    }
  }

  private func paintBand(
    _ packed: PictureView, to target: UnsafeMutableRawPointer, stride: Int
  ) throws(ConversionError) {
    let picture = if let unpacker { try unpacker.unpack(packed) } else { packed }
    guard widensAfterwards else { return try paintDirectly(picture, to: target, stride: stride) }
    let bandStride = ScratchMemory.stride(picture.size.width * 4)
    let band = try wideBand.reserve(bandStride * picture.size.height)
    try paintDirectly(picture, to: band, stride: bandStride)
    let code = ARGBToAR30(
      band.assumingMemoryBound(to: UInt8.self), Int32(bandStride),
      target.assumingMemoryBound(to: UInt8.self), Int32(stride),
      Int32(picture.size.width), Int32(picture.size.height))
    try Self.check(code, "ARGBToAR30")
  }

  private func paintDirectly(
    _ picture: PictureView, to target: UnsafeMutableRawPointer, stride: Int
  ) throws(ConversionError) {
    // A crop may begin inside a group of pixels that share chroma. The kernels begin groups where they begin, so the
    // part group goes by itself.
    let headColumns = min(picture.phase.x, picture.size.width)
    if headColumns > 0 {
      try paintColumns(picture.columns(0..<headColumns), to: target, stride: stride)
    }
    if headColumns < picture.size.width {
      try paintColumns(
        picture.columns(headColumns..<picture.size.width), to: target + headColumns * 4, stride: stride)
    }
    if needsOpaquePass { try setOpaque(picture.size, target, stride) }
    if let stretchTable {
      let code = ARGBColorTable(
        target.assumingMemoryBound(to: UInt8.self), Int32(stride), stretchTable, 0, 0,
        Int32(picture.size.width), Int32(picture.size.height))
      try Self.check(code, "ARGBColorTable")
    }
  }

  /// Paints a picture whose left edge is a chroma sample's.
  private func paintColumns(
    _ picture: PictureView, to target: UnsafeMutableRawPointer, stride: Int
  ) throws(ConversionError) {
    let height = picture.size.height
    let hasOwnRows = ConversionKernel.chromaShiftY(format) != format.chromaShift.y
    let headRows = hasOwnRows ? height : min(picture.phase.y, height)
    for row in 0..<headRows {
      try run(picture.rows(row..<(row + 1)), to: target + row * stride, stride: stride)
    }
    if headRows < height {
      try run(picture.rows(headRows..<height), to: target + headRows * stride, stride: stride)
    }
  }

  private func setOpaque(
    _ size: PixelSize, _ target: UnsafeMutableRawPointer, _ stride: Int
  ) throws(ConversionError) {
    let opaque = try constantRow.reserve(size.width)
    opaque.initializeMemory(as: UInt8.self, repeating: 0xFF, count: size.width)
    let code = ARGBCopyYToAlpha(
      opaque.assumingMemoryBound(to: UInt8.self), 0, target.assumingMemoryBound(to: UInt8.self),
      Int32(stride), Int32(size.width), Int32(size.height))
    try Self.check(code, "ARGBCopyYToAlpha")
  }

  static func check(_ code: Int32, _ function: String) throws(ConversionError) {
    if code != 0 { throw .library("libyuv", function: function, code: Int(code)) }
  }

  /// 16…235 to 0…255; the X byte, whatever it was, to 0xFF.
  private static let limitedRangeTable: [UInt8] = (0..<256).flatMap { code -> [UInt8] in
    let level = UInt8(clamping: Int(((Double(code) - 16) * 255 / 219).rounded()))
    return [level, level, level, 0xFF]
  }
}

extension PicturePainter {
  /// Calls the kernel for a picture that begins with a whole chroma sample.
  private func run(
    _ picture: PictureView, to target: UnsafeMutableRawPointer, stride: Int
  ) throws(ConversionError) {
    let output = target.assumingMemoryBound(to: UInt8.self)
    let outputStride = Int32(stride)
    let width = Int32(picture.size.width)
    let height = Int32(picture.size.height)
    let table = matrix?.constants
    func bytes(_ plane: Int) -> UnsafePointer<UInt8> {
      picture.planes[plane].base.assumingMemoryBound(to: UInt8.self)
    }
    func words(_ plane: Int) -> UnsafePointer<UInt16> {
      picture.planes[plane].base.assumingMemoryBound(to: UInt16.self)
    }
    func byteStride(_ plane: Int) -> Int32 { Int32(picture.planes[plane].stride) }
    func wordStride(_ plane: Int) -> Int32 { Int32(picture.planes[plane].stride / 2) }

    var code: Int32 = 0
    switch kernel {
    case .planar8(let call):
      code = call(
        bytes(0), byteStride(0), bytes(1), byteStride(1), bytes(2), byteStride(2), output, outputStride,
        table, width, height)
    case .interleaved8(let call):
      code = call(
        bytes(0), byteStride(0), bytes(1), byteStride(1), output, outputStride, table, width, height)
    case .gray8:
      code = I400ToARGBMatrix(bytes(0), byteStride(0), output, outputStride, table, width, height)
    case .planar16(let call):
      if picture.planes.count >= 3 {
        code = call(
          words(0), wordStride(0), words(1), wordStride(1), words(2), wordStride(2), output, outputStride,
          table, width, height)
      } else {
        let neutral = try neutralChroma(width: picture.size.width)
        code = call(
          words(0), wordStride(0), neutral, 0, neutral, 0, output, outputStride, table, width, height)
      }
    case .interleaved16(let call):
      code = call(
        words(0), wordStride(0), words(1), wordStride(1), output, outputStride, table, width, height)
    case .merge8:
      MergeARGBPlane(
        bytes(2), byteStride(2), bytes(0), byteStride(0), bytes(1), byteStride(1), nil, 0, output,
        outputStride, width, height)
    case .merge16(let depth, let to10Bits):
      if to10Bits {
        MergeXR30Plane(
          words(2), wordStride(2), words(0), wordStride(0), words(1), wordStride(1), output, outputStride,
          width, height, depth)
      } else {
        MergeARGB16To8Plane(
          words(2), wordStride(2), words(0), wordStride(0), words(1), wordStride(1), nil, 0, output,
          outputStride, width, height, depth)
      }
    case .packed(let call):
      code = call(bytes(0), byteStride(0), output, outputStride, width, height)
    }
    try Self.check(code, "conversion of \(format.rawValue)")
  }

  private func neutralChroma(width: Int) throws(ConversionError) -> UnsafePointer<UInt16> {
    let row = try constantRow.reserve(width * 2)
    let value = UInt16(1 << (ConversionKernel.bitDepth(format) - 1))
    return UnsafePointer(row.initializeMemory(as: UInt16.self, repeating: value, count: width))
  }
}
