import KiteCore

/// What a source is opened from.
enum SourceOrigin {
  case location(MediaLocation)
  case bytes(any ByteSource, name: String)

  /// What errors are about.
  var name: String {
    switch self {
    case .location(let location): location.text
    case .bytes(_, let name): name
    }
  }

  /// Where FFmpeg finds it; nil: only we have it.
  var address: MediaAddress? {
    if case .location(let location) = self { return MediaAddress(location.text) }
    return nil
  }
}
