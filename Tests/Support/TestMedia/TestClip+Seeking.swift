// Long clips with few keyframes, for seeks: 20 s at 25 frames a second, a keyframe every 4 s.
extension TestClip {
  private static func searched(_ name: String, _ codec: [String]) -> TestClip {
    TestClip(
      name,
      .ffmpeg(
        pattern("320x180", "25", seconds: 20) + tone + ["-t", "20", "-pix_fmt", "yuv420p"] + codec
          + ["-c:a", name.hasSuffix("webm") ? "libopus" : "aac", "{out}"]))
  }

  /// H.264 with three B-frames, in MP4.
  public static let searchedH264 = searched("seek_h264.mp4", x264 + ["-g", "100", "-bf", "3"])

  /// The same in an MPEG transport stream: no index.
  public static let searchedTransportStream = TestClip(
    "seek_h264.ts", from: [searchedH264], .ffmpeg(["-i", "{0}", "-c", "copy", "{out}"]))

  /// The same in Matroska, written to a pipe's rules: neither cues nor duration.
  public static let searchedWithoutCues = TestClip(
    "seek_h264.mkv", from: [searchedH264],
    .ffmpeg(["-i", "{0}", "-c", "copy", "-live", "1", "-f", "matroska", "{out}"]))

  /// HEVC in MP4.
  public static let searchedHEVC = searched(
    "seek_hevc.mp4",
    [
      "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
      "log-level=error:pools=2:keyint=100:min-keyint=100:bframes=3", "-tag:v", "hvc1",
    ])

  /// VP9 in WebM.
  public static let searchedVP9 = searched(
    "seek_vp9.webm",
    ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "300k", "-g", "100"])

  /// H.264 with sparse keyframes: one in all of it.
  public static let searchedWithOneKeyframe = searched("seek_sparse.mp4", x264 + ["-g", "1000", "-bf", "2"])
}
