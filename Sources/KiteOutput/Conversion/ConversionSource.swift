package import KiteCore

/// What frames to convert have in common: everything but the memory. Equal sources share a converter.
package struct ConversionSource: Hashable {
  package var format: PixelFormat
  /// Pixels that the planes hold.
  package var codedSize: PixelSize
  /// The picture in them; may start on odd pixels of subsampled formats.
  package var crop: PixelRect
  /// How the picture is turned on its way.
  package var orientation: Orientation
  /// Matrix and range; gaps are filled by `ColorDescription.resolved`.
  package var color: ColorDescription

  package init(
    format: PixelFormat, codedSize: PixelSize, crop: PixelRect? = nil, orientation: Orientation = .upright,
    color: ColorDescription = ColorDescription()
  ) {
    self.format = format
    self.codedSize = codedSize
    self.crop = crop ?? PixelRect(x: 0, y: 0, width: codedSize.width, height: codedSize.height)
    self.orientation = orientation
    self.color = color
  }

  init(_ properties: VideoFrame.Properties) {
    self.init(
      format: properties.format, codedSize: properties.codedSize, crop: properties.crop,
      orientation: properties.orientation, color: properties.color)
  }
}

/// What a frame becomes.
package struct ConversionTarget: Hashable {
  /// `bgrx8888` (DRM XRGB8888) or `xrgb2101010`.
  package var format: PixelFormat
  /// The picture's size in the target, after the turn, in physical pixels.
  package var size: PixelSize

  package init(format: PixelFormat, size: PixelSize) {
    self.format = format
    self.size = size
  }
}

extension ConversionSource {
  /// The size at which the picture needs no scaling.
  var naturalSize: PixelSize { orientation.swapsAxes ? crop.size.transposed : crop.size }

  /// Sides up to which all arithmetic of the libraries (32-bit offsets within a row, fixed-point steps) holds.
  private static let longestSide = 16_384

  /// Nil where the numbers are those of a picture.
  func geometryError(target: PixelSize) -> ConversionError? {
    let sides = [codedSize.width, codedSize.height, crop.width, crop.height, target.width, target.height]
    let isSound =
      sides.allSatisfy { (1...Self.longestSide).contains($0) } && crop.x >= 0 && crop.y >= 0
      && crop.x <= codedSize.width - crop.width && crop.y <= codedSize.height - crop.height
    return isSound ? nil : .badGeometry(codedSize: codedSize, crop: crop, target: target)
  }
}
