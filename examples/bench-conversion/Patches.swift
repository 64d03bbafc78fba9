import ConversionReference
import KiteCore

/// Flat patches of colours from all of RGB, so that only the matrix counts and not how chroma is spread.
struct Patches {
  private static let side = 16
  let picture: TestPicture
  let color: ColorDescription

  init(_ format: PixelFormat, _ size: PixelSize, color: ColorDescription) {
    self.color = color
    picture = TestPicture(format, size) { x, y in
      Self.codes(patch: y / Self.side * 1000 + x / Self.side, format, color)
    }
  }

  /// Errors of what is in `target`, away from the patches' edges.
  func errors(_ target: BenchTarget) -> ConversionErrors {
    let reference = ReferenceConversion(format: picture.format, color: color)
    var errors = ConversionErrors()
    let inside = 5..<(Self.side - 5)
    for y in 0..<target.size.height where inside.contains(y % Self.side) {
      for x in 0..<target.size.width where inside.contains(x % Self.side) {
        errors.add(target.color(x, y), reference.color(picture.codes(x: x, y: y)))
      }
    }
    return errors
  }

  private static func codes(patch: Int, _ format: PixelFormat, _ color: ColorDescription) -> TestPicture.Codes
  {
    var generator = SplitMix(state: UInt64(patch))
    let bits = generator.next()
    var rgb = (0..<3).map { Double((bits >> (UInt64($0) * 16)) & 0xFFFF) / 65535 }
    // Every fourth patch is a corner of the cube.
    if patch % 4 == 0 { rgb = rgb.map { $0.rounded() } }
    return YUVCodes(format: format, color: color).codes(rgb)
  }
}

/// RGB in 0…1 as codes of a format.
struct YUVCodes {
  let format: PixelFormat
  let color: ColorDescription

  func codes(_ rgb: [Double]) -> TestPicture.Codes {
    let steps = Double(1 << format.bitDepth)
    let isFull = color.range == .full
    let zero = isFull ? 0 : steps / 16
    let span = isFull ? steps - 1 : 219 * steps / 256
    let chromaSpan = isFull ? steps - 1 : 224 * steps / 256
    func code(_ value: Double) -> Int { Int(min(max(value.rounded(), 0), steps - 1)) }
    if format.model == .rgb {
      return (code(zero + rgb[0] * span), code(zero + rgb[1] * span), code(zero + rgb[2] * span))
    }
    let (red, blue) =
      switch color.matrix {
      case .smpte170m: (0.299, 0.114)
      case .bt2020: (0.2627, 0.0593)
      default: (0.2126, 0.0722)
      }
    let luma = red * rgb[0] + (1 - red - blue) * rgb[1] + blue * rgb[2]
    return (
      code(zero + luma * span), code(steps / 2 + (rgb[2] - luma) / 2 / (1 - blue) * chromaSpan),
      code(steps / 2 + (rgb[0] - luma) / 2 / (1 - red) * chromaSpan)
    )
  }
}

extension BenchPicture {
  /// The same samples in memory laid out as decoders do.
  convenience init(_ picture: TestPicture) {
    let layouts = picture.format.planes
    self.init(picture.format, picture.size) { index, base, stride in
      let rowBytes = layouts[index].rowBytes(width: picture.size.width)
      for row in 0..<layouts[index].rows(height: picture.size.height) {
        guard let from = picture.planes[index].baseAddress else { continue }
        (base + row * stride).copyMemory(from: from + row * picture.planes[index].stride, byteCount: rowBytes)
      }
    }
  }
}
