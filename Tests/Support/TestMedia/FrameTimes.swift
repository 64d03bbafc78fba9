public import Foundation

/// When the `ffmpeg` command shows the frames of a file.
public enum FrameTimes {
  /// Presentation times in seconds from the start of the container, in order, as decoding gives them.
  public static func of(_ url: URL) throws(TestMediaError) -> [Double] {
    let output = try Command.run(
      "ffprobe",
      ["-loglevel", "error", "-select_streams", "V:0", "-show_entries"]
        + ["frame=best_effort_timestamp_time:format=start_time", "-of", "flat=s=_:h=0", url.path])
    var start = 0.0
    var times: [Double] = []
    for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
      let text = line.drop { $0 != "=" }.dropFirst().trimmingCharacters(in: CharacterSet(charactersIn: "\""))
      guard let value = Double(text) else { continue }
      if line.contains("start_time") { start = value } else { times.append(value) }
    }
    return times.map { $0 - start }
  }
}
