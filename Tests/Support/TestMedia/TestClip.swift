public import Foundation

/// A media file that the `ffmpeg` command makes when a test first asks for it.
///
/// Files are kept in `$KITE_TEST_CLIPS`, or in `kite-test-clips` under the system's temporary folder, under a name made of
/// their recipe: a changed recipe makes a new file. Two processes that ask at once make it once.
///
/// ```swift
/// let url = try TestClip.h2641080p30.url()
/// ```
public struct TestClip: Sendable, CustomStringConvertible {
  /// The file's name, such as `h264_1080p30.mp4`.
  public let fileName: String
  let sources: [TestClip]
  let step: Step

  /// How the file comes about.
  enum Step: Sendable {
    /// Arguments of `ffmpeg`; `{out}` is the file, `{0}`, `{1}`… the sources.
    case ffmpeg([String])
    /// Bytes made of the sources' bytes. The label stands for the closure in the file's key.
    case bytes(label: String, @Sendable ([Data]) -> Data)
  }

  public var description: String { fileName }

  init(_ fileName: String, from sources: [TestClip] = [], _ step: Step) {
    self.fileName = fileName
    self.sources = sources
    self.step = step
  }

  /// The folder of all clips.
  public static var folder: URL {
    if let path = ProcessInfo.processInfo.environment["KITE_TEST_CLIPS"], !path.isEmpty {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    return FileManager.default.temporaryDirectory.appendingPathComponent("kite-test-clips", isDirectory: true)
  }

  /// The file, made if it isn't there yet. Blocks.
  public func url() throws(TestMediaError) -> URL {
    let folder = Self.folder.appendingPathComponent(key, isDirectory: true)
    let file = folder.appendingPathComponent(fileName)
    if FileManager.default.fileExists(atPath: file.path) { return file }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw .file(path: folder.path, reason: "\(error)")
    }
    let lock = try FileLock(path: folder.path + "/lock")
    defer { lock.unlock() }
    if FileManager.default.fileExists(atPath: file.path) { return file }
    try make(file, in: folder)
    return file
  }

  /// The file's path, for what takes paths.
  public func path() throws(TestMediaError) -> String { try url().path }

  private func make(_ file: URL, in folder: URL) throws(TestMediaError) {
    var inputs: [URL] = []
    for source in sources { inputs.append(try source.url()) }
    // The extension tells ffmpeg the container.
    let part = folder.appendingPathComponent("part-\(getpid())-\(fileName)")
    defer { try? FileManager.default.removeItem(at: part) }
    switch step {
    case .ffmpeg(let arguments):
      let filled = arguments.map { argument in
        var text = argument.replacingOccurrences(of: "{out}", with: part.path)
        for (index, input) in inputs.enumerated() {
          text = text.replacingOccurrences(of: "{\(index)}", with: input.path)
        }
        return text
      }
      try Command.run("ffmpeg", ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"] + filled)
    case .bytes(_, let transform):
      var contents: [Data] = []
      for input in inputs {
        guard let data = FileManager.default.contents(atPath: input.path) else {
          throw .file(path: input.path, reason: "can't be read")
        }
        contents.append(data)
      }
      guard FileManager.default.createFile(atPath: part.path, contents: transform(contents)) else {
        throw .file(path: part.path, reason: "can't be written")
      }
    }
    guard rename(part.path, file.path) == 0 else {
      throw .file(path: file.path, reason: String(cString: strerror(errno)))
    }
  }

  /// The whole recipe as text.
  private var recipe: String {
    let own =
      switch step {
      case .ffmpeg(let arguments): arguments.joined(separator: "\u{1f}")
      case .bytes(let label, _): "bytes \(label)"
      }
    return ([fileName, own] + sources.map(\.recipe)).joined(separator: "\u{1e}")
  }

  /// The recipe's FNV-1a hash.
  private var key: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in recipe.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}

/// A lock between processes, and between threads of one, that ends with the process.
struct FileLock {
  private let descriptor: Int32

  init(path: String) throws(TestMediaError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .file(path: path, reason: String(cString: strerror(errno))) }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  func unlock() { close(descriptor) }
}
