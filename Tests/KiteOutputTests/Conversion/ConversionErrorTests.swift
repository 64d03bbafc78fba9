import ConversionReference
import KiteCore
import Testing

@testable import KiteOutput

/// What can't be converted is refused by a typed error, never by a crash.
@Suite struct ConversionErrorTests {
  static let size = PixelSize(width: 32, height: 16)

  @Test(
    "A matrix that no library reads is refused",
    arguments: [ColorDescription.Matrix.ycgco, .bt2020ConstantLuminance, .ictcp, .init(rawValue: 200)])
  func refusesMatrices(matrix: ColorDescription.Matrix) {
    #expect(throws: ConversionError.unsupportedMatrix(matrix, .yuv420p)) {
      try make(color: ColorDescription(matrix: matrix))
    }
  }

  @Test("Gray has no matrix to refuse")
  func ignoresTheMatrixOfGray() throws {
    _ = try make(.gray8, color: ColorDescription(matrix: .ycgco))
  }

  @Test("Only the two formats of the screen are written")
  func refusesTargets() {
    #expect(throws: ConversionError.unsupportedTarget(.nv12)) { try make(target: .nv12) }
  }

  @Test(
    "Sizes and crops that no picture has are refused",
    arguments: [
      PixelRect(x: 0, y: 0, width: 0, height: 16), PixelRect(x: -1, y: 0, width: 8, height: 8),
      PixelRect(x: 25, y: 0, width: 8, height: 8), PixelRect(x: 0, y: 9, width: 8, height: 8),
      PixelRect(x: .max, y: 0, width: 8, height: 8), PixelRect(x: 0, y: 0, width: .max, height: .max),
    ])
  func refusesCrops(crop: PixelRect) {
    #expect(throws: ConversionError.badGeometry(codedSize: Self.size, crop: crop, target: Self.size)) {
      try make(crop: crop)
    }
  }

  @Test("A plane that is missing, not mapped or too narrow is refused, and named")
  func refusesPlanes() throws {
    let picture = TestPicture.noise(.yuv420p, Self.size)
    let converted = ConvertedPicture(.bgrx8888, Self.size)
    let converter = try make()
    func attempt(_ planes: [VideoPlane]) throws {
      try converter.convert(planes: planes, into: converted.bytes, stride: converted.stride)
    }
    let good = picture.planes
    #expect(throws: ConversionError.badPlane(index: 2, of: .yuv420p)) { try attempt([good[0], good[1]]) }
    #expect(throws: ConversionError.badPlane(index: 1, of: .yuv420p)) {
      try attempt([good[0], VideoPlane(offset: 0, stride: 16, baseAddress: nil), good[2]])
    }
    #expect(throws: ConversionError.badPlane(index: 0, of: .yuv420p)) {
      try attempt([VideoPlane(offset: 0, stride: 31, baseAddress: good[0].baseAddress), good[1], good[2]])
    }
    try attempt(good)
  }

  @Test("A picture that does not fit its buffer is refused, and says what it needs")
  func refusesSmallBuffers() throws {
    let picture = TestPicture.noise(.yuv420p, Self.size)
    let converted = ConvertedPicture(.bgrx8888, Self.size)
    let converter = try make()
    func attempt(stride: Int, x: Int = 0, y: Int = 0) throws {
      try converter.convert(planes: picture.planes, into: converted.bytes, stride: stride, x: x, y: y)
    }
    #expect(throws: ConversionError.bufferTooSmall(bytes: 2048, needed: 2176)) {
      try attempt(stride: 128, y: 1)
    }
    #expect(throws: ConversionError.self) { try attempt(stride: 128, x: 1) }
    #expect(throws: ConversionError.self) { try attempt(stride: 127) }
    #expect(throws: ConversionError.self) { try attempt(stride: 128, x: -1) }
    #expect(throws: ConversionError.self) { try attempt(stride: .max, y: 3) }
    #expect(throws: ConversionError.self) { try attempt(stride: 128, x: .max, y: .max) }
  }

  @discardableResult
  private func make(
    _ format: PixelFormat = .yuv420p, crop: PixelRect? = nil,
    color: ColorDescription = ColorDescription(matrix: .bt709, range: .limited),
    target: PixelFormat = .bgrx8888
  ) throws -> FrameConverter {
    try FrameConverter(
      source: ConversionSource(format: format, codedSize: Self.size, crop: crop, color: color),
      target: ConversionTarget(format: target, size: Self.size))
  }
}
