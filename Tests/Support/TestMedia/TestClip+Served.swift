// Clips for servers.
extension TestClip {
  /// A film for a server: 3 s at 25 pictures a second in Matroska, about 60 kB a second, its index at the end.
  public static let served = TestClip(
    "served.mkv",
    .ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=3", "-pix_fmt", "yuv420p", "-c:v",
      "libx264", "-preset", "veryfast", "-threads", "2", "-b:v", "480k", "-minrate", "480k", "-maxrate",
      "480k", "-bufsize", "240k", "-x264-params", "nal-hrd=cbr", "-g", "25", "{out}",
    ]))
  /// The same in an MP4 whose index comes first.
  public static let servedMP4 = TestClip(
    "served.mp4", from: [served], .ffmpeg(["-i", "{0}", "-c", "copy", "-movflags", "+faststart", "{out}"]))
  /// The same in an MP4 whose index comes last.
  public static let servedIndexLast = TestClip(
    "served_last.mp4", from: [served], .ffmpeg(["-i", "{0}", "-c", "copy", "{out}"]))
  /// The same as one transport stream.
  public static let servedTS = TestClip(
    "served.ts", from: [served], .ffmpeg(["-i", "{0}", "-c", "copy", "{out}"]))
}
