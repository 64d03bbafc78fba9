import KiteCore

/// How a picture lies in one block of memory, so that the block is a `wl_shm` buffer as it stands.
///
/// The convention of multi-planar `wl_shm` buffers: planes one after another, each as many rows as the *buffer's* height
/// has in that plane, each stride the first one's divided by the plane's subsampling. A decoder also wants its own
/// alignment on every row: twice the largest alignment on the first plane leaves it whole after the division. Devices that
/// scan such memory out want 256 bytes in every plane.
struct PoolLayout: Hashable, Sendable {
  /// Pixels of the buffer, padding included.
  let codedSize: PixelSize
  /// Bytes from row to row, by plane.
  let strides: [Int]
  /// Bytes from the start to each plane.
  let offsets: [Int]
  /// Bytes of the whole, with room for vector code that runs over the end.
  let byteCount: Int

  /// Some vector code reads or writes a little past the last row.
  private static let slack = 64

  /// What AMD's display engines ask of every row, the strictest of the common ones.
  private static let scanoutAlignment = 256

  /// A layout of at least `width` × `height` pixels; nil when it would be larger than any memory.
  init?(format: PixelFormat, width: Int, height: Int, alignment: Int) {
    guard width > 0, height > 0, width <= 1 << 20, height <= 1 << 20 else { return nil }
    let planes = format.planes
    guard let first = planes.first else { return nil }
    // Even in both directions, whatever the chroma.
    let rows = (height + 1) & ~1
    // How many times narrower than the first the narrowest plane is.
    let ratio = planes.map { (first.bytesPerSample << $0.shiftX) / $0.bytesPerSample }.max() ?? 1
    let unit = max(2 * max(16, alignment), Self.scanoutAlignment * max(1, ratio))
    let stride = (first.rowBytes(width: width) + unit - 1) / unit * unit
    let samples = (stride / first.bytesPerSample) << first.shiftX

    var strides: [Int] = []
    var offsets: [Int] = []
    var end = 0
    for plane in planes {
      // rgb24: the stride holds no whole number of pixels, and there is no second plane to derive from it.
      let own = planes.count == 1 ? stride : (samples >> plane.shiftX) * plane.bytesPerSample
      strides.append(own)
      offsets.append(end)
      end += own * plane.rows(height: rows)
    }
    self.codedSize = PixelSize(width: min(samples, (width + 1) & ~1), height: rows)
    self.strides = strides
    self.offsets = offsets
    byteCount = end + Self.slack
  }
}
