/// The files of the command line, one after the other.
struct Playlist {
  private let files: [String]
  private var index = -1

  /// A list that stands before its first file.
  init(_ files: [String]) { self.files = files }

  /// Goes on to the next file; nil behind the last one.
  mutating func next() -> String? {
    guard index + 1 < files.count else { return nil }
    index += 1
    return files[index]
  }

  /// The current file's name without its folders, for the window's title.
  var title: String {
    guard files.indices.contains(index) else { return "Kite" }
    return files[index].split(separator: "/").last.map(String.init) ?? files[index]
  }
}
