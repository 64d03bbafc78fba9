public import Foundation

extension ReferencePicture {
  /// Reads a PNG file.
  public init(png file: URL) throws(TestMediaError) {
    // After the signature comes IHDR: its length, its name, width and height.
    guard let head = FileManager.default.contents(atPath: file.path)?.prefix(24), head.count == 24,
      head.starts(with: [0x89, 0x50, 0x4e, 0x47])
    else { throw .unexpectedOutput("\(file.lastPathComponent) is no PNG file") }
    let number = { (start: Int) in head[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    let (width, height) = (number(16), number(20))
    let data = try Command.run(
      "ffmpeg",
      ["-hide_banner", "-loglevel", "error", "-nostdin", "-i", file.path, "-frames:v", "1", "-f", "rawvideo"]
        + ["-pix_fmt", "bgr0", "-"])
    guard data.count == width * height * 4 else {
      throw .unexpectedOutput(
        "\(file.lastPathComponent) has \(data.count) bytes, not \(width)×\(height) pixels")
    }
    self.init(width: width, height: height, pixels: [UInt8](data))
  }
}
