extension ServerBuffer {
  /// The layout of its memory; nil for one of a single colour.
  var shmFormat: ShmFormat? {
    switch content {
    case .color: nil
    case .memory(_, _, _, let format), .dmabuf(_, let format, _, _): format
    }
  }

  /// Reads the buffer's pixels, or those of a copy of its bytes; nil for memory that can't be read.
  func reader(bytes: [UInt8]? = nil, reading: YUVInterpretation) -> PixelReader? {
    switch content {
    case .color(let red, let green, let blue, _):
      let pixel = [blue, green, red, UInt32.max].map { UInt8($0 >> 24) }
      return PixelReader(bytes: pixel, format: .xrgb8888, layout: [(offset: 0, stride: 4)], reading: reading)
    case .memory(_, _, let stride, let format):
      guard let bytes = bytes ?? copyBytes() else { return nil }
      return PixelReader(
        bytes: bytes, format: format, layout: format.layout(stride: stride, height: height).planes,
        reading: reading)
    case .dmabuf(_, let format, _, let planes):
      guard let bytes = bytes ?? copyBytes() else { return nil }
      return PixelReader(bytes: bytes, format: format, layout: planes, reading: reading)
    }
  }

  /// What the buffer shows, untransformed; nil for memory that can't be read.
  func picture(bytes: [UInt8]? = nil, reading: YUVInterpretation) -> Picture? {
    guard let reader = reader(bytes: bytes, reading: reading) else { return nil }
    var picture = Picture(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { picture[x, y] = reader.pixel(x, y) }
    }
    return picture
  }
}

/// Reads single pixels out of a buffer's bytes.
struct PixelReader {
  let bytes: [UInt8]
  let format: ShmFormat
  let layout: [(offset: Int, stride: Int)]
  let reading: YUVInterpretation

  func pixel(_ x: Int, _ y: Int) -> Picture.Pixel {
    switch format {
    case .argb8888, .xrgb8888:
      let at = layout[0].offset + y * layout[0].stride + x * 4
      return Picture.Pixel(bytes[at + 2], bytes[at + 1], bytes[at])
    case .xrgb2101010:
      let at = layout[0].offset + y * layout[0].stride + x * 4
      let value =
        UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16
        | UInt32(bytes[at + 3]) << 24
      func component(_ shift: UInt32) -> UInt8 { UInt8((Int(value >> shift & 1023) * 255 + 511) / 1023) }
      return Picture.Pixel(component(20), component(10), component(0))
    case .yuv420: return color(byte(0, x, y), byte(1, x / 2, y / 2), byte(2, x / 2, y / 2))
    case .yuv422: return color(byte(0, x, y), byte(1, x / 2, y), byte(2, x / 2, y))
    case .yuv444: return color(byte(0, x, y), byte(1, x, y), byte(2, x, y))
    case .nv12: return color(byte(0, x, y), byte(1, x / 2 * 2, y / 2), byte(1, x / 2 * 2 + 1, y / 2))
    case .p010: return color(word(0, x, y), word(1, x / 2 * 2, y / 2), word(1, x / 2 * 2 + 1, y / 2))
    }
  }

  /// A sample of 8 bits.
  private func byte(_ plane: Int, _ column: Int, _ row: Int) -> Double {
    Double(bytes[layout[plane].offset + row * layout[plane].stride + column])
  }

  /// A sample of 10 bits in the high bits of a word, as if it had 8.
  private func word(_ plane: Int, _ column: Int, _ row: Int) -> Double {
    let at = layout[plane].offset + row * layout[plane].stride + column * 2
    return Double(Int(bytes[at]) | Int(bytes[at + 1]) << 8) / 256
  }

  private func color(_ luma: Double, _ blueDifference: Double, _ redDifference: Double) -> Picture.Pixel {
    let (red, blue) = reading.matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
    let (black, lumaSteps, chromaSteps) = reading.isFullRange ? (0.0, 255.0, 255.0) : (16, 219, 224)
    let y = (luma - black) / lumaSteps
    let b = y + (blueDifference - 128) / chromaSteps * 2 * (1 - blue)
    let r = y + (redDifference - 128) / chromaSteps * 2 * (1 - red)
    let g = (y - red * r - blue * b) / (1 - red - blue)
    func clamp(_ value: Double) -> UInt8 { UInt8(max(0, min(255, (value * 255).rounded()))) }
    return Picture.Pixel(clamp(r), clamp(g), clamp(b))
  }
}
