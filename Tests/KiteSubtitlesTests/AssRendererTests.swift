import KiteCore
import Testing

@testable import KiteSubtitles

/// What libass makes of lines, by where the ink is.
@Suite struct AssRendererTests {
  private static let header = """
    [Script Info]
    ScriptType: v4.00+
    PlayResX: 640
    PlayResY: 360
    [V4+ Styles]
    Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, \
    Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, \
    MarginV, Encoding
    Style: Default,Sans,40,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,0,0,2,10,10,10,1
    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

    """
  /// A red square of 100×50 in the script's upper left corner.
  private static let square = #"{\an7\pos(0,0)\p1\1c&H0000FF&}m 0 0 l 100 0 100 50 0 50{\p0}"#

  /// The premultiplied pixels of what `text` shows at `time`, and where it is.
  private func draw(
    _ text: String, at time: MediaTime = .zero, from start: Double = 0, to end: Double = 10,
    size: PixelSize = PixelSize(width: 640, height: 360), picture: PixelRect? = nil,
    storage: PixelSize? = nil, isStyled: Bool = true, header: String = header
  ) throws -> (bounds: PixelRect, pixels: [UInt32]) {
    let renderer = try AssRendererFactory().makeRenderer(
      header: Array(header.utf8), isStyled: isStyled, fonts: [])
    let line = SubtitleLine(
      number: 1, start: MediaTime(seconds: start), end: MediaTime(seconds: end),
      text: "0,0,Default,,0,0,0,,\(text)")
    let canvas = SubtitleCanvas(
      size: size, picture: picture ?? PixelRect(x: 0, y: 0, width: size.width, height: size.height),
      storage: storage ?? PixelSize(width: 640, height: 360))
    var pixels = [UInt32](repeating: 0, count: size.width * size.height)
    renderer.draw([line], at: time, on: canvas) { drawing in
      pixels.withUnsafeMutableBufferPointer { memory in
        guard let base = memory.baseAddress else { return }
        drawing.paint(onto: base, stride: size.width, size: size, atX: 0, y: 0)
      }
    }
    // libass's pieces have clear edges.
    let inked = pixels.indices.filter { pixels[$0] >> 24 > 0x40 }
    let (columns, rows) = (inked.map { $0 % size.width }, inked.map { $0 / size.width })
    guard let left = columns.min(), let right = columns.max(), let top = rows.min(), let bottom = rows.max()
    else { return (.zero, pixels) }
    return (PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1), pixels)
  }

  @Test func aShapeIsWhereTheScriptPutsItInTheColourItNames() throws {
    let drawn = try draw(Self.square)
    #expect(drawn.bounds.x == 0 && drawn.bounds.y == 0)
    #expect(abs(drawn.bounds.width - 100) <= 1 && abs(drawn.bounds.height - 50) <= 1)
    #expect(drawn.pixels[20 * 640 + 50] == 0xFFFF_0000)
    #expect(drawn.pixels[60 * 640 + 50] == 0)
  }

  @Test func alphaIsTheStyles() throws {
    let drawn = try draw(Self.square.replacing(#"\p1"#, with: #"\1a&H80&\p1"#))
    let pixel = drawn.pixels[20 * 640 + 50]
    #expect(pixel >> 24 == 0x7F && pixel >> 16 & 0xFF == 0x7F && pixel & 0xFFFF == 0)
  }

  @Test(arguments: [1.0, 1.25, 1.5, 2]) func aScriptIsScaledToTheOutput(scale: Double) throws {
    let size = PixelSize(width: Int(640 * scale), height: Int(360 * scale))
    let drawn = try draw(Self.square, size: size)
    #expect(abs(Double(drawn.bounds.width) - 100 * scale) <= 1)
    #expect(abs(Double(drawn.bounds.height) - 50 * scale) <= 1)
  }

  @Test func aStyledLineIsPlacedInThePictureAndNotInTheBars() throws {
    let picture = PixelRect(x: 0, y: 60, width: 640, height: 360)
    let drawn = try draw(Self.square, size: PixelSize(width: 640, height: 480), picture: picture)
    #expect(abs(drawn.bounds.y - 60) <= 1 && drawn.bounds.x == 0)
  }

  @Test func plainTextMayStandInTheBars() throws {
    let picture = PixelRect(x: 0, y: 120, width: 640, height: 240)
    let size = PixelSize(width: 640, height: 480)
    let plain = try draw("low", size: size, picture: picture, isStyled: false)
    let styled = try draw("low", size: size, picture: picture, isStyled: true)
    #expect(plain.bounds.y > 360)
    #expect(styled.bounds.y + styled.bounds.height <= 360 && !styled.bounds.size.isEmpty)
  }

  @Test func aSqueezedPictureStretchesItsScript() throws {
    // 720×576 shown at 16:9: text is as wide as in the picture that it was made for.
    let header = Self.header.replacing("PlayResX: 640", with: "PlayResX: 720")
      .replacing("PlayResY: 360", with: "PlayResY: 576")
    let drawn = try draw(
      Self.square, size: PixelSize(width: 1024, height: 576), storage: PixelSize(width: 720, height: 576),
      header: header)
    #expect(abs(drawn.bounds.width - 142) <= 2 && abs(drawn.bounds.height - 50) <= 1)
  }

  @Test func aLineIsThereWhenItsTimeIs() throws {
    #expect(try draw("x", at: MediaTime(seconds: 1.9996), from: 2, to: 3).bounds.size.isEmpty)
    for time in [2, 2.0004, 2.9996] {
      #expect(
        try !draw("x", at: MediaTime(seconds: time), from: 2, to: 2.99965).bounds.size.isEmpty, "\(time)")
    }
  }

  @Test func noScriptIsTooStrange() throws {
    for text in [
      "", "{", #"{\an"#, #"{\t(\t(\t(}x"#, #"{\p99999}m 0 0 l 9 9"#, #"{\fs1000000}x"#,
      #"{\pos(1e300,nan)}x"#,
      String(repeating: "a", count: 8000), String(repeating: #"\N"#, count: 4000),
      String(repeating: "{\\b1}", count: 2000), "\u{202E}\u{0}\u{FFFF}",
    ] {
      _ = try draw(text)
    }
    for header in ["", "[", "[V4+ Styles]\nStyle:", String(repeating: "x", count: 100_000)] {
      _ = try draw("x", header: header)
    }
  }

  @Test func linesThatPassDoNotPileUp() throws {
    let renderer = try AssRendererFactory().makeRenderer(
      header: Array(Self.header.utf8), isStyled: true, fonts: [])
    let canvas = SubtitleCanvas(
      size: PixelSize(width: 640, height: 360), picture: PixelRect(x: 0, y: 0, width: 640, height: 360),
      storage: PixelSize(width: 640, height: 360))
    for index in 0..<1500 {
      let line = SubtitleLine(
        number: index, start: MediaTime(seconds: Double(index)), end: MediaTime(seconds: Double(index) + 1),
        text: "\(index),0,Default,,0,0,0,,\(Self.square)")
      var bounds = PixelRect.zero
      renderer.draw([line], at: line.start, on: canvas) { bounds = $0.bounds }
      #expect(bounds.width >= 99, "line \(index)")
    }
  }

  @Test func fontsOfTheFilmMayBeAnything() throws {
    let fonts = [
      MediaAttachment(name: "", bytes: []),
      MediaAttachment(name: "x.ttf", bytes: Array(repeating: 7, count: 5000)),
    ]
    _ = try AssRendererFactory().makeRenderer(header: [], isStyled: false, fonts: fonts)
  }

  @Test func whereLibassIsMissingItIsSaidWhatToInstall() {
    #expect(AssRendererFactory.notInstalled.kind == .unsupported)
    #expect(AssRendererFactory.notInstalled.description.contains("libass9"))
  }
}
