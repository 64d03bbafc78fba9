import CFFmpeg
import KiteCore

extension ColorDescription {
  /// What the container says.
  init(_ parameters: AVCodecParameters) {
    self.init(
      space: parameters.color_space, primaries: parameters.color_primaries, transfer: parameters.color_trc,
      range: parameters.color_range, location: parameters.chroma_location)
  }

  /// What the frame says.
  init(_ frame: UnsafeMutablePointer<AVFrame>) {
    self.init(
      space: frame.pointee.colorspace, primaries: frame.pointee.color_primaries,
      transfer: frame.pointee.color_trc, range: frame.pointee.color_range,
      location: frame.pointee.chroma_location)
  }

  private init(
    space: AVColorSpace, primaries: AVColorPrimaries, transfer: AVColorTransferCharacteristic,
    range: AVColorRange, location: AVChromaLocation
  ) {
    // FFmpeg's values are H.273's; 3 is reserved there, and what doesn't fit a byte is nobody's.
    self.init(
      matrix: Matrix(rawValue: Self.codePoint(space.rawValue)),
      primaries: Primaries(rawValue: Self.codePoint(primaries.rawValue)),
      transfer: Transfer(rawValue: Self.codePoint(transfer.rawValue)),
      range: range == AVCOL_RANGE_JPEG ? .full : range == AVCOL_RANGE_MPEG ? .limited : .unspecified,
      chromaLocation: Self.location(location))
  }

  private static func codePoint(_ value: UInt32) -> UInt8 {
    value == 3 ? 2 : UInt8(exactly: value) ?? 2
  }

  private static func location(_ value: AVChromaLocation) -> ChromaLocation {
    switch value {
    case AVCHROMA_LOC_LEFT: .left
    case AVCHROMA_LOC_CENTER: .center
    case AVCHROMA_LOC_TOPLEFT: .topLeft
    case AVCHROMA_LOC_TOP: .top
    case AVCHROMA_LOC_BOTTOMLEFT: .bottomLeft
    case AVCHROMA_LOC_BOTTOM: .bottom
    default: .unspecified
    }
  }

  /// This description, its gaps filled from `other`.
  func completed(from other: ColorDescription) -> ColorDescription {
    var result = self
    if result.matrix == .unspecified { result.matrix = other.matrix }
    if result.primaries == .unspecified { result.primaries = other.primaries }
    if result.transfer == .unspecified { result.transfer = other.transfer }
    if result.range == .unspecified { result.range = other.range }
    if result.chromaLocation == .unspecified { result.chromaLocation = other.chromaLocation }
    return result
  }
}
