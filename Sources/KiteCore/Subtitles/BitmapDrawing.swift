/// Pictures of a subtitle track, scaled for a canvas. Keeps the last ones: they are shown over many pictures of the film.
struct BitmapDrawing {
  private struct Scaled {
    let place: PixelRect
    let pixels: [UInt32]
  }

  private var scaled: [Scaled] = []
  private var numbers: [Int] = []
  private var canvas: SubtitleCanvas?

  /// Pixels of the largest picture that is drawn; a larger one is damage.
  private static let pixelLimit = 64 << 20

  mutating func draw(
    _ entries: [SubtitleTimeline.Entry], on canvas: SubtitleCanvas, _ body: (SubtitleDrawing) -> Void
  ) {
    let numbers = entries.map(\.number)
    if numbers != self.numbers || canvas != self.canvas {
      (self.numbers, self.canvas) = (numbers, canvas)
      scaled = entries.flatMap { entry -> [Scaled] in
        guard case .pictures(let pictures) = entry.content else { return [] }
        return pictures.compactMap { Self.scale($0, to: canvas) }
      }
    }
    Self.withPieces(of: scaled[...], []) { body(SubtitleDrawing($0, on: canvas.size)) }
  }

  /// Nests the borrows of all arrays.
  private static func withPieces(
    of scaled: ArraySlice<Scaled>, _ pieces: [SubtitleDrawing.Piece],
    _ body: ([SubtitleDrawing.Piece]) -> Void
  ) {
    guard let first = scaled.first else { return body(pieces) }
    first.pixels.withUnsafeBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return body(pieces) }
      let piece = SubtitleDrawing.Piece(place: first.place, ink: .pixels(base, stride: first.place.width))
      withPieces(of: scaled.dropFirst(), pieces + [piece], body)
    }
  }

  /// Lays the track's canvas over the film's picture.
  private static func scale(_ bitmap: SubtitleBitmap, to canvas: SubtitleCanvas) -> Scaled? {
    let scaleX = Double(canvas.picture.width) / Double(bitmap.canvas.width)
    let scaleY = Double(canvas.picture.height) / Double(bitmap.canvas.height)
    let left = (Double(bitmap.place.x) * scaleX).rounded()
    let top = (Double(bitmap.place.y) * scaleY).rounded()
    let right = (Double(bitmap.place.x + bitmap.place.width) * scaleX).rounded()
    let bottom = (Double(bitmap.place.y + bitmap.place.height) * scaleY).rounded()
    let size = PixelSize(width: max(1, Int(right - left)), height: max(1, Int(bottom - top)))
    guard size.width.multipliedReportingOverflow(by: size.height).partialValue <= pixelLimit else {
      return nil
    }
    let place = PixelRect(
      x: canvas.picture.x + Int(left), y: canvas.picture.y + Int(top), width: size.width, height: size.height)
    if size == bitmap.place.size { return Scaled(place: place, pixels: bitmap.pixels) }
    return Scaled(place: place, pixels: resample(bitmap.pixels, of: bitmap.place.size, to: size))
  }

  /// Between the four nearest pixels; where it becomes smaller, the mean of those that a pixel covers.
  static func resample(_ pixels: [UInt32], of from: PixelSize, to size: PixelSize) -> [UInt32] {
    let columns = taps(from: from.width, to: size.width)
    let rows = taps(from: from.height, to: size.height)
    return [UInt32](unsafeUninitializedCapacity: size.width * size.height) { target, count in
      for (y, row) in rows.enumerated() {
        for (x, column) in columns.enumerated() {
          var (low, high) = (UInt64(0), UInt64(0))
          for line in 0..<row.count {
            for place in 0..<column.count {
              let pixel = UInt64(pixels[(row.first + line) * from.width + column.first + place])
              let weight = UInt64(row.weight(line)) * UInt64(column.weight(place))
              low += (pixel & 0xFF | (pixel & 0xFF00) << 24) * weight
              high += (pixel >> 16 & 0xFF | (pixel >> 16 & 0xFF00) << 24) * weight
            }
          }
          // Weights add up to 256 in each direction.
          target[y * size.width + x] =
            level(low & 0xFFFF_FFFF) | level(low >> 32) << 8 | level(high & 0xFFFF_FFFF) << 16
            | level(high >> 32) << 24
        }
      }
      count = size.width * size.height
    }
  }

  private static func level(_ sum: UInt64) -> UInt32 { UInt32(min(255, (sum + 0x8000) >> 16)) }

  /// The source pixels that one pixel is made of, and how much of each.
  private struct Taps {
    let first: Int
    let weights: [UInt32]
    var count: Int { weights.count }
    func weight(_ index: Int) -> UInt32 { weights[index] }
  }

  private static func taps(from: Int, to: Int) -> [Taps] {
    let step = Double(from) / Double(to)
    // A pixel reaches half its width, but never less than a source pixel, to each side of its middle.
    let reach = max(1, step)
    return (0..<to).map { index in
      let middle = (Double(index) + 0.5) * step - 0.5
      let first = max(0, Int((middle - reach).rounded(.down)) + 1)
      let last = min(from - 1, Int((middle + reach).rounded(.up)) - 1)
      guard first <= last else { return Taps(first: min(max(0, first), from - 1), weights: [256]) }
      let raw = (first...last).map { max(0, 1 - abs(Double($0) - middle) / reach) }
      let sum = raw.reduce(0, +)
      guard sum > 0 else { return Taps(first: first, weights: [256]) }
      var rest: Int32 = 256
      var weights = raw.map { share -> UInt32 in
        let weight = Int32((share / sum * 256).rounded())
        rest -= weight
        return UInt32(max(0, weight))
      }
      // Rounding goes to the largest.
      let largest = weights.indices.max { weights[$0] < weights[$1] } ?? 0
      weights[largest] = UInt32(max(0, Int32(weights[largest]) + rest))
      return Taps(first: first, weights: weights)
    }
  }
}
