import KiteCore
import Testing

@testable import KiteOutput

@Suite struct PlaneCopyTests {
  /// A plane of words or bytes that are all different, with room at the end of each row.
  private func plane(_ layout: PlaneLayout, size: PixelSize, seed: Int) -> (bytes: [UInt8], stride: Int) {
    let stride = layout.rowBytes(width: size.width) + 6
    let count = stride * layout.rows(height: size.height)
    // Words of at most 10 bits: the upper byte of each stays below 4.
    return ((0..<count).map { UInt8(truncatingIfNeeded: ($0 * 7 + seed) % ($0 % 2 == 1 ? 4 : 256)) }, stride)
  }

  private func copy(_ from: PixelFormat, _ to: PixelFormat, width: Int, height: Int) throws -> (
    source: [(bytes: [UInt8], stride: Int)], result: [UInt8], offsets: [Int], strides: [Int]
  ) {
    let size = PixelSize(width: width, height: height)
    let source = from.planes.enumerated().map { plane($1, size: size, seed: $0 * 50) }
    var offsets: [Int] = []
    var strides: [Int] = []
    var end = 0
    for layout in to.planes {
      offsets.append(end)
      strides.append(layout.rowBytes(width: width) + 10)
      end += (layout.rowBytes(width: width) + 10) * layout.rows(height: height)
    }
    var result = [UInt8](repeating: 0xAA, count: end)
    let buffers = source.map { bytes, _ in
      let buffer = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
      buffer.copyMemory(from: bytes, byteCount: bytes.count)
      return buffer
    }
    defer { for buffer in buffers { buffer.deallocate() } }
    let planes = zip(buffers, source).map {
      VideoPlane(offset: 0, stride: $1.stride, baseAddress: UnsafeRawPointer($0))
    }
    let isCopied = result.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map {
        PlaneCopy(into: to, size: size).copy(planes, of: from, to: $0, offsets: offsets, strides: strides)
      } ?? false
    }
    #expect(isCopied)
    return (source, result, offsets, strides)
  }

  @Test(arguments: [(34, 18), (33, 17), (2, 2)])
  func planarBecomesInterleavedByteForByte(width: Int, height: Int) throws {
    let (source, result, offsets, strides) = try copy(.yuv420p, .nv12, width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        #expect(result[offsets[0] + y * strides[0] + x] == source[0].bytes[y * source[0].stride + x])
      }
    }
    for y in 0..<(height + 1) / 2 {
      for x in 0..<(width + 1) / 2 {
        let at = offsets[1] + y * strides[1] + 2 * x
        #expect(result[at] == source[1].bytes[y * source[1].stride + x])
        #expect(result[at + 1] == source[2].bytes[y * source[2].stride + x])
      }
    }
  }

  @Test func tenBitsMoveToTheHighEndOfTheirWords() throws {
    let (source, result, offsets, strides) = try copy(.yuv420p10, .p010, width: 22, height: 6)
    func word(_ bytes: [UInt8], _ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
    for y in 0..<6 {
      for x in 0..<22 {
        #expect(
          word(result, offsets[0] + y * strides[0] + 2 * x)
            == word(source[0].bytes, y * source[0].stride + 2 * x) << 6)
      }
    }
    for y in 0..<3 {
      for x in 0..<11 {
        let at = offsets[1] + y * strides[1] + 4 * x
        #expect(word(result, at) == word(source[1].bytes, y * source[1].stride + 2 * x) << 6)
        #expect(word(result, at + 2) == word(source[2].bytes, y * source[2].stride + 2 * x) << 6)
      }
    }
  }

  @Test(arguments: [PixelFormat.yuv420p, .nv12, .p010, .bgrx8888, .yuyv422])
  func theSameFormatIsCopiedRowByRowAndNothingBesides(format: PixelFormat) throws {
    let (source, result, offsets, strides) = try copy(format, format, width: 12, height: 4)
    for (index, layout) in format.planes.enumerated() {
      let row = layout.rowBytes(width: 12)
      for y in 0..<layout.rows(height: 4) {
        let start = offsets[index] + y * strides[index]
        let from = y * source[index].stride
        #expect(Array(result[start..<start + row]) == Array(source[index].bytes[from..<from + row]))
        #expect(result[start + row] == 0xAA)
      }
    }
  }

  @Test func whatCannotBecomeTheTargetIsRefused() {
    let planes = [VideoPlane(offset: 0, stride: 8, baseAddress: nil)]
    var byte: UInt8 = 0
    let copy = PlaneCopy(into: .nv12, size: PixelSize(width: 2, height: 2))
    let isUnreadable = copy.copy(
      planes + planes + planes, of: .yuv420p, to: &byte, offsets: [0, 0], strides: [8, 8])
    let isUnfit = copy.copy(planes, of: .gray8, to: &byte, offsets: [0, 0], strides: [8, 8])
    #expect(!isUnreadable && !isUnfit)
  }
}
