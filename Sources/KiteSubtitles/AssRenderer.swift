import CAss
import KiteCore

/// One track of text, drawn by libass. Used by one thread at a time.
final class AssRenderer: SubtitleTextRenderer {
  private let table: kite_ass
  /// All three owned.
  private let library: OpaquePointer
  private let renderer: OpaquePointer
  private let track: UnsafeMutablePointer<ASS_Track>
  private let isStyled: Bool
  private var canvas: SubtitleCanvas?
  /// The lines that libass has.
  private var given: Set<Int> = []

  /// Lines that libass keeps at the most: it goes through all of them for every picture.
  private static let lineLimit = 512
  /// Glyphs, and megabytes of bitmaps, that libass keeps: a page of text. Its own bounds are 10,000 and 128.
  private static let glyphLimit: Int32 = 2000
  private static let bitmapMegabytes: Int32 = 24

  init(table: kite_ass, header: [UInt8], isStyled: Bool, fonts: [MediaAttachment]) throws(MediaError) {
    let table = table
    guard let library = table.library_init() else { throw Self.noMemory }
    withUnsafePointer(to: table) { kite_ass_silence($0, library) }
    for font in fonts {
      font.bytes.withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { bytes in
          font.name.withCString { name in
            // Both are copied, whatever the signature says.
            table.add_font(library, name, bytes.baseAddress, Int32(clamping: bytes.count))
          }
        }
      }
    }
    guard let renderer = table.renderer_init(library) else {
      table.library_done(library)
      throw Self.noMemory
    }
    guard let track = table.new_track(library) else {
      table.renderer_done(renderer)
      table.library_done(library)
      throw Self.noMemory
    }
    self.table = table
    self.library = library
    self.renderer = renderer
    self.track = track
    self.isStyled = isStyled
    table.set_cache_limits(renderer, Self.glyphLimit, Self.bitmapMegabytes)
    table.set_fonts(renderer, nil, "sans-serif", Int32(ASS_FONTPROVIDER_AUTODETECT.rawValue), nil, 1)
    // Text that nobody placed may stand in the bars below the picture.
    table.set_use_margins(renderer, isStyled ? 0 : 1)
    table.set_check_readorder(track, 0)
    var header = header
    header.withUnsafeMutableBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        guard let base = bytes.baseAddress else { return }
        table.process_codec_private(track, base, Int32(clamping: bytes.count))
      }
    }
  }

  deinit {
    table.free_track(track)
    table.renderer_done(renderer)
    table.library_done(library)
  }

  private static let noMemory = MediaError(
    kind: .resources, subject: "subtitles", reason: "could not be drawn: libass has no memory",
    advice: "Close other programs.")

  func draw(
    _ lines: [SubtitleLine], at time: MediaTime, on canvas: SubtitleCanvas, _ body: (SubtitleDrawing) -> Void
  ) {
    place(on: canvas)
    give(lines)
    var isChanged: Int32 = 0
    let first = table.render_frame(renderer, track, time.milliseconds, &isChanged)
    var pieces: [SubtitleDrawing.Piece] = []
    var image = first
    while let current = image?.pointee {
      image = current.next
      guard let bitmap = current.bitmap, current.w > 0, current.h > 0 else { continue }
      // libass counts transparency: 0 is opaque.
      let argb = (255 - current.color & 0xFF) << 24 | current.color >> 8
      pieces.append(
        SubtitleDrawing.Piece(
          place: PixelRect(
            x: Int(current.dst_x), y: Int(current.dst_y), width: Int(current.w), height: Int(current.h)),
          ink: .coverage(bitmap, stride: Int(current.stride), argb: argb)))
    }
    body(SubtitleDrawing(pieces, on: canvas.size))
  }

  private func place(on canvas: SubtitleCanvas) {
    guard canvas != self.canvas else { return }
    self.canvas = canvas
    let (size, picture) = (canvas.size, canvas.picture)
    table.set_frame_size(renderer, Int32(clamping: size.width), Int32(clamping: size.height))
    table.set_storage_size(
      renderer, Int32(clamping: canvas.storage.width), Int32(clamping: canvas.storage.height))
    table.set_margins(
      renderer, Int32(clamping: picture.y), Int32(clamping: size.height - picture.y - picture.height),
      Int32(clamping: picture.x), Int32(clamping: size.width - picture.x - picture.width))
  }

  /// Adds the lines that libass has not got yet. Those it has keep the places that it gave them.
  private func give(_ lines: [SubtitleLine]) {
    var new = lines.filter { !given.contains($0.number) }
    guard !new.isEmpty else { return }
    if given.count + new.count > Self.lineLimit {
      table.flush_events(track)
      given.removeAll()
      new = lines
    }
    for line in new {
      given.insert(line.number)
      let start = line.start.milliseconds
      // Rounded so that the line is there whenever it is visible to the nanosecond.
      let end = max(start + 1, (line.end + MediaTime(nanoseconds: 999_999)).milliseconds)
      var text = Array(line.text.utf8CString)
      text.withUnsafeMutableBufferPointer { bytes in
        guard let base = bytes.baseAddress else { return }
        table.process_chunk(track, base, Int32(clamping: bytes.count - 1), start, end - start)
      }
    }
  }
}

extension MediaTime {
  /// Whole milliseconds, rounded down.
  fileprivate var milliseconds: Int64 {
    let quotient = nanoseconds / 1_000_000
    return nanoseconds < quotient * 1_000_000 ? quotient - 1 : quotient
  }
}
