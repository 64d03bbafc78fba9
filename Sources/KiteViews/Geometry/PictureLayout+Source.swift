public import KiteCore

extension VideoFrame.Properties {
  /// The part `shown` of the display picture (`displaySize`, upright) in pixels of the turned coded frame: what
  /// `wp_viewport.set_source` wants.
  public func orientedSource(of shown: PictureLayout.Rect) -> PictureLayout.Rect {
    let turned = turn(crop, in: codedSize)
    let display = displaySize
    guard !display.isEmpty else { return turned }
    let scaleX = turned.width / Double(display.width)
    let scaleY = turned.height / Double(display.height)
    return PictureLayout.Rect(
      x: turned.x + shown.x * scaleX, y: turned.y + shown.y * scaleY, width: shown.width * scaleX,
      height: shown.height * scaleY)
  }

  /// The part `shown` of the display picture in whole pixels of the coded frame, before any turn.
  public func codedSource(of shown: PictureLayout.Rect) -> PixelRect {
    let display = displaySize
    guard !display.isEmpty else { return crop }
    // As fractions of the upright picture, turned back into fractions of the crop.
    var (left, top) = (shown.x / Double(display.width), shown.y / Double(display.height))
    var (right, bottom) = (
      left + shown.width / Double(display.width), top + shown.height / Double(display.height)
    )
    switch orientation.rotation {
    case .none: break
    case .clockwise90: (left, top, right, bottom) = (top, 1 - right, bottom, 1 - left)
    case .half: (left, top, right, bottom) = (1 - right, 1 - bottom, 1 - left, 1 - top)
    case .clockwise270: (left, top, right, bottom) = (1 - bottom, left, 1 - top, right)
    }
    if orientation.isMirrored { (left, right) = (1 - right, 1 - left) }
    let x = Int((left * Double(crop.width)).rounded())
    let y = Int((top * Double(crop.height)).rounded())
    let width = max(1, Int((right * Double(crop.width)).rounded()) - x)
    let height = max(1, Int((bottom * Double(crop.height)).rounded()) - y)
    return PixelRect(
      x: crop.x + min(x, crop.width - 1), y: crop.y + min(y, crop.height - 1),
      width: min(width, crop.width - min(x, crop.width - 1)),
      height: min(height, crop.height - min(y, crop.height - 1)))
  }

  /// A rectangle of the coded frame after mirroring and turning the whole frame.
  private func turn(_ rect: PixelRect, in size: PixelSize) -> PictureLayout.Rect {
    var (x, y) = (Double(rect.x), Double(rect.y))
    let (width, height) = (Double(rect.width), Double(rect.height))
    if orientation.isMirrored { x = Double(size.width) - x - width }
    switch orientation.rotation {
    case .none:
      return PictureLayout.Rect(x: x, y: y, width: width, height: height)
    case .clockwise90:
      (x, y) = (Double(size.height) - y - height, x)
      return PictureLayout.Rect(x: x, y: y, width: height, height: width)
    case .half:
      (x, y) = (Double(size.width) - x - width, Double(size.height) - y - height)
      return PictureLayout.Rect(x: x, y: y, width: width, height: height)
    case .clockwise270:
      (x, y) = (y, Double(size.width) - x - width)
      return PictureLayout.Rect(x: x, y: y, width: height, height: width)
    }
  }
}
