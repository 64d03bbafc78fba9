public import Foundation
import Synchronization

/// MD5 of every frame as the `ffmpeg` command decodes it, without scaling, turning or dropping.
public enum FrameHashes {
  /// What was asked before: many tests want the same file's.
  private static let known = Mutex<[[String]: [String]]>([:])

  /// The hashes in presentation order, as 32 hexadecimal digits: over the planes' visible rows, one after another.
  ///
  /// - Parameters:
  ///   - format: FFmpeg's name of the pixel format to convert to; nil keeps the decoder's.
  ///   - filter: A filter of FFmpeg's for the pictures, such as `extractplanes=y`.
  ///   - isRotated: Whether the file's own orientation is applied.
  public static func of(
    _ url: URL, format: String? = nil, filter: String? = nil, isRotated: Bool = false
  ) throws(TestMediaError) -> [String] {
    let question = [url.path, format ?? "", filter ?? "", "\(isRotated)"]
    if let answer = known.withLock({ $0[question] }) { return answer }
    let conversion =
      format.map { ["-pix_fmt", $0, "-sws_flags", "bicubic+accurate_rnd+full_chroma_int"] } ?? []
    let output = try Command.run(
      "ffmpeg",
      [
        "-hide_banner", "-loglevel", "error", "-nostdin", "-autorotate", isRotated ? "1" : "0", "-i",
        url.path, "-map", "0:V:0",
      ]
        + ["-fps_mode", "passthrough"] + conversion + (filter.map { ["-vf", $0] } ?? []) + [
          "-f", "framemd5", "-",
        ])
    let hashes: [String] = String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { line in
      guard !line.hasPrefix("#"), let last = line.split(separator: ",").last else { return nil }
      return last.trimmingCharacters(in: .whitespaces)
    }
    known.withLock { $0[question] = hashes }
    return hashes
  }
}
