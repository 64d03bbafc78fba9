import KiteCore

/// A rectangle of pixels in memory, ready to be read: the planes start at its first pixel.
struct PictureView {
  struct Plane {
    var base: UnsafeRawPointer
    var stride: Int
  }

  var format: PixelFormat
  var size: PixelSize
  /// At most three: an alpha plane is left out.
  var planes: [Plane]
  /// How many pixels of the first chroma sample lie left of and above the picture: 1 where a crop starts on an odd
  /// pixel.
  var phase = (x: 0, y: 0)

  init(format: PixelFormat, size: PixelSize, planes: [Plane]) {
    self.format = format
    self.size = size
    self.planes = planes
  }

  /// The picture of a frame: its planes moved to where the crop begins.
  init(_ source: ConversionSource, planes: [VideoPlane]) throws(ConversionError) {
    format = source.format
    size = source.crop.size
    let layouts = source.format.planes.prefix(3)
    guard planes.count >= layouts.count else {
      throw .badPlane(index: planes.count, of: source.format)
    }
    self.planes = []
    self.planes.reserveCapacity(3)
    let (shiftX, shiftY) = source.format.chromaShift
    phase = (source.crop.x & ((1 << shiftX) - 1), source.crop.y & ((1 << shiftY) - 1))
    for (index, layout) in layouts.enumerated() {
      let stride = planes[index].stride
      guard let base = planes[index].baseAddress,
        abs(stride) >= layout.rowBytes(width: source.codedSize.width), abs(stride) <= Int(Int32.max)
      else { throw .badPlane(index: index, of: source.format) }
      let offset =
        (source.crop.y >> layout.shiftY) * stride + (source.crop.x >> layout.shiftX) * layout.bytesPerSample
      self.planes.append(Plane(base: base + offset, stride: stride))
    }
  }

  /// Some rows of the picture, as a picture.
  func rows(_ rows: Range<Int>) -> PictureView {
    var part = self
    part.size.height = rows.count
    let layouts = format.planes
    let (_, shiftY) = format.chromaShift
    part.phase.y = (phase.y + rows.lowerBound) & ((1 << shiftY) - 1)
    for index in planes.indices {
      let row = (rows.lowerBound + (layouts[index].shiftY > 0 ? phase.y : 0)) >> layouts[index].shiftY
      part.planes[index].base += row * planes[index].stride
    }
    return part
  }

  /// Some columns of the picture, as a picture.
  func columns(_ columns: Range<Int>) -> PictureView {
    var part = self
    part.size.width = columns.count
    let layouts = format.planes
    let (shiftX, _) = format.chromaShift
    part.phase.x = (phase.x + columns.lowerBound) & ((1 << shiftX) - 1)
    for index in planes.indices {
      let column = (columns.lowerBound + (layouts[index].shiftX > 0 ? phase.x : 0)) >> layouts[index].shiftX
      part.planes[index].base += column * layouts[index].bytesPerSample
    }
    return part
  }

  /// Samples that hold the picture's chroma, across and down.
  var chromaSize: PixelSize {
    let (shiftX, shiftY) = format.chromaShift
    return PixelSize(
      width: (size.width + phase.x + (1 << shiftX) - 1) >> shiftX,
      height: (size.height + phase.y + (1 << shiftY) - 1) >> shiftY)
  }
}
