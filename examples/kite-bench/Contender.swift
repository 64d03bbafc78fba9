import Glibc

/// A player, and how to have it play one file to its end: on the screen, without sound, without hardware decoding.
struct Contender: Sendable {
  let name: String
  /// What has it print the path of its frames.
  var statistics: [String] = []
  let command: @Sendable (Clip) -> [String]

  /// Kite beside this program.
  static func kite(_ player: String, _ options: String...) -> Contender {
    Contender(name: (["kite-wl"] + options).joined(separator: " "), statistics: ["--stats"]) {
      [player, "--fullscreen"] + options + [$0.path]
    }
  }

  /// mpv's output over `wl_shm`.
  static let mpv = Contender(name: "mpv wlshm") { clip in
    [
      "mpv", "--no-config", "--vo=wlshm", "--no-audio", "--hwdec=no", "--really-quiet", "--fullscreen",
      "--osc=no",
      clip.path,
    ]
  }

  /// GStreamer's waylandsink, in a pipeline of playbin's choice.
  static let gstreamer = Contender(name: "GStreamer waylandsink") { clip in
    [
      "gst-launch-1.0", "-q", "playbin", "uri=file://\(clip.path)", "flags=0x1",
      "video-sink=\"waylandsink fullscreen=true\"",
    ]
  }

  /// Whether the program is there.
  var isInstalled: Bool {
    let program = command(Clip(path: "", width: 0, height: 0, frames: 0, duration: 0))[0]
    if program.contains("/") { return access(program, X_OK) == 0 }
    guard let path = getenv("PATH") else { return false }
    return String(cString: path).split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
  }
}

/// A file to play.
struct Clip: Sendable {
  let path: String
  let width: Int
  let height: Int
  let frames: Int
  /// How long it plays, in nanoseconds.
  let duration: Int64

  /// How many frames are due while the threads are looked at; nil where the film is too short for that.
  var steadyFrames: Int64? {
    let window = SteadyAccount.window
    guard duration > window.upperBound else { return nil }
    return Int64(frames) * Int64(window.count) / duration
  }
}
