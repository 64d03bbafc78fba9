import Foundation

// Clips that are right, but not what a player meets every day.
extension TestClip {
  /// H.264 4:4:4, 853×479.
  public static let odd444 = TestClip(
    "odd_853x479.mkv",
    .ffmpeg(
      pattern("1280x720", "30", seconds: 1) + ["-vf", "format=yuv444p,scale=853:479", "-pix_fmt", "yuv444p"]
        + x264 + ["-crf", "18", "{out}"]))

  /// VP9 4:2:0, 853×479.
  public static let odd420 = TestClip(
    "odd420_853x479.webm",
    .ffmpeg(
      pattern("1280x720", "30", seconds: 1)
        + ["-vf", "format=yuv444p,scale=853:479,format=yuv420p", "-pix_fmt", "yuv420p", "-c:v", "libvpx-vp9"]
        + ["-deadline", "realtime", "-cpu-used", "8", "-b:v", "1M", "{out}"]))

  /// H.264, 720×576 in pixels of 64:45.
  public static let sampleAspect = TestClip(
    "sar_720x576.mp4",
    .ffmpeg(
      ["-f", "lavfi", "-i", "smptebars=size=720x576:rate=25:duration=2", "-vf", "setsar=64/45"]
        + ["-pix_fmt", "yuv420p"] + x264 + ["-crf", "18", "{out}"]))

  /// `h264360p` with an orientation in its track header.
  public static func oriented(clockwise degrees: Int, isMirrored: Bool = false) -> TestClip {
    TestClip(
      "oriented_\(degrees)\(isMirrored ? "_mirrored" : "").mp4", from: [h264360p],
      .bytes(label: "tkhd matrix \(degrees) \(isMirrored)") { sources in
        var turn: (a: Int32, b: Int32, c: Int32, d: Int32) =
          switch degrees {
          case 90: (0, 1, -1, 0)
          case 180: (-1, 0, 0, -1)
          case 270: (0, -1, 1, 0)
          default: (1, 0, 0, 1)
          }
        if isMirrored { (turn.a, turn.b) = (-turn.a, -turn.b) }
        return Patch.displayMatrix(of: sources[0], turn)
      })
  }

  /// H.264, 640×360: 60 frames a second, then 15, then irregular ones; 4 seconds.
  public static let variableRate = TestClip(
    "vfr.mkv",
    .ffmpeg(
      pattern("640x360", "60", seconds: 4)
        + ["-vf", "select='if(lt(t,1.5),1,if(lt(t,3),not(mod(n,4)),not(mod(n,5))*gt(random(1),0.3)))'"]
        + ["-fps_mode", "vfr", "-pix_fmt", "yuv420p"] + x264 + ["-crf", "22", "{out}"]))

  /// H.264, one frame a second; 3 seconds.
  public static let oneFramePerSecond = TestClip(
    "1fps.mp4", .ffmpeg(pattern("320x180", "1", seconds: 3) + ["-pix_fmt", "yuv420p"] + x264 + ["{out}"]))

  /// H.264, 240 frames a second; half a second.
  public static let frames240PerSecond = TestClip(
    "240fps.mp4",
    .ffmpeg(pattern("320x180", "240", seconds: 0.5) + ["-pix_fmt", "yuv420p"] + x264 + ["{out}"]))

  /// H.264, 16×16.
  public static let tiny = TestClip(
    "16x16.mp4", .ffmpeg(pattern("16x16", "30", seconds: 1) + ["-pix_fmt", "yuv420p"] + x264 + ["{out}"]))

  /// H.264, 7680×4320; three frames.
  public static let huge = TestClip(
    "7680x4320.mp4",
    .ffmpeg(
      ["-f", "lavfi", "-i", "smptehdbars=size=7680x4320:rate=30:duration=0.1", "-pix_fmt", "yuv420p"]
        + ["-c:v", "libx264", "-preset", "ultrafast"] + tagged709 + ["{out}"]))

  /// Size and pixel format change in the middle: 640×360 4:2:0, then 320×240 4:2:0, then 320×240 4:2:2; half a second each.
  public static let changing = TestClip(
    "changing.ts",
    from: [part("640x360", "yuv420p"), part("320x240", "yuv420p"), part("320x240", "yuv422p")],
    .bytes(label: "concatenated") { $0.reduce(Data(), +) })

  private static func part(_ size: String, _ format: String) -> TestClip {
    TestClip(
      "part_\(size)_\(format).ts",
      .ffmpeg(pattern(size, "30", seconds: 0.5) + ["-pix_fmt", format] + x264 + ["-bf", "0", "{out}"]))
  }

  /// `h264360p` as a fragmented MP4.
  public static let fragmented = TestClip(
    "fragmented.mp4", from: [h264360p],
    .ffmpeg(["-i", "{0}", "-c", "copy", "-movflags", "frag_keyframe+empty_moov", "{out}"]))

  /// `h264360p` in a transport stream whose 33-bit clock wraps after one second.
  public static let wrapping = TestClip(
    "wrapping.ts", from: [h264360p],
    .ffmpeg(["-i", "{0}", "-c", "copy", "-output_ts_offset", "95441.1", "{out}"]))

  /// `h264360p` in Matroska, starting at 100 seconds.
  public static let lateStart = TestClip(
    "late_start.mkv", from: [h264360p],
    .ffmpeg(["-i", "{0}", "-c", "copy", "-output_ts_offset", "100", "{out}"]))

  /// Two audio tracks with languages and titles, the second one the default, beside a video track.
  public static let languages = TestClip(
    "languages.mkv", from: [h264360p],
    .ffmpeg(
      ["-i", "{0}", "-map", "0:v", "-map", "0:a", "-map", "0:a", "-c", "copy"]
        + [
          "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=ger", "-metadata:s:a:1",
          "title=Ton",
        ]
        + ["-disposition:a:0", "0", "-disposition:a:1", "default", "{out}"]))

  /// Sound alone.
  public static let audioOnly = TestClip(
    "audio_only.m4a", .ffmpeg(tone + ["-t", "1", "-c:a", "aac", "{out}"]))

  /// Sound and a cover picture.
  public static let coverArt = TestClip(
    "cover_art.m4a", from: [audioOnly],
    .ffmpeg(
      ["-i", "{0}"] + pattern("200x200", "1", seconds: 1)
        + ["-map", "0:a", "-map", "1:v", "-c:a", "copy", "-c:v", "mjpeg", "-frames:v", "1"]
        + ["-disposition:v:0", "attached_pic", "{out}"]))
}

/// Changes to the bytes of files.
enum Patch {
  /// Writes a matrix into the first track header of an MP4 file (ISO/IEC 14496-12, 8.3.2, version 0).
  static func displayMatrix(of file: Data, _ turn: (a: Int32, b: Int32, c: Int32, d: Int32)) -> Data {
    var bytes = [UInt8](file)
    guard let tag = file.range(of: Data("tkhd".utf8))?.lowerBound else { return file }
    let matrix = tag + 44
    let values = [turn.a << 16, turn.b << 16, 0, turn.c << 16, turn.d << 16, 0, 0, 0, 1 << 30]
    guard matrix + 36 <= bytes.count else { return file }
    for (index, value) in values.enumerated() {
      for byte in 0..<4 {
        bytes[matrix + 4 * index + byte] = UInt8(truncatingIfNeeded: value >> Int32(24 - 8 * byte))
      }
    }
    return Data(bytes)
  }

  /// The same numbers every time.
  static func random(seed: UInt64) -> () -> UInt64 {
    var state = seed
    return {
      // SplitMix64.
      state &+= 0x9e37_79b9_7f4a_7c15
      var value = state
      value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
      value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
      return value ^ (value >> 31)
    }
  }
}
