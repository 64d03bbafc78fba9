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

  /// The same as the manifest of MPEG-DASH; `dashFiles` lie beside it. Of one file in parts of it (`-single_file`) FFmpeg's
  /// own demuxer can't read what its muxer writes.
  public static let dash = TestClip(
    "film.mpd", from: [served],
    .ffmpeg([
      "-i", "{0}", "-c", "copy", "-f", "dash", "-seg_duration", "1", "{out}",
    ]))
  /// What the manifest names.
  public static let dashFiles = [
    "init-stream0.m4s", "chunk-stream0-00001.m4s", "chunk-stream0-00002.m4s", "chunk-stream0-00003.m4s",
  ]

  /// The pictures of `served` as a camera codes them: a bare stream in the order in which they are shown.
  public static let camera = TestClip(
    "camera.h264", from: [served],
    .ffmpeg(["-i", "{0}", "-c:v", "libx264", "-preset", "veryfast", "-bf", "0", "-g", "25", "{out}"]))
}
