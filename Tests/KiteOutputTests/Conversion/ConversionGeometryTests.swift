import ConversionReference
import KiteCore
import Testing

@testable import KiteOutput

/// Crops, odd sizes, turns, and where the picture lands.
@Suite struct ConversionGeometryTests {
  static let color = ColorDescription(matrix: .bt709, range: .limited)
  static let turned: [PixelFormat] = [.yuv420p, .nv12, .yuv422p10, .yuyv422, .yuv444p12, .rgb24]
  static let orientations = Orientation.Rotation.allCases.flatMap { rotation in
    [false, true].map { Orientation(rotation: rotation, isMirrored: $0) }
  }

  @Test("A crop that begins on odd pixels keeps every pixel's own chroma", arguments: PixelFormat.allCases)
  func cropsOnOddPixels(format: PixelFormat) throws {
    let picture = TestPicture.noise(format, PixelSize(width: 61, height: 75))
    for crop in [
      PixelRect(x: 1, y: 1, width: 40, height: 37), PixelRect(x: 3, y: 2, width: 1, height: 73),
      PixelRect(x: 2, y: 5, width: 59, height: 1), PixelRect(x: 7, y: 9, width: 54, height: 66),
    ] {
      let converted = try convert(picture, crop: crop, to: .bgrx8888)
      let errors = picture.errors(of: converted, color: Self.color(format)) { ($0 + crop.x, $1 + crop.y) }
      #expect(errors.largest <= 4, "\(crop)")
    }
  }

  @Test("Odd and tiny sizes are converted without reading past a plane", arguments: PixelFormat.allCases)
  func convertsOddSizes(format: PixelFormat) throws {
    for (width, height) in [(85, 47), (16, 16), (1, 1), (1, 33), (33, 1), (2, 3)] {
      let picture = TestPicture.noise(format, PixelSize(width: width, height: height))
      for target in [PixelFormat.bgrx8888, .xrgb2101010] {
        let converted = try convert(picture, to: target)
        let errors = picture.errors(of: converted, color: Self.color(format)) { ($0, $1) }
        #expect(errors.largest <= 4, "\(width)×\(height) \(target.rawValue)")
      }
    }
  }

  @Test("853×479, with every row at another alignment", arguments: [PixelFormat.yuv420p, .nv12, .yuv422p10])
  func converts853x479(format: PixelFormat) throws {
    let picture = TestPicture.noise(format, PixelSize(width: 853, height: 479))
    let converted = try convert(picture, to: .bgrx8888)
    #expect(picture.errors(of: converted, color: Self.color(format)) { ($0, $1) }.largest <= 4)
  }

  @Test("8K is converted to its last pixel")
  func converts8K() throws {
    let size = PixelSize(width: 7680, height: 4320)
    let memory = (0..<3).map { GuardedMemory(count: $0 == 0 ? 7680 * 4320 : 3840 * 2160) }
    for plane in memory { plane.bytes.initializeMemory(as: UInt8.self, repeating: 128) }
    memory[0].bytes[7680 * 4320 - 1] = 235
    let planes = memory.enumerated().map {
      VideoPlane(offset: 0, stride: $0 == 0 ? 7680 : 3840, baseAddress: $1.bytes.baseAddress)
    }
    let converted = ConvertedPicture(.bgrx8888, size)
    let source = ConversionSource(format: .yuv420p, codedSize: size, color: Self.color)
    let converter = try FrameConverter(
      source: source, target: ConversionTarget(format: converted.format, size: converted.size))
    try converter.convert(planes: planes, into: converted.bytes, stride: converted.stride)
    #expect(converted.color(7679, 4319) == (255, 255, 255))
    #expect(converted.color(7678, 4319).red < 140)
  }

  @Test("A turn brings every pixel where the orientation says", arguments: turned, orientations)
  func turns(format: PixelFormat, orientation: Orientation) throws {
    let picture = TestPicture.noise(format, PixelSize(width: 83, height: 71))
    let crop = PixelRect(x: 1, y: 1, width: 77, height: 69)
    for target in [PixelFormat.bgrx8888, .xrgb2101010] {
      let converted = try convert(picture, crop: crop, orientation: orientation, to: target)
      let errors = picture.errors(of: converted, color: Self.color(format)) { x, y in
        let upright = Self.origin(of: (x, y), size: crop.size, orientation)
        return (upright.x + crop.x, upright.y + crop.y)
      }
      #expect(errors.largest <= 4)
    }
  }

  /// Where a pixel of the turned picture comes from: mirrored left to right first, then turned clockwise.
  static func origin(of pixel: (x: Int, y: Int), size: PixelSize, _ orientation: Orientation) -> (
    x: Int, y: Int
  ) {
    let (x, y) =
      switch orientation.rotation {
      case .none: (pixel.x, pixel.y)
      case .clockwise90: (pixel.y, size.height - 1 - pixel.x)
      case .half: (size.width - 1 - pixel.x, size.height - 1 - pixel.y)
      case .clockwise270: (size.width - 1 - pixel.y, pixel.x)
      }
    return (orientation.isMirrored ? size.width - 1 - x : x, y)
  }

  @Test(
    "Nothing outside the picture's rectangle is written",
    arguments: [Orientation.upright, Orientation(rotation: .clockwise90)])
  func leavesTheRestAlone(orientation: Orientation) throws {
    let picture = TestPicture.noise(.yuv420p, PixelSize(width: 33, height: 21))
    let source = ConversionSource(
      format: .yuv420p, codedSize: picture.size, orientation: orientation, color: Self.color)
    let (width, height) = (79, 61)
    let rect = PixelRect(x: 11, y: 13, width: source.naturalSize.width, height: source.naturalSize.height)
    let memory = GuardedMemory(count: width * height * 4)
    memory.bytes.initializeMemory(as: UInt8.self, repeating: 0x5A)
    let converter = try FrameConverter(
      source: source, target: ConversionTarget(format: .bgrx8888, size: rect.size))
    try converter.convert(
      planes: picture.planes, into: memory.bytes, stride: width * 4, x: rect.x, y: rect.y)
    for y in 0..<height {
      for x in 0..<width {
        let isInside =
          (rect.x..<rect.x + rect.width).contains(x) && (rect.y..<rect.y + rect.height).contains(y)
        let padding = memory.bytes[(y * width + x) * 4 + 3]
        #expect(padding == (isInside ? 0xFF : 0x5A), "at \(x), \(y)")
      }
    }
  }

  static func color(_ format: PixelFormat) -> ColorDescription {
    format.model == .rgb ? ColorDescription(matrix: .identity, range: .full) : color
  }

  private func convert(
    _ picture: TestPicture, crop: PixelRect? = nil, orientation: Orientation = .upright,
    to target: PixelFormat
  ) throws -> ConvertedPicture {
    let source = ConversionSource(
      format: picture.format, codedSize: picture.size, crop: crop, orientation: orientation,
      color: Self.color(picture.format))
    let converted = ConvertedPicture(target, source.naturalSize)
    let converter = try FrameConverter(
      source: source, target: ConversionTarget(format: converted.format, size: converted.size))
    try converter.convert(planes: picture.planes, into: converted.bytes, stride: converted.stride)
    return converted
  }
}
