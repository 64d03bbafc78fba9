public import Foundation

/// A picture that the `ffmpeg` command decodes and converts to RGB, slowly and exactly: what a screen ought to show.
public struct ReferencePicture: Sendable {
  /// Pixels across.
  public let width: Int
  /// Pixels down.
  public let height: Int
  /// Rows of B, G, R and an unused byte, without gaps: `DRM_FORMAT_XRGB8888`.
  public let pixels: [UInt8]

  /// What is done to the picture before it is compared.
  public struct Options: Sendable {
    /// Whether the container's rotation is applied.
    public var isRotated = true
    /// Whether pixels are made square, the way the view does: one side only ever grows.
    public var hasSquarePixels = true
    /// The size to scale to; nil leaves it as the rules above have it.
    public var size: (width: Int, height: Int)?

    /// The options of what a view shows: upright, in square pixels, unscaled.
    public init() {}
  }

  /// A picture of `pixels`: `width` × `height` × 4 bytes.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Frame number `index` (from 0, in presentation order) of the file at `url`.
  public static func frame(_ index: Int, of url: URL, options: Options = Options()) throws(TestMediaError)
    -> ReferencePicture
  {
    let facts = try StreamProbe(url)
    var size = (width: facts.width, height: facts.height)
    if options.isRotated && facts.isTransposed { size = (size.height, size.width) }
    if options.hasSquarePixels {
      let aspect = options.isRotated && facts.isTransposed ? 1 / facts.aspect : facts.aspect
      if aspect > 1 { size.width = Int((Double(size.width) * aspect).rounded()) }
      if aspect < 1 { size.height = Int((Double(size.height) / aspect).rounded()) }
    }
    size = options.size ?? size
    let flags = "bicubic+accurate_rnd+full_chroma_int+full_chroma_inp"
    let input = facts.isRGB ? "" : ":in_color_matrix=\(facts.matrix):in_range=\(facts.range)"
    let filter =
      "select=eq(n\\,\(index)),scale=\(size.width):\(size.height):flags=\(flags)\(input):out_range=pc,format=bgr0"
    let rotation = options.isRotated ? "1" : "0"
    let data = try Command.run(
      "ffmpeg",
      [
        "-hide_banner", "-loglevel", "error", "-nostdin", "-autorotate", rotation, "-i", url.path, "-map",
        "0:V:0",
      ]
        + ["-vf", filter, "-fps_mode", "passthrough", "-frames:v", "1", "-f", "rawvideo", "-"])
    guard data.count == size.width * size.height * 4 else {
      throw .unexpectedOutput("\(url.lastPathComponent) has no frame \(index), or its size changes")
    }
    return ReferencePicture(width: size.width, height: size.height, pixels: [UInt8](data))
  }

  /// The frame that is on the screen `seconds` after the start.
  public static func at(seconds: Double, of url: URL, options: Options = Options()) throws(TestMediaError)
    -> ReferencePicture
  {
    let times = try StreamProbe.times(url)
    let index = times.lastIndex { $0 <= seconds + 1e-6 } ?? 0
    return try frame(index, of: url, options: options)
  }

  /// The red, green and blue of a pixel.
  public func rgb(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
    let index = (y * width + x) * 4
    return (pixels[index + 2], pixels[index + 1], pixels[index])
  }

  /// The mean of |difference| over all pixels and the three colours, in levels of 255; infinite if the sizes differ.
  public func meanError(against other: ReferencePicture) -> Double { errors(against: other).mean }

  /// The largest |difference| of any colour of any pixel; 255 if the sizes differ.
  public func maxError(against other: ReferencePicture) -> Int { errors(against: other).max }

  private func errors(against other: ReferencePicture) -> (mean: Double, max: Int) {
    guard width == other.width, height == other.height, pixels.count == other.pixels.count else {
      return (.infinity, 255)
    }
    var sum = 0
    var largest = 0
    pixels.withUnsafeBufferPointer { mine in
      other.pixels.withUnsafeBufferPointer { theirs in
        for index in 0..<mine.count where index & 3 != 3 {
          let difference = abs(Int(mine[index]) - Int(theirs[index]))
          sum += difference
          if difference > largest { largest = difference }
        }
      }
    }
    return (Double(sum) / Double(max(1, width * height * 3)), largest)
  }
}
