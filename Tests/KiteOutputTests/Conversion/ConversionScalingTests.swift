import ConversionReference
import KiteCore
import Testing

@testable import KiteOutput

/// Pictures that become larger or smaller on their way.
@Suite struct ConversionScalingTests {
  /// Larger, slightly smaller, much smaller than 48×32, one side each way.
  static let sizes = [
    PixelSize(width: 72, height: 48), PixelSize(width: 43, height: 27), PixelSize(width: 21, height: 15),
    PixelSize(width: 71, height: 17),
  ]

  @Test("A flat colour stays what it is", arguments: PixelFormat.allCases, sizes)
  func keepsFlatColours(format: PixelFormat, size: PixelSize) throws {
    let one = 1 << (format.bitDepth - 8)
    for codes in [(81, 90, 240), (41, 240, 110), (180, 100, 60)] {
      let scaledCodes = (codes.0 * one, codes.1 * one, codes.2 * one)
      let picture = TestPicture(format, PixelSize(width: 48, height: 32)) { _, _ in scaledCodes }
      for target in [PixelFormat.bgrx8888, .xrgb2101010] {
        let color = ColorDescription(matrix: .bt709, range: .limited)
        let converted = try convert(picture, color: color, to: target, size)
        let errors = picture.errors(of: converted, color: color) { _, _ in (0, 0) }
        // One colour alone may be off by more than the mean over many.
        #expect(errors.mean <= 2 && errors.largest <= 4, "\(codes) \(target.rawValue)")
      }
    }
  }

  @Test(
    "Edges are where they belong, also after a turn", arguments: [PixelFormat.yuv420p, .p010, .rgb24], sizes)
  func keepsEdges(format: PixelFormat, size: PixelSize) throws {
    let one = 1 << (format.bitDepth - 8)
    // White is the right half of what the crop leaves.
    let picture = TestPicture(format, PixelSize(width: 52, height: 40)) { x, _ in
      let luma = (x < 27 ? 16 : 235) * one
      return format.model == .rgb ? (luma, luma, luma) : (luma, 128 * one, 128 * one)
    }
    let crop = PixelRect(x: 3, y: 3, width: 48, height: 32)
    for rotation in Orientation.Rotation.allCases {
      let converted = try convert(
        picture, crop: crop, orientation: Orientation(rotation: rotation), to: .bgrx8888, size)
      let isAcross = rotation == .none || rotation == .half
      let length = isAcross ? size.width : size.height
      let whiteIsLast = rotation == .none || rotation == .clockwise90
      func level(_ position: Int) -> Double {
        isAcross
          ? converted.color(position, size.height / 2).green : converted.color(size.width / 2, position).green
      }
      let before = level(length / 2 - 2)
      let after = level((length + 1) / 2 + 1)
      #expect(whiteIsLast ? before < 40 && after > 215 : before > 215 && after < 40, "\(rotation)")
    }
  }

  @Test("Sizes of every kind are scaled without reading past a plane", arguments: PixelFormat.allCases)
  func scalesOddSizes(format: PixelFormat) throws {
    let sizes = [(85, 47), (16, 16), (1, 1), (33, 2), (640, 3)].map { PixelSize(width: $0.0, height: $0.1) }
    for from in sizes {
      let picture = TestPicture.noise(format, from)
      for to in sizes where to != from {
        _ = try convert(picture, to: .bgrx8888, to)
        _ = try convert(
          picture, crop: PixelRect(x: from.width / 2, y: from.height / 2, width: 1, height: 1), to: .bgrx8888,
          to)
      }
    }
  }

  @Test(
    "Chroma is taken from where the stream says it sits", arguments: [0, 1],
    [ColorDescription.ChromaLocation.left, .center])
  func keepsChromaSiting(cropX: Int, location: ColorDescription.ChromaLocation) throws {
    // U rises by 2 for each pixel; a chroma sample has the value of the place where it sits.
    let offset = location == .left ? 0.0 : 0.5
    func u(_ position: Double) -> Double { 64 + 2 * position }
    let picture = TestPicture(.yuv420p, PixelSize(width: 66, height: 16)) { x, _ in
      (100, Int(u(Double(x) + offset)), 128)
    }
    let color = ColorDescription(matrix: .bt709, range: .limited, chromaLocation: location)
    let source = ConversionSource(
      format: .yuv420p, codedSize: picture.size, crop: PixelRect(x: cropX, y: 0, width: 64, height: 16),
      color: color)
    let converted = ConvertedPicture(.bgrx8888, PixelSize(width: 128, height: 32))
    let converter = try FrameConverter(
      source: source, target: ConversionTarget(format: converted.format, size: converted.size))
    try converter.convert(planes: picture.planes, into: converted.bytes, stride: converted.stride)
    var sum = 0.0
    for x in 16..<112 {
      let position = (Double(x) + 0.5) / 2 - 0.5 + Double(cropX)
      let expected = (84.0 * 255 / 219) + (u(position) - 128) * 255 / 224 * 2 * (1 - 0.0722)
      sum += converted.color(x, 16).blue - expected
    }
    // A quarter of a pixel would be 1 level.
    #expect(abs(sum / 96) < 0.7)
  }

  private func convert(
    _ picture: TestPicture, crop: PixelRect? = nil, orientation: Orientation = .upright,
    color: ColorDescription? = nil,
    to target: PixelFormat,
    _ size: PixelSize
  ) throws -> ConvertedPicture {
    let source = ConversionSource(
      format: picture.format, codedSize: picture.size, crop: crop, orientation: orientation,
      color: color ?? ConversionGeometryTests.color(picture.format))
    let converted = ConvertedPicture(target, size)
    let converter = try FrameConverter(
      source: source, target: ConversionTarget(format: converted.format, size: converted.size))
    try converter.convert(planes: picture.planes, into: converted.bytes, stride: converted.stride)
    return converted
  }
}
