public import Foundation

/// MD5 of every frame as the `ffmpeg` command decodes it, without scaling, turning or dropping.
public enum FrameHashes {
  /// The hashes in presentation order, as 32 hexadecimal digits: over the planes' visible rows, one after another.
  ///
  /// - Parameter format: FFmpeg's name of the pixel format to convert to; nil keeps the decoder's.
  public static func of(_ url: URL, format: String? = nil) throws(TestMediaError) -> [String] {
    let conversion =
      format.map { ["-pix_fmt", $0, "-sws_flags", "bicubic+accurate_rnd+full_chroma_int"] } ?? []
    let output = try Command.run(
      "ffmpeg",
      ["-hide_banner", "-loglevel", "error", "-nostdin", "-autorotate", "0", "-i", url.path, "-map", "0:V:0"]
        + ["-vsync", "passthrough"] + conversion + ["-f", "framemd5", "-"])
    return String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { line in
      guard !line.hasPrefix("#"), let last = line.split(separator: ",").last else { return nil }
      return last.trimmingCharacters(in: .whitespaces)
    }
  }
}
