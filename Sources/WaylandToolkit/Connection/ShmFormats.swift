/// How `wl_shm` numbers its formats, and DRM's fourccs.
enum ShmFormats {
  /// `DRM_FORMAT_ARGB8888`.
  static let argb8888: UInt32 = 0x3432_5241
  /// `DRM_FORMAT_XRGB8888`.
  static let xrgb8888: UInt32 = 0x3432_5258

  /// The fourcc of a `wl_shm.format`: the two that every compositor takes are 0 and 1, all others are the
  /// fourcc.
  static func fourcc(_ wire: UInt32) -> UInt32 {
    switch wire {
    case 0: argb8888
    case 1: xrgb8888
    default: wire
    }
  }

  /// The `wl_shm.format` of a fourcc.
  static func wire(_ fourcc: UInt32) -> UInt32 {
    switch fourcc {
    case argb8888: 0
    case xrgb8888: 1
    default: fourcc
    }
  }
}
