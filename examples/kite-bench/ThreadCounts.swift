import Glibc

/// How often the kernel has woken the threads of this process: their voluntary switches, by the names of the threads.
struct ThreadCounts {
  private var counts: [String: Int] = [:]

  /// FFmpeg's own, as KiteFFmpeg names them.
  private static let decoding = "kite-codec"

  /// What has been counted so far.
  static func now() -> ThreadCounts {
    var result = ThreadCounts()
    for task in Kernel.entries(of: "/proc/self/task") {
      let folder = "/proc/self/task/\(task)"
      let name = Kernel.text(of: "\(folder)/comm").filter { $0 != "\n" }
      result.counts[name, default: 0] += Kernel.field("voluntary_ctxt_switches:", of: "\(folder)/status")
    }
    return result
  }

  static func - (later: ThreadCounts, earlier: ThreadCounts) -> ThreadCounts {
    var result = later
    for (name, count) in earlier.counts { result.counts[name, default: 0] -= count }
    return result
  }

  /// All, all but the decoder's own, and the largest ones, each for one of `frames`.
  func description(frames: Int) -> String {
    func share(_ count: Int) -> String { PacingRun.decimals(Double(count) / Double(frames), 2) }
    let own = counts[Self.decoding] ?? 0
    let all = counts.values.reduce(0, +)
    let parts = counts.filter { $0.value * 50 > frames }.sorted { $0.value > $1.value }
    return "\(share(all - own)), with FFmpeg's threads \(share(all)) ("
      + parts.map { "\($0.key) \(share($0.value))" }.joined(separator: ", ") + ")"
  }
}

/// What the kernel says in `/proc`.
enum Kernel {
  /// The names in a folder.
  static func entries(of folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// A file's text, up to 8 KB of it.
  static func text(of path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// The number that follows `name` at the begin of a line; 0 where there is none.
  static func field(_ name: String, of path: String) -> Int {
    for line in text(of: path).split(separator: "\n") where line.hasPrefix(name) {
      return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
    return 0
  }
}
