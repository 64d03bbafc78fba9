import CConvert
import Glibc
import KiteCore

/// The luma weights of red and blue that define a YUV matrix.
struct LumaWeights: Hashable {
  let red: Double
  let blue: Double
  var green: Double { 1 - red - blue }

  /// The weights behind an H.273 code point; nil where the matrix is not of this kind.
  init?(_ matrix: ColorDescription.Matrix) {
    switch matrix {
    case .bt709: (red, blue) = (0.2126, 0.0722)
    case .fcc: (red, blue) = (0.30, 0.11)
    case .bt470bg, .smpte170m: (red, blue) = (0.299, 0.114)
    case .smpte240m: (red, blue) = (0.212, 0.087)
    case .bt2020: (red, blue) = (0.2627, 0.0593)
    default: return nil
    }
  }
}

/// How a kernel spreads luma over 16 bits before it multiplies.
enum LumaSpread: Hashable {
  /// Bits repeated below, as the kernels for samples in the low bits do: full scale becomes 65535.
  case replicated
  /// Samples stand in the high bits, zeros below.
  case high
}

/// A matrix in the form of libyuv's kernels: 6 fractional bits, computed here for every range, depth and target.
///
/// libyuv's own BT.709 and BT.2020 tables clip the blue coefficient to 2.0 (13 levels off), and its 10-bit white ends at
/// 1020 of 1023. The kernels have neither limit.
final class YuvMatrix {
  let constants: UnsafePointer<YuvConstants>
  private let memory: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - bitDepth: of the samples.
  ///   - to1023: whether full scale is 1023 in the kernel's 10-bit output instead of 255 (which it takes as 1020).
  init(
    weights: LumaWeights, isFullRange: Bool, bitDepth: Int, spread: LumaSpread, to1023: Bool
  ) {
    let one = Double(1 << (bitDepth - 8))
    let codes = Double(1 << bitDepth) - 1
    let lumaSpan = isFullRange ? codes : 219 * one
    let lumaZero = isFullRange ? 0 : 16 * one
    let chromaSpan = isFullRange ? codes : 224 * one
    // 64ths of a level of the output; the kernels count 16 levels of 10 bits where they count 64 of 8 bits.
    let unit = 64 * 255 * (to1023 ? 1023.0 / 1020 : 1)
    let luma = unit / lumaSpan
    // Chroma is cut to 8 bits before it is multiplied.
    let chroma = unit / chromaSpan * one
    let spreadFactor =
      switch spread {
      case .high: Double(1 << (16 - bitDepth))
      case .replicated:
        bitDepth == 8 ? 257 : Double(1 << (16 - bitDepth)) + 1 / Double(1 << (2 * bitDepth - 16))
      }
    let blue = 2 * (1 - weights.blue) * chroma
    let red = 2 * (1 - weights.red) * chroma
    let half = to1023 ? 8.0 : 32.0
    func whole(_ value: Double) -> Int32 { Int32(value.rounded()) }

    memory = UnsafeMutableRawPointer.allocate(byteCount: MemoryLayout<YuvConstants>.size, alignment: 64)
    let table = memory.bindMemory(to: YuvConstants.self, capacity: 1)
    kite_yuv_constants(
      table, whole(luma * 65536 / spreadFactor), whole(half - lumaZero * luma), whole(blue),
      whole(blue * weights.blue / weights.green), whole(red * weights.red / weights.green), whole(red))
    constants = UnsafePointer(table)
  }

  deinit { memory.deallocate() }
}
