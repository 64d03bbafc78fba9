import KiteSystem

@testable import KiteCore

/// A line as a fake source has it.
struct FakeSubtitle: Sendable {
  /// The track that the fake container marks.
  static let defaultID = 20
  var text: String
  var start: MediaTime
  var end: MediaTime?
  var trackID = defaultID

  /// From `start` to `end` milliseconds.
  init(_ text: String, _ start: Int64, _ end: Int64?, track: Int = defaultID) {
    self.text = text
    self.start = .ms(start)
    self.end = end.map { .ms($0) }
    trackID = track
  }
}

final class FakeSubtitlePacket: MediaPacket {
  let subtitle: FakeSubtitle
  var trackID: Int { subtitle.trackID }
  var pts: MediaTime? { subtitle.start }
  var byteCount: Int { 10 }
  var isKeyframe: Bool { true }
  init(_ subtitle: FakeSubtitle) { self.subtitle = subtitle }
}

final class FakeSubtitleDecoder: SubtitleDecoder {
  var form: SubtitleForm { .text(header: [], isStyled: false) }
  func flush() {}
  func decode(_ packet: any MediaPacket) throws(MediaError) -> [SubtitleEvent] {
    guard let subtitle = (packet as? FakeSubtitlePacket)?.subtitle else { return [] }
    guard subtitle.text != "damage" else {
      throw MediaError(kind: .decoding, subject: "fake", reason: "is damaged")
    }
    return [
      SubtitleEvent(
        start: subtitle.start, end: subtitle.end, content: .text("0,0,,,0,0,0,,\(subtitle.text)"))
    ]
  }
}

/// Draws nothing, and notes what it was to draw; or can't be made.
final class FakeTexts: SubtitleTextRendererFactory {
  private let error: MediaError?
  let drawn = Locked<[String]>([])

  init(error: MediaError? = nil) { self.error = error }

  func makeRenderer(
    header: [UInt8], isStyled: Bool, fonts: [MediaAttachment]
  ) throws(MediaError) -> sending any SubtitleTextRenderer {
    if let error { throw error }
    return Renderer(factory: self)
  }

  private final class Renderer: SubtitleTextRenderer {
    let factory: FakeTexts
    init(factory: FakeTexts) { self.factory = factory }

    func draw(
      _ lines: [SubtitleLine], at time: MediaTime, on canvas: SubtitleCanvas,
      _ body: (SubtitleDrawing) -> Void
    ) {
      let texts = lines.map { String($0.text.split(separator: ",").last ?? "") }
      factory.drawn.withLock { $0 += texts }
      body(SubtitleDrawing([], on: canvas.size))
    }
  }
}
