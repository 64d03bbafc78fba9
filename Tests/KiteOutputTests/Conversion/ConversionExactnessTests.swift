import ConversionReference
import KiteCore
import Testing

@testable import KiteOutput

/// Every layout, matrix, range and target against the float reference, with noise in all codes, legal or not.
@Suite struct ConversionExactnessTests {
  static let targets: [PixelFormat] = [.bgrx8888, .xrgb2101010]
  static let matrices: [ColorDescription.Matrix] = [.smpte170m, .bt709, .bt2020, .smpte240m, .fcc]

  static func colors(for format: PixelFormat) -> [ColorDescription] {
    var matrices = format.model == .yuv ? Self.matrices : [.bt709]
    if [.yuv444p, .yuva444p, .yuv444p10, .yuv444p12].contains(format) { matrices.append(.identity) }
    if format.model == .rgb { matrices = [.identity] }
    return matrices.flatMap { matrix in
      [.limited, .full].map { ColorDescription(matrix: matrix, range: $0) }
    }
  }

  @Test("Mean error at most 1 level of 255, largest at most 4", arguments: PixelFormat.allCases, targets)
  func staysWithinTheBounds(format: PixelFormat, target: PixelFormat) throws {
    let size = PixelSize(width: 96, height: 64)
    let picture = TestPicture.noise(format, size)
    for color in Self.colors(for: format) {
      let converted = try convert(picture, color: color, to: target)
      let errors = picture.errors(of: converted, color: color) { ($0, $1) }
      #expect(errors.mean <= 1, "\(color.matrix.rawValue) \(color.range)")
      #expect(errors.largest <= 4, "\(color.matrix.rawValue) \(color.range)")
    }
  }

  @Test("The X byte of XRGB8888 is 0xFF, whatever the source has there", arguments: PixelFormat.allCases)
  func isOpaque(format: PixelFormat) throws {
    let picture = TestPicture.noise(format, PixelSize(width: 37, height: 11))
    let converted = try convert(picture, color: ColorDescription(), to: .bgrx8888)
    for y in 0..<11 {
      for x in 0..<37 { #expect(converted.padding(x, y) == 0xFF) }
    }
  }

  @Test("Black and white of every range are black and white", arguments: PixelFormat.allCases, targets)
  func keepsBlackAndWhite(format: PixelFormat, target: PixelFormat) throws {
    let one = 1 << (format.bitDepth - 8)
    for range in [ColorDescription.Range.limited, .full] {
      let isFull = range == .full
      let (black, white) = isFull ? (0, 256 * one - 1) : (16 * one, 235 * one)
      let picture = TestPicture(format, PixelSize(width: 32, height: 2)) { x, _ in
        let luma = x < 16 ? black : white
        return format.model == .rgb ? (luma, luma, luma) : (luma, 128 * one, 128 * one)
      }
      let converted = try convert(picture, color: ColorDescription(matrix: .bt709, range: range), to: target)
      let step = target == .bgrx8888 ? 0.0 : 255.0 / 1023
      for (x, level) in [(3, 0.0), (20, 255.0)] {
        let (red, green, blue) = converted.color(x, 1)
        for channel in [red, green, blue] { #expect(abs(channel - level) <= step, "\(range) at \(x)") }
      }
    }
  }

  private func convert(
    _ picture: TestPicture, color: ColorDescription, to target: PixelFormat
  ) throws -> ConvertedPicture {
    let converted = ConvertedPicture(target, picture.size)
    let source = ConversionSource(format: picture.format, codedSize: picture.size, color: color)
    let converter = try FrameConverter(
      source: source, target: ConversionTarget(format: converted.format, size: converted.size))
    try converter.convert(planes: picture.planes, into: converted.bytes, stride: converted.stride)
    return converted
  }
}
