// Clips of the common codecs, a second or two long.
extension TestClip {
  /// The moving test picture at a size and a rate.
  static func pattern(_ size: String, _ rate: String, seconds: Double) -> [String] {
    ["-f", "lavfi", "-i", "testsrc2=size=\(size):rate=\(rate):duration=\(seconds)"]
  }

  static let tone = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000"]
  static let x264 = ["-c:v", "libx264", "-preset", "veryfast", "-threads", "2"]
  static let tagged709 = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]

  /// H.264, 8 bits, BT.709 limited, 1920×1080 at 30, with AAC; 3 seconds, a keyframe every second.
  public static let h2641080p30 = TestClip(
    "h264_1080p30.mp4",
    .ffmpeg(
      pattern("1920x1080", "30", seconds: 3) + tone + ["-t", "3", "-pix_fmt", "yuv420p"] + x264
        + ["-crf", "22", "-g", "30"] + tagged709 + ["-c:a", "aac", "-movflags", "+faststart", "{out}"]))

  /// The same at 60 frames a second; 2 seconds.
  public static let h2641080p60 = TestClip(
    "h264_1080p60.mp4",
    .ffmpeg(
      pattern("1920x1080", "60", seconds: 2) + ["-pix_fmt", "yuv420p"] + x264
        + ["-crf", "22", "-g", "60"] + tagged709 + ["-movflags", "+faststart", "{out}"]))

  /// H.264 at 3840×2160, 30 frames a second; 1 second.
  public static let h2642160p30 = TestClip(
    "h264_2160p30.mp4",
    .ffmpeg(
      pattern("3840x2160", "30", seconds: 1) + [
        "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast",
      ]
        + ["-crf", "24"] + tagged709 + ["{out}"]))

  /// H.264 without colour tags at 640×360, three B-frames, with AAC; 2 seconds, a keyframe every half.
  public static let h264360p = TestClip(
    "h264_360p30.mp4",
    .ffmpeg(
      pattern("640x360", "30", seconds: 2) + tone + ["-t", "2", "-pix_fmt", "yuv420p"] + x264
        + ["-crf", "22", "-g", "15", "-bf", "3", "-c:a", "aac", "{out}"]))

  /// `h264360p` in Matroska.
  public static let h264Matroska = TestClip(
    "h264_360p30.mkv", from: [h264360p], .ffmpeg(["-i", "{0}", "-c", "copy", "{out}"]))

  /// `h264360p` in an MPEG transport stream.
  public static let h264TransportStream = TestClip(
    "h264_360p30.ts", from: [h264360p], .ffmpeg(["-i", "{0}", "-c", "copy", "{out}"]))

  /// `h264360p`'s bare bit stream: no timestamps at all.
  public static let h264Elementary = TestClip(
    "h264_360p30.h264", from: [h264360p],
    .ffmpeg(["-i", "{0}", "-map", "0:v", "-c", "copy", "-bsf:v", "h264_mp4toannexb", "-f", "h264", "{out}"]))

  /// HEVC, 10 bits, 640×360.
  public static let hevc10 = TestClip(
    "hevc10_360p24.mp4",
    .ffmpeg(
      pattern("640x360", "24", seconds: 1) + [
        "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast",
      ]
        + ["-x265-params", "log-level=error:pools=2", "-tag:v", "hvc1", "{out}"]))

  /// HEVC, 8 bits, 640×360.
  public static let hevc = TestClip(
    "hevc_360p24.mp4",
    .ffmpeg(
      pattern("640x360", "24", seconds: 1) + [
        "-pix_fmt", "yuv420p", "-c:v", "libx265", "-preset", "ultrafast",
      ]
        + ["-x265-params", "log-level=error:pools=2", "-tag:v", "hvc1", "{out}"]))

  /// VP8, 640×360.
  public static let vp8 = TestClip(
    "vp8_360p30.webm",
    .ffmpeg(
      pattern("640x360", "30", seconds: 1) + [
        "-pix_fmt", "yuv420p", "-c:v", "libvpx", "-deadline", "realtime",
      ]
        + ["-cpu-used", "8", "-b:v", "1M", "{out}"]))

  /// VP9, 640×360.
  public static let vp9 = TestClip(
    "vp9_360p30.webm",
    .ffmpeg(
      pattern("640x360", "30", seconds: 1) + [
        "-pix_fmt", "yuv420p", "-c:v", "libvpx-vp9", "-deadline", "realtime",
      ]
        + ["-cpu-used", "8", "-b:v", "1M", "{out}"]))

  /// VP9 with Opus.
  public static let vp9WithSound = TestClip(
    "vp9_opus.webm", from: [vp9],
    .ffmpeg(["-i", "{0}"] + tone + ["-t", "1", "-c:v", "copy", "-c:a", "libopus", "{out}"]))

  /// AV1, 8 bits, 640×360, in Matroska.
  public static let av1 = TestClip(
    "av1_360p30.mkv",
    .ffmpeg(
      pattern("640x360", "30", seconds: 1) + ["-pix_fmt", "yuv420p", "-c:v", "libsvtav1", "-preset", "12"]
        + ["-crf", "35", "{out}"]))

  /// MPEG-2 with B-frames, 640×360, in an MPEG transport stream.
  public static let mpeg2 = TestClip(
    "mpeg2_360p25.ts",
    .ffmpeg(
      pattern("640x360", "25", seconds: 1) + [
        "-pix_fmt", "yuv420p", "-c:v", "mpeg2video", "-bf", "2", "-q:v", "3",
      ]
        + ["{out}"]))

  /// MPEG-4 part 2, 640×360, in AVI.
  public static let mpeg4 = TestClip(
    "mpeg4_360p25.avi",
    .ffmpeg(
      pattern("640x360", "25", seconds: 1) + ["-pix_fmt", "yuv420p", "-c:v", "mpeg4", "-q:v", "3", "{out}"]))

  /// Motion JPEG, full range, 640×360.
  public static let mjpeg = TestClip(
    "mjpeg_360p25.avi",
    .ffmpeg(
      pattern("640x360", "25", seconds: 1) + ["-pix_fmt", "yuvj420p", "-c:v", "mjpeg", "-q:v", "3", "{out}"]))

  /// Theora, 640×360, in Ogg.
  public static let theora = TestClip(
    "theora_360p25.ogv",
    .ffmpeg(
      pattern("640x360", "25", seconds: 1) + [
        "-pix_fmt", "yuv420p", "-c:v", "libtheora", "-q:v", "7", "{out}",
      ]))

  /// H.264, 4:2:2, 8 bits.
  public static let h264422 = TestClip(
    "h264_422.mp4",
    .ffmpeg(pattern("640x360", "30", seconds: 1) + ["-pix_fmt", "yuv422p"] + x264 + ["-crf", "18", "{out}"]))

  /// H.264, 4:4:4, 8 bits.
  public static let h264444 = TestClip(
    "h264_444.mp4",
    .ffmpeg(pattern("640x360", "30", seconds: 1) + ["-pix_fmt", "yuv444p"] + x264 + ["-crf", "18", "{out}"]))

  /// H.264, 4:2:2, 10 bits.
  public static let h26442210 = TestClip(
    "h264_422_10.mp4",
    .ffmpeg(
      pattern("640x360", "30", seconds: 1) + ["-pix_fmt", "yuv422p10le"] + x264 + ["-crf", "18", "{out}"]))
}
