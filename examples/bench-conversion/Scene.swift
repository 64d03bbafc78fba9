import ConversionReference
import Glibc
import KiteCore

/// A picture given as a function, so that it exists at every size: rings of all frequencies in changing colours, and
/// hard edges. A pixel is the mean over its area.
struct Scene {
  /// The colour at a point of the unit square.
  private static func color(_ u: Double, _ v: Double) -> (Double, Double, Double) {
    let distance = (u - 0.5) * (u - 0.5) + (v - 0.5) * (v - 0.5)
    let rings = 0.5 + 0.5 * cos(distance * 900)
    if abs(u + v * 0.4 - 0.35) < 0.03 { return (0.9, 0.15, 0.1) }
    if (u - 0.8) * (u - 0.8) + (v - 0.25) * (v - 0.25) < 0.01 { return (0.1, 0.3, 0.95) }
    return (0.2 + 0.7 * rings, 0.25 + 0.6 * rings * v, 0.8 - 0.6 * rings * u)
  }

  /// The mean over a rectangle of the unit square, of 16 points.
  private static func mean(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> [Double] {
    var sum = [0.0, 0.0, 0.0]
    for row in 0..<4 {
      for column in 0..<4 {
        let (r, g, b) = color(x + (Double(column) + 0.5) / 4 * width, y + (Double(row) + 0.5) / 4 * height)
        sum[0] += r
        sum[1] += g
        sum[2] += b
      }
    }
    return sum.map { $0 / 16 }
  }

  /// RGB of every pixel at `size`, row by row.
  static func render(_ size: PixelSize) -> [[Double]] {
    let (w, h) = (Double(size.width), Double(size.height))
    return (0..<size.width * size.height).map { index in
      mean(Double(index % size.width) / w, Double(index / size.width) / h, 1 / w, 1 / h)
    }
  }

  /// As a frame of `format`; chroma samples that two or four pixels share sit left, as in H.264.
  static func frame(_ format: PixelFormat, _ size: PixelSize, color: ColorDescription) -> BenchPicture {
    let codes = YUVCodes(format: format, color: color)
    let pixels = render(size).map { codes.codes($0) }
    let (w, h) = (size.width, size.height)
    return BenchPicture(
      TestPicture(format, size) { x, y in
        let own = pixels[y * w + x]
        var sum = (0, 0)
        for (dx, weight) in [(-1, 1), (0, 2), (1, 1)] {
          for dy in 0...1 {
            let other = pixels[min(y + dy, h - 1) * w + min(max(x + dx, 0), w - 1)]
            sum = (sum.0 + other.1 * weight, sum.1 + other.2 * weight)
          }
        }
        return format.chromaShift == (1, 1) ? (own.0, (sum.0 + 4) / 8, (sum.1 + 4) / 8) : own
      })
  }
}
