public import KiteCore

/// Where a picture goes in a view: the part of the picture that shows, and where it shows.
public struct PictureLayout: Hashable, Sendable {
  /// A rectangle with fractions, in pixels.
  public struct Rect: Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    /// A rectangle at (`x`, `y`).
    public init(x: Double, y: Double, width: Double, height: Double) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// The part of the shown picture (upright, square pixels: `VideoFrame.Properties.displaySize`) that is visible.
  public let source: Rect
  /// Where that part goes, in whole pixels of the view; never empty, never outside.
  public let destination: PixelRect

  /// Lays a picture of `picture` square pixels into a view of `view` pixels.
  ///
  /// - Returns: nil when either is empty.
  public init?(picture: PixelSize, in view: PixelSize, scaleMode: ScaleMode) {
    guard !picture.isEmpty, !view.isEmpty else { return nil }
    let whole = Rect(x: 0, y: 0, width: Double(picture.width), height: Double(picture.height))
    let all = PixelRect(x: 0, y: 0, width: view.width, height: view.height)
    let scaleX = Double(view.width) / whole.width
    let scaleY = Double(view.height) / whole.height
    switch scaleMode {
    case .stretch:
      source = whole
      destination = all
    case .fit:
      let scale = min(scaleX, scaleY)
      // The side that decides fills the view exactly, whatever the arithmetic says.
      let width = scaleX <= scaleY ? view.width : Self.side(whole.width * scale, atMost: view.width)
      let height = scaleY <= scaleX ? view.height : Self.side(whole.height * scale, atMost: view.height)
      source = whole
      destination = PixelRect(
        x: (view.width - width) / 2, y: (view.height - height) / 2, width: width, height: height)
    case .fill:
      let scale = max(scaleX, scaleY)
      let width = min(whole.width, Double(view.width) / scale)
      let height = min(whole.height, Double(view.height) / scale)
      source = Rect(
        x: (whole.width - width) / 2, y: (whole.height - height) / 2, width: width, height: height)
      destination = all
    }
  }

  private static func side(_ length: Double, atMost limit: Int) -> Int {
    min(limit, max(1, Int(length.rounded())))
  }
}
