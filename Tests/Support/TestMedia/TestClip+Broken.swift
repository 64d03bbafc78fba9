public import Foundation

// Files that are damaged, hostile, or no media at all.
extension TestClip {
  /// The first third of a file whose index is at the front.
  public static let truncated = TestClip(
    "truncated.mp4", from: [h2641080p30],
    .bytes(label: "first third") { $0[0].prefix($0[0].count / 3) })

  /// The first third of a file whose index is at the end, and so lost.
  public static let truncatedWithoutIndex = TestClip(
    "truncated_no_index.mp4", from: [h264360p],
    .bytes(label: "first third") { $0[0].prefix($0[0].count / 3) })

  /// 400 bytes of a Matroska file are other ones.
  public static let corrupt = TestClip(
    "corrupt.mkv", from: [longMatroska],
    .bytes(label: "400 flips from 20000") { sources in
      var bytes = [UInt8](sources[0])
      let random = Patch.random(seed: 7)
      for _ in 0..<400 {
        let index = 20000 + Int(random() % UInt64(bytes.count - 20000))
        bytes[index] = UInt8(truncatingIfNeeded: random())
      }
      return Data(bytes)
    })

  private static let longMatroska = TestClip(
    "long.mkv", from: [h2641080p30], .ffmpeg(["-i", "{0}", "-c", "copy", "{out}"]))

  /// Nothing.
  public static let empty = TestClip("empty.mp4", .bytes(label: "empty") { _ in Data() })

  /// 200,000 bytes without meaning.
  public static func noise(seed: UInt64 = 3) -> TestClip {
    TestClip(
      "noise\(seed).mp4",
      .bytes(label: "noise \(seed)") { _ in
        let random = Patch.random(seed: seed)
        return Data((0..<200_000).map { _ in UInt8(truncatingIfNeeded: random()) })
      })
  }

  /// Prose under the name of a film.
  public static let prose = TestClip(
    "prose.mp4",
    .bytes(label: "prose") { _ in
      Data(String(repeating: "This is a letter to a friend, and not a film at all.\n", count: 2000).utf8)
    })

  /// An MP4 file whose track claims 65535×65535 pixels.
  public static let absurdSize = TestClip(
    "65535x65535.mp4", from: [h264360p],
    .bytes(label: "avc1 size") { sources in
      var bytes = [UInt8](sources[0])
      // VisualSampleEntry: width and height 24 bytes after the end of its name.
      guard let tag = sources[0].range(of: Data("avc1".utf8), in: markerRange(sources[0]))?.lowerBound,
        tag + 32 <= bytes.count
      else { return sources[0] }
      for index in (tag + 28)..<(tag + 32) { bytes[index] = 0xff }
      return Data(bytes)
    })

  /// Where the sample descriptions are: the brand at the file's start has the same four letters.
  private static func markerRange(_ file: Data) -> Range<Data.Index> {
    (file.range(of: Data("stsd".utf8))?.lowerBound ?? file.startIndex)..<file.endIndex
  }

  /// A PNG whose header claims 60000×60000 pixels.
  public static let absurdPicture = TestClip(
    "60000x60000.png", from: [smallPicture],
    .bytes(label: "IHDR size") { sources in
      var bytes = [UInt8](sources[0])
      guard bytes.count > 33 else { return sources[0] }
      for start in [16, 20] { bytes.replaceSubrange(start..<start + 4, with: [0, 0, 0xea, 0x60]) }
      // FFmpeg checks no CRC here.
      return Data(bytes)
    })

  private static let smallPicture = TestClip(
    "small.png", .ffmpeg(pattern("64x64", "1", seconds: 1) + ["-frames:v", "1", "{out}"]))
}

/// Things of the file system that are no files with bytes in them, each in a folder of its own that ends with the object.
public final class TestPlace: Sendable {
  /// The folder.
  public let folder: URL

  /// A fresh folder under the system's temporary one.
  public init() throws(TestMediaError) {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("kite-place-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw .file(path: folder.path, reason: "\(error)")
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The path of a FIFO, made at the call.
  public func fifo(_ name: String = "fifo.mp4") throws(TestMediaError) -> String {
    let path = folder.appendingPathComponent(name).path
    guard mkfifo(path, 0o600) == 0 else { throw .file(path: path, reason: String(cString: strerror(errno))) }
    return path
  }

  /// The path of a copy of `clip` under another name, such as `a:b.mp4`.
  public func copy(of clip: TestClip, named name: String) throws(TestMediaError) -> String {
    let path = folder.appendingPathComponent(name).path
    do {
      try FileManager.default.copyItem(atPath: try clip.url().path, toPath: path)
    } catch let error as TestMediaError {
      throw error
    } catch {
      throw .file(path: path, reason: "\(error)")
    }
    return path
  }

  /// A copy of `clip` that nobody may read. Root may all the same.
  public func forbidden(_ clip: TestClip) throws(TestMediaError) -> String {
    let path = try copy(of: clip, named: "forbidden.mp4")
    guard chmod(path, 0) == 0 else { throw .file(path: path, reason: String(cString: strerror(errno))) }
    return path
  }
}
