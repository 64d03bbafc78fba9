import KiteCore

extension MediaOrigin {
  /// Where FFmpeg finds it; nil: only we have it.
  var address: MediaAddress? {
    if case .location(let location) = self { return MediaAddress(location.text) }
    return nil
  }
}
