package import KiteCore

/// A picture of a known code in every sample, in memory that can't be over-read.
package final class TestPicture {
  package let format: PixelFormat
  package let size: PixelSize
  private let memory: [GuardedMemory]
  package let planes: [VideoPlane]
  private let codes: [Codes]

  /// The codes of one pixel: Y, U, V, or R, G, B; in units of the format's depth.
  package typealias Codes = (Int, Int, Int)

  /// - Parameter codes: asked for every pixel; chroma is taken from the first pixel that shares it.
  package init(_ format: PixelFormat, _ size: PixelSize, codes: (_ x: Int, _ y: Int) -> Codes) {
    self.format = format
    self.size = size
    let layouts = format.planes
    memory = layouts.map {
      GuardedMemory(count: $0.rowBytes(width: size.width) * $0.rows(height: size.height))
    }
    planes = zip(layouts, memory).map {
      VideoPlane(offset: 0, stride: $0.rowBytes(width: size.width), baseAddress: $1.bytes.baseAddress)
    }
    self.codes = (0..<size.width * size.height).map { codes($0 % size.width, $0 / size.width) }
    for y in 0..<size.height {
      for x in 0..<size.width { store(self.codes[y * size.width + x], x, y) }
    }
  }

  /// What a pixel is made of: its own luma, the chroma that it shares.
  package func codes(x: Int, y: Int) -> Codes {
    let (sx, sy) = format.chromaShift
    let own = codes[y * size.width + x]
    let shared = codes[((y >> sy) << sy) * size.width + ((x >> sx) << sx)]
    return format.model == .yuv ? (own.0, shared.1, shared.2) : own
  }

  /// How far `converted` is from the reference, where its pixel (x, y) shows pixel `at(x, y)` of this picture; nil
  /// leaves a pixel out.
  package func errors(
    of converted: ConvertedPicture, color: ColorDescription,
    at pixel: (_ x: Int, _ y: Int) -> (x: Int, y: Int)?
  ) -> ConversionErrors {
    let reference = ReferenceConversion(format: format, color: color)
    var errors = ConversionErrors()
    for y in 0..<converted.size.height {
      for x in 0..<converted.size.width {
        guard let from = pixel(x, y) else { continue }
        errors.add(converted.color(x, y), reference.color(codes(x: from.x, y: from.y)))
      }
    }
    return errors
  }

  /// Noise in every sample, the extremes in all combinations among it.
  package static func noise(_ format: PixelFormat, _ size: PixelSize) -> TestPicture {
    var generator = SplitMix(state: UInt64(size.width * 7919 + size.height))
    let mask = (1 << format.bitDepth) - 1
    return TestPicture(format, size) { x, y in
      let bits = generator.next()
      if x < 16, y < 2 {
        let extremes = (0..<3).map { (x >> $0) & 1 == 0 ? 0 : mask }
        return (extremes[0], extremes[1], extremes[2])
      }
      return (Int(bits & 0xFFFF) & mask, Int(bits >> 16 & 0xFFFF) & mask, Int(bits >> 32 & 0xFFFF) & mask)
    }
  }

  private func byte(_ plane: Int, _ offset: Int, _ value: Int) { memory[plane].bytes[offset] = UInt8(value) }

  private func word(_ plane: Int, _ index: Int, _ value: Int) {
    memory[plane].bytes.storeBytes(of: UInt16(value), toByteOffset: index * 2, as: UInt16.self)
  }

  private func sample(_ plane: Int, _ index: Int, _ value: Int) {
    switch format {
    case .p010: word(plane, index, value << 6)
    case .p012: word(plane, index, value << 4)
    default: format.bitDepth > 8 ? word(plane, index, value) : byte(plane, index, value)
    }
  }

  private func store(_ codes: Codes, _ x: Int, _ y: Int) {
    let (sx, sy) = format.chromaShift
    let ownsChroma = x & ((1 << sx) - 1) == 0 && y & ((1 << sy) - 1) == 0
    let chromaWidth = (size.width + (1 << sx) - 1) >> sx
    let chroma = (y >> sy) * chromaWidth + (x >> sx)
    let pixel = y * size.width + x
    let (a, b, c) = codes
    switch format {
    case .rgb24: for (offset, code) in [a, b, c].enumerated() { byte(0, pixel * 3 + offset, code) }
    case .bgr24: for (offset, code) in [c, b, a].enumerated() { byte(0, pixel * 3 + offset, code) }
    case .bgrx8888: for (offset, code) in [c, b, a, 0].enumerated() { byte(0, pixel * 4 + offset, code) }
    case .rgbx8888: for (offset, code) in [a, b, c, 0].enumerated() { byte(0, pixel * 4 + offset, code) }
    case .xrgb2101010:
      memory[0].bytes.storeBytes(of: UInt32(a << 20 | b << 10 | c), toByteOffset: pixel * 4, as: UInt32.self)
    case .gbrp, .gbrp10, .gbrp12:
      for (plane, code) in [b, c, a].enumerated() { sample(plane, pixel, code) }
    case .gray8, .gray10, .gray12:
      sample(0, pixel, a)
    case .nv12, .nv16, .p010, .p012, .nv21:
      sample(0, pixel, a)
      if ownsChroma {
        sample(1, chroma * 2, format == .nv21 ? c : b)
        sample(1, chroma * 2 + 1, format == .nv21 ? b : c)
      }
    case .yuyv422, .uyvy422:
      let first = format == .yuyv422 ? 0 : 1
      byte(0, chroma * 4 + first + (x & 1) * 2, a)
      if ownsChroma {
        byte(0, chroma * 4 + 1 - first, b)
        byte(0, chroma * 4 + 3 - first, c)
      }
    default:
      sample(0, pixel, a)
      if ownsChroma {
        sample(1, chroma, b)
        sample(2, chroma, c)
      }
    }
  }
}

/// A small generator whose numbers are the same in every run.
package struct SplitMix {
  private var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
