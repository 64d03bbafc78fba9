import KiteCore

/// How a compositor reads YUV memory that says nothing about its colours.
///
/// `wl_shm` names a layout, not a matrix or a range. Without `color-representation-v1` the reading is the compositor's
/// own, and differs: measured with a BT.709 red in NV12, Weston 10 and 14 show #E90002 (BT.601), Mutter 48 #FF0100
/// (BT.709). One that isn't known is not trusted with any.
struct YUVReading: Hashable, Sendable {
  private let matrices: Set<ColorDescription.Matrix>

  /// Weston's GL renderer: BT.601, limited, whatever the stream says.
  static let bt601 = YUVReading(matrices: [.smpte170m, .bt470bg])
  /// Mutter without color-representation: BT.709, limited.
  static let bt709 = YUVReading(matrices: [.bt709])
  /// Not known.
  static let unknown = YUVReading(matrices: [])

  /// What the compositor's globals give away of it.
  init(globals: some Sequence<String>) {
    for name in globals {
      if name.hasPrefix("weston_") {
        self = .bt601
        return
      }
      if name == "gtk_shell1" {
        self = .bt709
        return
      }
    }
    self = .unknown
  }

  private init(matrices: Set<ColorDescription.Matrix>) { self.matrices = matrices }

  /// Whether a frame of these colours comes out right.
  func isRight(for color: ColorDescription) -> Bool {
    color.range == .limited && matrices.contains(color.matrix)
  }
}
