import Glibc
import KiteCore

extension Orientation {
  /// The orientation that is nearest to a display matrix (ISO/IEC 14496-12 `tkhd`; FFmpeg's `AV_FRAME_DATA_DISPLAYMATRIX`).
  ///
  /// With y downwards a point maps as x' = a·x + c·y, y' = b·x + d·y, where the nine numbers are a b u, c d v, x y w.
  /// Angles that are no quarter turns go to the nearest one; a matrix without area is upright.
  init(displayMatrix matrix: UnsafePointer<Int32>) {
    self.init(a: matrix[0], b: matrix[1], c: matrix[3], d: matrix[4])
  }

  init(a: Int32, b: Int32, c: Int32, d: Int32) {
    let (a, b, c, d) = (Double(a), Double(b), Double(c), Double(d))
    let determinant = a * d - b * c
    guard determinant != 0 else {
      self = .upright
      return
    }
    // Mirroring comes first and leaves the y axis alone: where that axis goes is the turn.
    let degrees = atan2(-c, d) * 180 / .pi
    let quarter = (Int((degrees / 90).rounded()) + 4) % 4
    self.init(rotation: Rotation(rawValue: quarter * 90) ?? .none, isMirrored: determinant < 0)
  }
}
