// Small clips of many formats, to be damaged.
extension TestClip {
  /// Ten containers with as many pairs of codecs; a second of 96×64 each.
  public static let fuzzed = [
    small("mp4", ["libx264", "-g", "8", "-bf", "2"], ["aac"], ["-movflags", "+faststart"]),
    small("mkv", ["libx265", "-preset", "ultrafast", "-x265-params", "log-level=error"], ["flac"]),
    small("ts", ["mpeg2video", "-bf", "2"], ["mp2"]),
    small("webm", ["libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"], ["libopus"]),
    small("avi", ["mpeg4", "-g", "8"], ["libmp3lame"]),
    small("ogv", ["libtheora"], ["libvorbis"]),
    small("flv", ["flv"], ["libmp3lame", "-ar", "44100"]),
    small("mov", ["mjpeg", "-pix_fmt", "yuvj420p"], ["pcm_s16le"]),
    small("mpg", ["mpeg1video"], ["mp2"]),
    small("gif", ["gif", "-pix_fmt", "rgb8"], nil),
  ]

  private static func small(
    _ container: String, _ video: [String], _ sound: [String]?, _ options: [String] = []
  ) -> TestClip {
    let tone = sound == nil ? [] : ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000"]
    let audio = sound.map { ["-c:a"] + $0 } ?? []
    let input = ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=1"] + tone + ["-t", "1"]
    // Before what the codec itself says of it.
    let format = video.contains("-pix_fmt") ? [] : ["-pix_fmt", "yuv420p"]
    return TestClip(
      "fuzz.\(container)", .ffmpeg(input + format + ["-c:v"] + video + audio + options + ["{out}"]))
  }
}
