import Foundation

/// What a compositor's output showed, as counts of colours (0xRRGGBB).
struct Screenshot {
  let counts: [UInt32: Int]

  /// Reads a PNG with ffmpeg.
  init(_ path: String) throws {
    let raw = try Program.run([
      "ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
    ])
    var counts: [UInt32: Int] = [:]
    let bytes = [UInt8](raw.output)
    for index in stride(from: 0, to: bytes.count - 2, by: 3) {
      let color = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
      counts[color, default: 0] += 1
    }
    self.counts = counts
  }
}
