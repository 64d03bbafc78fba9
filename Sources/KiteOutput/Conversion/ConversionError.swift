package import KiteCore

/// Why a frame can't be converted, or wasn't.
package enum ConversionError: Error, Hashable, CustomStringConvertible {
  /// No matrix of the libraries turns these samples into RGB.
  case unsupportedMatrix(ColorDescription.Matrix, PixelFormat)
  /// Only XRGB8888 and XRGB2101010 are written.
  case unsupportedTarget(PixelFormat)
  /// Sizes or a crop that no picture has.
  case badGeometry(codedSize: PixelSize, crop: PixelRect, target: PixelSize)
  /// A plane is missing, is not mapped, or its rows are shorter than the picture.
  case badPlane(index: Int, of: PixelFormat)
  /// The picture does not fit where it is to go.
  case bufferTooSmall(bytes: Int, needed: Int)
  /// No memory for what lies between source and target.
  case outOfMemory(bytes: Int)
  /// A library refused what it is documented to do.
  case library(String, function: String, code: Int)

  package var description: String {
    switch self {
    case .unsupportedMatrix(let matrix, let format):
      "no conversion from \(format.rawValue) with colour matrix \(matrix.rawValue) (ITU-T H.273) to RGB"
    case .unsupportedTarget(let format):
      "\(format.rawValue) can't be converted to; ask for bgrx8888 or xrgb2101010"
    case .badGeometry(let coded, let crop, let target):
      "a picture of \(crop.width)×\(crop.height) at (\(crop.x), \(crop.y)) of \(coded.width)×\(coded.height) "
        + "can't be shown as \(target.width)×\(target.height)"
    case .badPlane(let index, let format):
      "plane \(index) of a \(format.rawValue) frame is missing, not mapped, or too narrow"
    case .bufferTooSmall(let bytes, let needed):
      "the target has \(bytes) bytes, the picture needs \(needed)"
    case .outOfMemory(let bytes):
      "no memory for \(bytes) bytes of intermediate picture"
    case .library(let name, let function, let code):
      "\(name): \(function) failed with \(code)"
    }
  }
}
