import Foundation

// Clips with subtitles: the picture is dark, and blue for as long as the subtitle is shown.
extension TestClip {
  /// When the subtitle of these clips is shown, in seconds.
  public static let subtitleTime = 1.5..<3.5

  /// A file of `text`.
  public static func text(_ fileName: String, _ text: String) -> TestClip {
    TestClip(fileName, .bytes(label: text) { _ in Data(text.utf8) })
  }

  /// A film of 4.2 s without subtitles.
  public static let blueInTheMiddle = TestClip(
    "blue.mkv",
    .ffmpeg(
      ["-f", "lavfi", "-i", "color=0x101010:size=320x180:rate=25:duration=4.2"]
        + ["-vf", "drawbox=c=0x000080:t=fill:enable='gte(t,1.499)*lt(t,3.499)'", "-pix_fmt", "yuv420p"] + x264
        + ["-g", "25", "{out}"]))

  /// One line of SRT.
  public static let srt = text("line.srt", "1\n00:00:01,500 --> 00:00:03,500\nHello <b>there</b>\n")

  /// A script: a white square in the upper left quarter of the picture.
  public static let script = text(
    "square.ass",
    """
    [Script Info]
    ScriptType: v4.00+
    PlayResX: 320
    PlayResY: 180
    [V4+ Styles]
    Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, \
    Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, \
    MarginV, Encoding
    Style: Default,Sans,20,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,0,0,2,10,10,10,1
    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
    Dialogue: 0,0:00:01.50,0:00:03.50,Default,,0,0,0,,{\\an7\\pos(40,20)\\p1}m 0 0 l 100 0 100 60 0 60{\\p0}

    """)

  /// Pictures for a canvas of 320×180: a white rectangle of 100×60 at (40, 20).
  public static let pgs = TestClip(
    "square.sup",
    .bytes(label: "PGS square 1") { _ in
      var file = PGSFile(width: 320, height: 180)
      file.show(x: 40, y: 20, width: 100, height: 60, at: subtitleTime.lowerBound)
      file.clear(at: subtitleTime.upperBound)
      return file.data
    })

  /// The film with the subtitles of `file`, read by the options `reading` and encoded by `arguments`.
  public static func film(
    _ fileName: String, with file: TestClip, reading: [String] = [], _ arguments: [String]
  ) -> TestClip {
    TestClip(
      fileName, from: [blueInTheMiddle, file],
      .ffmpeg(
        ["-copyts", "-i", "{0}"] + reading + ["-i", "{1}", "-map", "0", "-map", "1", "-c:v", "copy"]
          + arguments + ["{out}"]))
  }

  /// Every format of text that FFmpeg writes.
  public static let filmsWithText: [TestClip] = [
    film("srt.mkv", with: srt, ["-c:s", "srt"]),
    film("webvtt.mkv", with: srt, ["-c:s", "webvtt"]),
    film("mov_text.mp4", with: srt, ["-c:s", "mov_text"]),
    film("ass.mkv", with: script, ["-c:s", "ass"]),
  ]

  /// A film with a forced German script, a font that is none ("not really a font"), and two chapters.
  public static let filmWithFontAndChapters = TestClip(
    "fonts.mkv",
    from: [
      blueInTheMiddle, script, text("font.ttf", "not really a font"),
      text(
        "meta.txt",
        """
        ;FFMETADATA1
        [CHAPTER]
        TIMEBASE=1/1000
        START=0
        END=2000
        title=First
        [CHAPTER]
        TIMEBASE=1/1000
        START=2000
        END=5000
        title=Second

        """),
    ],
    .ffmpeg(
      ["-i", "{0}", "-i", "{1}", "-i", "{3}", "-map", "0", "-map", "1", "-map_chapters", "2", "-c", "copy"]
        + ["-attach", "{2}", "-metadata:s:t", "mimetype=application/x-truetype-font"]
        + ["-disposition:s:0", "forced", "-metadata:s:s:0", "language=ger", "{out}"]))

  /// Every format of pictures that FFmpeg writes; the first one as it was read.
  public static let filmsWithPictures: [TestClip] = [
    film("pgs.mkv", with: pgs, ["-c:s", "copy"]),
    // Both want to know how long each is shown, which PGS says with the next one.
    film("dvdsub.mkv", with: pgs, reading: ["-fix_sub_duration"], ["-c:s", "dvdsub"]),
    film("dvbsub.mkv", with: pgs, reading: ["-fix_sub_duration"], ["-c:s", "dvbsub"]),
  ]
}

/// Writes a file of PGS subtitles: one rectangle at a time, white.
struct PGSFile {
  private(set) var data = Data()
  private let width: Int
  private let height: Int
  private var number = 0

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// A rectangle from `seconds` on.
  mutating func show(x: Int, y: Int, width: Int, height: Int, at seconds: Double) {
    let time = UInt32(seconds * 90_000)
    let place = word(x) + word(y)
    segment(0x16, composition(state: 0x80) + [0, 0, 1] + word(0) + [0, 0] + place, at: time)
    segment(0x17, [1, 0] + place + word(width) + word(height), at: time)
    // Number, luma, red and blue difference, alpha.
    segment(0x14, [0, 0, 1, 235, 128, 128, 255], at: time)
    // A run of colour 1, and the end of the row.
    let row: [UInt8] = [0, 0xC0 | UInt8(width >> 8), UInt8(width & 255), 1, 0, 0]
    let rows = (0..<height).flatMap { _ in row }
    let length = rows.count + 4
    let head = word(0) + [0, 0xC0, UInt8(length >> 16)] + word(length & 0xFFFF)
    segment(0x15, head + word(width) + word(height) + rows, at: time)
    segment(0x80, [], at: time)
  }

  /// Nothing from `seconds` on.
  mutating func clear(at seconds: Double) {
    let time = UInt32(seconds * 90_000)
    segment(0x16, composition(state: 0) + [0, 0, 0], at: time)
    segment(0x17, [1, 0] + word(0) + word(0) + word(width) + word(height), at: time)
    segment(0x80, [], at: time)
  }

  private mutating func composition(state: UInt8) -> [UInt8] {
    number += 1
    return word(width) + word(height) + [0x10] + word(number) + [state]
  }

  private mutating func segment(_ type: UInt8, _ bytes: [UInt8], at time: UInt32) {
    data += Data("PG".utf8)
    data += Data(word(Int(time >> 16)) + word(Int(time & 0xFFFF)) + [0, 0, 0, 0, type])
    data += Data(word(bytes.count) + bytes)
  }

  private func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
}
