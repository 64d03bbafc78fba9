// Still colour bars in every colour reading that matters, and pictures in layouts that only FFmpeg knows.
extension TestClip {
  private static func bars(_ name: String, _ size: String, full: Bool, matrix: String, tag: String)
    -> TestClip
  {
    let range = full ? "full" : "limited"
    return TestClip(
      name,
      .ffmpeg(
        ["-f", "lavfi", "-i", "smptebars=size=\(size):rate=10:duration=5"]
          + ["-vf", "format=gbrp,scale=out_color_matrix=\(matrix):out_range=\(range),format=yuv444p"]
          + ["-pix_fmt", full ? "yuvj444p" : "yuv444p"] + x264 + ["-crf", "4"]
          + [
            "-color_range", full ? "pc" : "tv", "-colorspace", tag, "-color_primaries", tag, "-color_trc",
            tag,
          ]
          + ["{out}"]))
  }

  /// Colour bars, BT.601, limited range, 640×480 4:4:4; 5 seconds.
  public static let bars601Limited = bars(
    "bars601_limited.mp4", "640x480", full: false, matrix: "bt601", tag: "smpte170m")
  /// Colour bars, BT.601, full range, 640×480 4:4:4; 5 seconds.
  public static let bars601Full = bars(
    "bars601_full.mp4", "640x480", full: true, matrix: "bt601", tag: "smpte170m")
  /// Colour bars, BT.709, limited range, 1280×720 4:4:4; 5 seconds.
  public static let bars709Limited = bars(
    "bars709_limited.mp4", "1280x720", full: false, matrix: "bt709", tag: "bt709")
  /// Colour bars, BT.709, full range, 1280×720 4:4:4; 5 seconds.
  public static let bars709Full = bars(
    "bars709_full.mp4", "1280x720", full: true, matrix: "bt709", tag: "bt709")

  /// Colour bars, BT.709 limited, 1280×720, 4:2:0 8 bits, H.264: what most files are; 5 seconds.
  public static let bars709 = TestClip(
    "bars709_420.mp4",
    .ffmpeg(
      ["-f", "lavfi", "-i", "smptehdbars=size=1280x720:rate=10:duration=5"]
        + ["-vf", "format=gbrp,scale=out_color_matrix=bt709:out_range=limited,format=yuv420p"] + x264
        + ["-crf", "6", "-color_range", "tv"] + tagged709 + ["{out}"]))

  /// The same in 10 bits, HEVC.
  public static let bars70910 = TestClip(
    "bars709_420_10.mp4",
    .ffmpeg(
      ["-f", "lavfi", "-i", "smptehdbars=size=1280x720:rate=10:duration=5"]
        + ["-vf", "format=gbrp10,scale=out_color_matrix=bt709:out_range=limited,format=yuv420p10le"]
        + ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:pools=2:crf=8"]
        + ["-tag:v", "hvc1", "-color_range", "tv"] + tagged709 + ["{out}"]))

  /// Half a second of 320×240 colour bars in FFmpeg's pixel format `format`, without loss.
  ///
  /// - Parameters:
  ///   - format: FFmpeg's name of a pixel format that `codec` takes.
  ///   - codec: An encoder of FFmpeg's that keeps the format.
  public static func pixels(_ format: String, codec: String = "rawvideo") -> TestClip {
    TestClip(
      "pixels_\(format)_\(codec).\(codec == "gif" ? "gif" : codec == "rawvideo" ? "nut" : "mkv")",
      .ffmpeg(
        [
          "-f", "lavfi", "-i", "smptebars=size=320x240:rate=10:duration=0.5", "-pix_fmt", format, "-c:v",
          codec, "{out}",
        ]))
  }

  /// Raw BGR in AVI, whose rows are stored from the bottom up.
  public static let bottomUp = TestClip(
    "bottom_up.avi",
    .ffmpeg(
      pattern("64x48", "10", seconds: 0.5) + ["-pix_fmt", "bgr24", "-c:v", "rawvideo", "-vf", "vflip"] + [
        "{out}"
      ]))
}
