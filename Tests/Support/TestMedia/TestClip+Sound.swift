import Foundation

// Clips of sound: another tone in every channel.
extension TestClip {
  /// A second and a half of `channels` channels at `rate` Hz, each a tone of its own, encoded by `arguments`.
  public static func sound(_ fileName: String, channels: Int, rate: Int, _ arguments: [String]) -> TestClip {
    let layouts = [1: "mono", 2: "stereo", 6: "5.1", 8: "7.1"]
    let tones = (0..<channels).map { "0.3*sin(2*PI*\(220 + 110 * $0)*t)" }.joined(separator: "|")
    let source = "aevalsrc='\(tones)':s=\(rate):c=\(layouts[channels] ?? "stereo"):d=1.5"
    return TestClip(fileName, .ffmpeg(["-f", "lavfi", "-i", source] + arguments + ["{out}"]))
  }

  /// What a player is to be given for each common codec.
  public static let sounds: [TestClip] = [
    sound("aac.m4a", channels: 2, rate: 48000, ["-c:a", "aac"]),
    sound("aac_44100.mkv", channels: 2, rate: 44100, ["-c:a", "aac"]),
    sound("mp3.mp3", channels: 2, rate: 44100, ["-c:a", "libmp3lame"]),
    sound("vorbis.ogg", channels: 2, rate: 48000, ["-c:a", "libvorbis"]),
    sound("opus51.webm", channels: 6, rate: 48000, ["-c:a", "libopus", "-mapping_family", "1"]),
    sound("flac.flac", channels: 2, rate: 96000, ["-c:a", "flac"]),
    sound("ac3.mkv", channels: 6, rate: 48000, ["-c:a", "ac3"]),
    sound("pcm71.wav", channels: 8, rate: 48000, ["-c:a", "pcm_s24le"]),
    sound("pcm_mono8k.wav", channels: 1, rate: 8000, ["-c:a", "pcm_u8"]),
  ]

  /// The interleaved floats that the `ffmpeg` command makes of the sound of the file at `path`.
  public static func referenceSamples(
    of path: String, channels: Int, rate: Int
  ) throws(TestMediaError) -> [Float] {
    let data = try Command.run(
      "ffmpeg",
      ["-hide_banner", "-loglevel", "error", "-nostdin", "-i", path, "-map", "0:a:0", "-ac", "\(channels)"]
        + ["-ar", "\(rate)", "-f", "f32le", "-"])
    return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }
}

extension TestClip {
  /// AAC whose middle third is noise.
  public static let damagedSound = TestClip(
    "damaged.mkv", from: [sound("aac_long.mkv", channels: 2, rate: 48000, ["-c:a", "aac"])],
    .bytes(label: "noise in the middle") { sources in
      var data = sources[0]
      var value: UInt32 = 1
      for index in data.count / 3..<data.count * 2 / 3 where index % 7 == 0 {
        value = value &* 1_664_525 &+ 1_013_904_223
        data[index] = UInt8(value >> 24)
      }
      return data
    })
}

extension TestClip {
  /// 10 seconds: the first picture of each second is white, and a beep of 100 ms begins with it.
  public static let flashAndBeep = TestClip(
    "flash_beep.mp4",
    .ffmpeg(
      ["-f", "lavfi", "-i", "color=black:size=320x180:rate=25:duration=10"]
        + ["-f", "lavfi", "-i", "aevalsrc='0.5*sin(2*PI*440*t)*lt(mod(t,1),0.1)':s=48000:d=10"]
        + ["-vf", "drawbox=c=white:t=fill:enable='lt(mod(t,1),0.03)'", "-pix_fmt", "yuv420p"] + x264
        + ["-g", "25", "-c:a", "aac", "-b:a", "192k", "{out}"]))
}

extension TestClip {
  /// 20 s of 440 Hz.
  private static func tone(_ fileName: String, _ arguments: [String]) -> TestClip {
    TestClip(
      fileName, .ffmpeg(["-f", "lavfi", "-i", "sine=440:r=48000:d=20", "-ac", "2"] + arguments + ["{out}"]))
  }

  /// 20 s of 440 Hz in the containers that hold sound alone; the last one's first timestamp is 5 s.
  public static let tones: [TestClip] = [
    tone("tone.mp3", ["-c:a", "libmp3lame"]), tone("tone.m4a", ["-c:a", "aac"]),
    tone("tone.opus", ["-c:a", "libopus"]), tone("tone.flac", ["-c:a", "flac"]),
    TestClip(
      "late.mka", from: [tone("tone.flac", ["-c:a", "flac"])],
      .ffmpeg(["-i", "{0}", "-c", "copy", "-output_ts_offset", "5", "{out}"])),
  ]
}
