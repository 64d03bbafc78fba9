import ConversionReference
import Foundation
import KiteCore
import Testing

@testable import KiteOutput

/// Turns as another program does them: a turn the wrong way is the classic mistake.
@Suite struct ConversionTurnTests {
  private static let ffmpeg = URL(filePath: "/usr/bin/ffmpeg")
  private static let isInstalled = FileManager.default.isExecutableFile(atPath: ffmpeg.path)

  /// The same orientation in FFmpeg's words.
  private static let filters: [(Orientation, String)] = [
    (Orientation(rotation: .none, isMirrored: true), "hflip"),
    (Orientation(rotation: .clockwise90), "transpose=clock"),
    (Orientation(rotation: .clockwise90, isMirrored: true), "hflip,transpose=clock"),
    (Orientation(rotation: .half), "hflip,vflip"),
    (Orientation(rotation: .half, isMirrored: true), "vflip"),
    (Orientation(rotation: .clockwise270), "transpose=cclock"),
    (Orientation(rotation: .clockwise270, isMirrored: true), "hflip,transpose=cclock"),
  ]

  @Test(
    "Turned pictures are those of ffmpeg's transpose and flips",
    .enabled(if: isInstalled, "/usr/bin/ffmpeg is not installed"), arguments: filters.indices)
  func turnsLikeFFmpeg(index: Int) throws {
    let (orientation, filter) = Self.filters[index]
    let picture = TestPicture.noise(.rgb24, PixelSize(width: 75, height: 49))
    let source = ConversionSource(
      format: .rgb24, codedSize: picture.size, orientation: orientation,
      color: ConversionGeometryTests.color(.rgb24))
    let converted = ConvertedPicture(.bgrx8888, source.naturalSize)
    let converter = try FrameConverter(
      source: source, target: ConversionTarget(format: .bgrx8888, size: converted.size))
    try converter.convert(planes: picture.planes, into: converted.bytes, stride: converted.stride)
    let expected = try Self.run(filter, on: picture)
    #expect(expected.count == converted.bytes.count)
    #expect(expected.elementsEqual(converted.bytes), "\(filter)")
  }

  /// What ffmpeg makes of the picture, as B, G, R, 0xFF.
  private static func run(_ filter: String, on picture: TestPicture) throws -> Data {
    let folder = FileManager.default.temporaryDirectory.appending(path: "kite-turn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let input = folder.appending(path: "in.rgb")
    let output = folder.appending(path: "out.bgra")
    let base = try #require(picture.planes[0].baseAddress)
    try Data(bytes: base, count: picture.size.width * picture.size.height * 3).write(to: input)
    let process = Process()
    process.executableURL = ffmpeg
    process.arguments = [
      "-loglevel", "error", "-nostdin", "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size",
      "\(picture.size.width)x\(picture.size.height)", "-i", input.path, "-vf", filter, "-f", "rawvideo",
      "-pix_fmt", "bgra", output.path,
    ]
    try process.run()
    process.waitUntilExit()
    return try Data(contentsOf: output)
  }
}
