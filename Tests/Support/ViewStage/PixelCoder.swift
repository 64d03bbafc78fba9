internal import KiteCore
internal import TestCompositor

/// Stores a colour as a format's samples, by the textbook's formulas.
struct PixelCoder {
  let format: PixelFormat
  let color: ColorDescription

  /// Stores the colour of one pixel; of pixels that share chroma, the last one's is kept.
  func store(
    _ pixel: Picture.Pixel, _ x: Int, _ y: Int, base: UnsafeMutableRawPointer,
    places: [(offset: Int, stride: Int)]
  ) {
    func put(_ plane: Int, _ column: Int, _ row: Int, _ value: Double) {
      let at = base + places[plane].offset + row * places[plane].stride
      if format.bitDepth == 8 {
        at.storeBytes(
          of: UInt8(max(0, min(255, (value * 255).rounded()))), toByteOffset: column, as: UInt8.self)
      } else {
        let largest = Double((1 << format.bitDepth) - 1)
        let shift = format == .p010 ? 6 : format == .p012 ? 4 : 0
        // The same signal at another depth: 8-bit steps times a power of two.
        let steps = value * 255 * Double(1 << (format.bitDepth - 8))
        let sample = UInt16(max(0, min(largest, steps.rounded()))) << UInt16(shift)
        at.storeBytes(of: sample, toByteOffset: column * 2, as: UInt16.self)
      }
    }
    let (sx, sy) = format.chromaShift
    switch format {
    case .bgrx8888:
      let at = base + places[0].offset + y * places[0].stride + x * 4
      let value: UInt32 = UInt32(pixel.red) << 16 | UInt32(pixel.green) << 8 | UInt32(pixel.blue)
      at.storeBytes(of: value, as: UInt32.self)
    case .nv12, .p010, .p012:
      let (luma, blue, red) = components(of: pixel)
      put(0, x, y, luma)
      put(1, (x >> sx) * 2, y >> sy, blue)
      put(1, (x >> sx) * 2 + 1, y >> sy, red)
    default:
      let (luma, blue, red) = components(of: pixel)
      put(0, x, y, luma)
      put(1, x >> sx, y >> sy, blue)
      put(2, x >> sx, y >> sy, red)
    }
  }

  /// Luma and the two colour differences as fractions of the numeric range.
  private func components(of pixel: Picture.Pixel) -> (Double, Double, Double) {
    let r = Double(pixel.red) / 255
    let g = Double(pixel.green) / 255
    let b = Double(pixel.blue) / 255
    let (kr, kb) = color.matrix == .bt709 ? (0.2126, 0.0722) : (0.299, 0.114)
    let y = kr * r + (1 - kr - kb) * g + kb * b
    let cb = (b - y) / (2 * (1 - kb))
    let cr = (r - y) / (2 * (1 - kr))
    guard color.range == .limited else { return (y, cb + 128.0 / 255, cr + 128.0 / 255) }
    return ((16 + 219 * y) / 255, (128 + 224 * cb) / 255, (128 + 224 * cr) / 255)
  }
}
