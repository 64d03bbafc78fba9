internal import Glibc

/// What the kernel knows of this process, for tests that something does not grow.
public struct ProcessFacts: Hashable, Sendable {
  /// Open descriptors.
  public let descriptors: Int
  /// Threads of Kite's own, by their names; those of the runtime come and go as it likes.
  public let threads: Int
  /// Private memory in use, in bytes: without the pages of files and shared memory.
  public let memory: Int

  /// The facts now.
  public static var now: ProcessFacts {
    ProcessFacts(
      descriptors: count("/proc/self/fd") - 1, threads: ownThreads(),
      memory: statusField("RssAnon:") * 1024)
  }

  /// Whether this is the address sanitizer's build, which keeps freed memory for a while: there memory tells nothing.
  public static var keepsFreedMemory: Bool { dlsym(nil, "__asan_init") != nil }

  /// What the open descriptors are, and how many of each, for a test that finds too many.
  public static var openFiles: [String: Int] {
    var files: [String: Int] = [:]
    for number in 0..<4096 {
      var buffer = [CChar](repeating: 0, count: 256)
      guard readlink("/proc/self/fd/\(number)", &buffer, 255) > 0 else { continue }
      let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      // Sockets and pipes have a number each.
      files[String(name.prefix { $0 != "[" }), default: 0] += 1
    }
    return files
  }

  /// Threads that present frames: those of the view's tests, which run one after the other.
  public static var presenterThreads: Int { ownThreads(prefix: "kite-present") }

  private static func ownThreads(prefix: String = "kite-") -> Int {
    guard let stream = opendir("/proc/self/task") else { return 0 }
    defer { closedir(stream) }
    var count = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if firstLine("/proc/self/task/\(name)/comm").hasPrefix(prefix) { count += 1 }
    }
    return count
  }

  private static func firstLine(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, Int32(line.count), file) != nil else { return "" }
    return String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func count(_ directory: String) -> Int {
    guard let stream = opendir(directory) else { return 0 }
    defer { closedir(stream) }
    var count = 0
    while let entry = readdir(stream) {
      if entry.pointee.d_name.0 != UInt8(ascii: ".") { count += 1 }
    }
    return count
  }

  /// A field of /proc/self/status, in kilobytes.
  private static func statusField(_ name: String) -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix(name) else { continue }
      return Int(text.dropFirst(name.count).filter(\.isNumber)) ?? 0
    }
    return 0
  }
}
