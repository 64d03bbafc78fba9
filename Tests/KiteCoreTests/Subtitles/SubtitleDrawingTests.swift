import Testing

@testable import KiteCore

@Suite struct SubtitleDrawingTests {
  private let canvas = PixelSize(width: 8, height: 4)

  /// The memory of `size` that begins at (`x`, `y`) of the canvas, after `pieces` were painted.
  private func paint(
    _ pieces: [SubtitleDrawing.Piece], size: PixelSize, x: Int = 0, y: Int = 0, over: UInt32 = 0
  ) -> [UInt32] {
    var memory = [UInt32](repeating: over, count: size.width * size.height)
    memory.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      SubtitleDrawing(pieces, on: canvas).paint(onto: base, stride: size.width, size: size, atX: x, y: y)
    }
    return memory
  }

  @Test func coverageBecomesPremultipliedColour() {
    let coverage: [UInt8] = [0, 128, 255]
    coverage.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      let piece = SubtitleDrawing.Piece(
        place: PixelRect(x: 1, y: 0, width: 3, height: 1),
        ink: .coverage(base, stride: 3, argb: 0xFFFF_8000))
      #expect(
        paint([piece], size: PixelSize(width: 5, height: 1)) == [0, 0, 0x8080_4000, 0xFFFF_8000, 0])
      // Half transparent.
      let faint = SubtitleDrawing.Piece(
        place: PixelRect(x: 0, y: 0, width: 3, height: 1), ink: .coverage(base, stride: 3, argb: 0x80FF_FFFF))
      #expect(paint([faint], size: PixelSize(width: 3, height: 1)) == [0, 0x4040_4040, 0x8080_8080])
    }
  }

  @Test func laterPiecesLieOverEarlierOnes() {
    let red: [UInt32] = [0xFFFF_0000, 0xFFFF_0000]
    let blue: [UInt32] = [0x8000_0080]
    red.withUnsafeBufferPointer { red in
      blue.withUnsafeBufferPointer { blue in
        guard let red = red.baseAddress, let blue = blue.baseAddress else { return }
        let pieces = [
          SubtitleDrawing.Piece(
            place: PixelRect(x: 0, y: 0, width: 2, height: 1), ink: .pixels(red, stride: 2)),
          SubtitleDrawing.Piece(
            place: PixelRect(x: 1, y: 0, width: 1, height: 1), ink: .pixels(blue, stride: 1)),
        ]
        #expect(paint(pieces, size: PixelSize(width: 2, height: 1)) == [0xFFFF_0000, 0xFF7F_0080])
      }
    }
  }

  @Test func whatSticksOutIsCutOff() {
    let white = [UInt32](repeating: .max, count: 100)
    white.withUnsafeBufferPointer { white in
      guard let white = white.baseAddress else { return }
      let piece = SubtitleDrawing.Piece(
        place: PixelRect(x: -3, y: -3, width: 10, height: 10), ink: .pixels(white, stride: 10))
      #expect(SubtitleDrawing([piece], on: canvas).bounds == PixelRect(x: 0, y: 0, width: 7, height: 4))
      #expect(
        paint([piece], size: PixelSize(width: 2, height: 2), x: 6, y: 3) == [.max, 0, .max, 0])
      let far = SubtitleDrawing.Piece(
        place: PixelRect(x: .max, y: 0, width: 10, height: 10), ink: .pixels(white, stride: 10))
      #expect(SubtitleDrawing([far], on: canvas).bounds.size.isEmpty)
    }
  }

  @Test func picturesAreScaledFromTheirCanvasToTheFilmsPicture() throws {
    let bitmap = try #require(
      SubtitleBitmap(
        place: PixelRect(x: 10, y: 40, width: 20, height: 10), canvas: PixelSize(width: 100, height: 50),
        pixels: [UInt32](repeating: 0x8040_4040, count: 200)))
    var timeline = SubtitleTimeline(isExclusive: true)
    timeline.add([SubtitleEvent(start: .zero, end: nil, content: .pictures([bitmap]))])
    let canvas = SubtitleCanvas(
      size: PixelSize(width: 250, height: 200), picture: PixelRect(x: 0, y: 50, width: 250, height: 100),
      storage: PixelSize(width: 100, height: 50))
    var drawing = BitmapDrawing()
    var places: [PixelRect] = []
    var pixels: [UInt32] = []
    drawing.draw(timeline.lookup(at: .zero).visible, on: canvas) { drawn in
      places = drawn.pieces.map(\.place)
      if case .pixels(let base, let stride)? = drawn.pieces.first?.ink {
        pixels = Array(UnsafeBufferPointer(start: base, count: stride * 20))
      }
    }
    #expect(places == [PixelRect(x: 25, y: 130, width: 50, height: 20)])
    // What is the same everywhere stays so.
    #expect(Set(pixels) == [0x8040_4040])
  }

  @Test(arguments: [(4, 9), (9, 4), (1, 5), (5, 1), (720, 1921)])
  func scalingKeepsTheMean(from: Int, to: Int) {
    let pixels = (0..<from).map { UInt32($0 * 255 / max(1, from - 1)) << 24 }
    let scaled = BitmapDrawing.resample(
      pixels, of: PixelSize(width: from, height: 1), to: PixelSize(width: to, height: 1))
    #expect(scaled.count == to)
    func mean(_ values: [UInt32]) -> Double {
      Double(values.reduce(UInt64(0)) { $0 + UInt64($1 >> 24) }) / Double(values.count)
    }
    if from > 1 { #expect(abs(mean(scaled) - mean(pixels)) < 16) }
    #expect(zip(scaled, scaled.dropFirst()).allSatisfy { $0 <= $1 })
  }
}
