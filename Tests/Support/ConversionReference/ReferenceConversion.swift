package import KiteCore

/// The conversion as the standards write it, in floating point; levels of 0…255.
package struct ReferenceConversion {
  package typealias Color = (red: Double, green: Double, blue: Double)

  private let format: PixelFormat
  private let color: ColorDescription

  package init(format: PixelFormat, color: ColorDescription) {
    self.format = format
    self.color = color
  }

  /// Luma weights of red and blue, as ITU-T H.273 table 4 has them.
  private var weights: (red: Double, blue: Double) {
    switch color.matrix {
    case .fcc: (0.30, 0.11)
    case .bt470bg, .smpte170m: (0.299, 0.114)
    case .smpte240m: (0.212, 0.087)
    case .bt2020: (0.2627, 0.0593)
    default: (0.2126, 0.0722)
    }
  }

  /// The colour of a pixel with these codes.
  package func color(_ codes: TestPicture.Codes) -> Color {
    let steps = Double(1 << format.bitDepth)
    let isFull = color.range == .full
    let one = steps / 256
    let zero = isFull ? 0 : 16 * one
    let span = isFull ? steps - 1 : 219 * one
    let luma = (Double(codes.0) - zero) / span
    func level(_ value: Double) -> Double { min(max(value * 255, 0), 255) }
    switch format.model {
    case .gray: return (level(luma), level(luma), level(luma))
    case .rgb:
      return (
        level(luma), level((Double(codes.1) - zero) / span), level((Double(codes.2) - zero) / span)
      )
    case .yuv:
      if color.matrix == .identity {
        return (
          level((Double(codes.2) - zero) / span), level(luma), level((Double(codes.1) - zero) / span)
        )
      }
      let chromaSpan = isFull ? steps - 1 : 224 * one
      let u = (Double(codes.1) - steps / 2) / chromaSpan
      let v = (Double(codes.2) - steps / 2) / chromaSpan
      let (wr, wb) = weights
      let red = luma + 2 * (1 - wr) * v
      let blue = luma + 2 * (1 - wb) * u
      return (level(red), level((luma - wr * red - wb * blue) / (1 - wr - wb)), level(blue))
    }
  }
}

/// A buffer that a picture was converted into; it ends at an unreadable page.
package final class ConvertedPicture {
  /// `bgrx8888` or `xrgb2101010`.
  package let format: PixelFormat
  package let size: PixelSize
  package let stride: Int
  package let bytes: UnsafeMutableRawBufferPointer
  private let memory: GuardedMemory

  package init(_ format: PixelFormat, _ size: PixelSize) {
    self.format = format
    self.size = size
    stride = size.width * 4
    memory = GuardedMemory(count: stride * size.height)
    bytes = memory.bytes
  }

  /// Levels of 0…255.
  package func color(_ x: Int, _ y: Int) -> ReferenceConversion.Color {
    let word = bytes.loadUnaligned(fromByteOffset: y * stride + x * 4, as: UInt32.self)
    if format == .xrgb2101010 {
      func level(_ shift: UInt32) -> Double { Double((word >> shift) & 1023) * 255 / 1023 }
      return (level(20), level(10), level(0))
    }
    return (Double((word >> 16) & 255), Double((word >> 8) & 255), Double(word & 255))
  }

  /// The X byte of a pixel of XRGB8888.
  package func padding(_ x: Int, _ y: Int) -> UInt8 { bytes[y * stride + x * 4 + 3] }
}

/// How far a converted picture is from the reference, in levels of 255.
package struct ConversionErrors {
  package private(set) var largest = 0.0
  private var sum = 0.0
  private var squares = 0.0
  private var count = 0.0
  package var mean: Double { count == 0 ? 0 : sum / count }
  package var meanSquare: Double { count == 0 ? 0 : squares / count }

  package init() {}

  package mutating func add(_ a: ReferenceConversion.Color, _ b: ReferenceConversion.Color) {
    add(abs(a.red - b.red))
    add(abs(a.green - b.green))
    add(abs(a.blue - b.blue))
  }

  private mutating func add(_ difference: Double) {
    largest = max(largest, difference)
    sum += difference
    squares += difference * difference
    count += 1
  }
}
