import Foundation

/// What `ffprobe` says about the first video stream of a file, with the gaps filled by the same conventions as Kite's.
struct StreamProbe {
  let width: Int
  let height: Int
  /// Width of a pixel by its height.
  let aspect: Double
  /// As the scale filter spells it.
  let matrix: String
  /// `tv` or `pc`.
  let range: String
  let isRGB: Bool
  /// Whether the display matrix is a quarter turn.
  let isTransposed: Bool

  init(_ url: URL) throws(TestMediaError) {
    let output = try Command.run(
      "ffprobe",
      ["-loglevel", "error", "-select_streams", "V:0", "-show_streams", "-of", "flat=s=_:h=0", url.path])
    var values: [String: String] = [:]
    for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
      guard let mark = line.firstIndex(of: "=") else { continue }
      let key = line[..<mark].split(separator: "_").dropFirst(2).joined(separator: "_")
      values[key] = line[line.index(after: mark)...].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    }
    guard let width = values["width"].flatMap({ Int($0) }), let height = values["height"].flatMap({ Int($0) })
    else { throw .unexpectedOutput("ffprobe finds no video in \(url.lastPathComponent)") }
    self.width = width
    self.height = height
    let ratio = (values["sample_aspect_ratio"] ?? "1:1").split(separator: ":").compactMap { Double($0) }
    aspect = ratio.count == 2 && ratio[0] > 0 && ratio[1] > 0 ? ratio[0] / ratio[1] : 1
    let format = values["pix_fmt"] ?? ""
    isRGB = ["rgb", "bgr", "gbr", "pal8"].contains { format.contains($0) }
    let isHD = height >= 720 || width >= 1280
    matrix =
      switch values["color_space"] ?? "unknown" {
      case "bt709": "bt709"
      case "smpte170m", "bt470bg": "smpte170m"
      case "bt2020nc", "bt2020c": "bt2020"
      case "smpte240m": "smpte240m"
      case "fcc": "fcc"
      default: isHD ? "bt709" : "smpte170m"
      }
    range = values["color_range"] == "pc" || format.hasPrefix("yuvj") ? "pc" : "tv"
    let turn = values.first { $0.key.hasSuffix("rotation") }.flatMap { Int($0.value) } ?? 0
    isTransposed = abs(turn) % 180 == 90
  }

  /// Presentation times of all frames, in seconds from the start of the container, in order.
  static func times(_ url: URL) throws(TestMediaError) -> [Double] {
    let output = try Command.run(
      "ffprobe",
      ["-loglevel", "error", "-select_streams", "V:0", "-show_entries", "packet=pts_time:format=start_time"]
        + ["-of", "flat=s=_:h=0", url.path])
    var start = 0.0
    var times: [Double] = []
    for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
      let text = line.drop { $0 != "=" }.dropFirst().trimmingCharacters(in: CharacterSet(charactersIn: "\""))
      guard let value = Double(text) else { continue }
      if line.contains("start_time") { start = value } else { times.append(value) }
    }
    return times.map { $0 - start }.sorted()
  }
}
