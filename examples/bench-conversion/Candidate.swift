import KiteCore

/// One way of converting the frames of one layout: a library with one set of its options.
struct Candidate: Sendable {
  let library: String
  let options: String
  /// Makes what converts `job`'s picture into `job`'s target; nil where the library can't.
  let make: @Sendable (Job) -> (() -> Void)?

  static let all = [kite, libyuvTables, libyuvFiltered] + swscale + zimg

  /// Whether the brief table has it.
  var isNotable: Bool { ["bicubic", "bicubic accurate", "bilinear accurate full-chroma"].contains(options) }
}

/// What is to be converted into what.
struct Job {
  let picture: BenchPicture
  let color: ColorDescription
  let target: BenchTarget
}

/// A picture whose planes lie as decoders lay them: rows on 64 bytes, room behind the last.
final class BenchPicture {
  let format: PixelFormat
  let size: PixelSize
  let planes: [VideoPlane]
  private let memory: [UnsafeMutableRawPointer]

  /// - Parameter fill: writes a plane's rows; given the plane's index, its memory and its stride.
  init(_ format: PixelFormat, _ size: PixelSize, fill: (Int, UnsafeMutableRawPointer, Int) -> Void) {
    self.format = format
    self.size = size
    var memory: [UnsafeMutableRawPointer] = []
    planes = format.planes.enumerated().map { index, layout in
      let stride = (layout.rowBytes(width: size.width) + 63) & ~63
      let base = UnsafeMutableRawPointer.allocate(
        byteCount: stride * (layout.rows(height: size.height) + 4), alignment: 64)
      fill(index, base, stride)
      memory.append(base)
      return VideoPlane(offset: 0, stride: stride, baseAddress: base)
    }
    self.memory = memory
  }

  deinit { for plane in memory { plane.deallocate() } }
}

/// Where the converted picture goes, with rows on 64 bytes.
final class BenchTarget {
  let format: PixelFormat
  let size: PixelSize
  let stride: Int
  let bytes: UnsafeMutableRawBufferPointer

  init(_ format: PixelFormat, _ size: PixelSize) {
    self.format = format
    self.size = size
    stride = (size.width * 4 + 63) & ~63
    bytes = .allocate(byteCount: stride * size.height, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0x55)
  }

  deinit { bytes.deallocate() }

  /// The pixel in levels of 0…255: red, green, blue.
  func color(_ x: Int, _ y: Int) -> (red: Double, green: Double, blue: Double) {
    let word = bytes.load(fromByteOffset: y * stride + x * 4, as: UInt32.self)
    if format == .xrgb2101010 {
      func level(_ shift: UInt32) -> Double { Double((word >> shift) & 1023) * 255 / 1023 }
      return (level(20), level(10), level(0))
    }
    return (Double((word >> 16) & 255), Double((word >> 8) & 255), Double(word & 255))
  }
}
