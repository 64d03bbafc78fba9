/// What the numbers of a frame mean as colours. Raw values are the code points of ITU-T H.273; unknown ones survive.
public struct ColorDescription: Hashable, Sendable {
  /// Matrix coefficients between RGB and the stored components (H.273 MatrixCoefficients).
  public struct Matrix: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    /// Wraps an H.273 code point.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Stored as R, G, B.
    public static let identity = Matrix(rawValue: 0)
    public static let bt709 = Matrix(rawValue: 1)
    public static let unspecified = Matrix(rawValue: 2)
    public static let fcc = Matrix(rawValue: 4)
    /// BT.470BG: the same numbers as `smpte170m`.
    public static let bt470bg = Matrix(rawValue: 5)
    /// BT.601.
    public static let smpte170m = Matrix(rawValue: 6)
    public static let smpte240m = Matrix(rawValue: 7)
    public static let ycgco = Matrix(rawValue: 8)
    /// BT.2020 non-constant luminance.
    public static let bt2020 = Matrix(rawValue: 9)
    public static let bt2020ConstantLuminance = Matrix(rawValue: 10)
    public static let ictcp = Matrix(rawValue: 14)
  }

  /// Colour primaries (H.273 ColourPrimaries).
  public struct Primaries: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    /// Wraps an H.273 code point.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let bt709 = Primaries(rawValue: 1)
    public static let unspecified = Primaries(rawValue: 2)
    public static let bt470bg = Primaries(rawValue: 5)
    public static let smpte170m = Primaries(rawValue: 6)
    public static let bt2020 = Primaries(rawValue: 9)
    public static let displayP3 = Primaries(rawValue: 12)
  }

  /// Transfer characteristics (H.273 TransferCharacteristics).
  public struct Transfer: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    /// Wraps an H.273 code point.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let bt709 = Transfer(rawValue: 1)
    public static let unspecified = Transfer(rawValue: 2)
    public static let srgb = Transfer(rawValue: 13)
    /// SMPTE ST 2084, perceptual quantizer.
    public static let pq = Transfer(rawValue: 16)
    /// ARIB STD-B67, hybrid log-gamma.
    public static let hlg = Transfer(rawValue: 18)
  }

  /// Which part of the numeric range carries the signal.
  public enum Range: Hashable, Sendable {
    case unspecified
    /// 16…235 (chroma 16…240) of 255.
    case limited
    /// 0…255.
    case full
  }

  /// Where chroma samples sit between luma samples (H.273 ChromaSampleLocType; `unspecified` is not a code point).
  public enum ChromaLocation: Hashable, Sendable {
    case unspecified, left, center, topLeft, top, bottomLeft, bottom
  }

  /// Matrix between RGB and the stored components.
  public var matrix: Matrix
  /// Primaries of the RGB space.
  public var primaries: Primaries
  /// Transfer between light and signal.
  public var transfer: Transfer
  /// Part of the numeric range in use.
  public var range: Range
  /// Siting of subsampled chroma.
  public var chromaLocation: ChromaLocation

  /// A description; whatever is not given is unspecified.
  public init(
    matrix: Matrix = .unspecified, primaries: Primaries = .unspecified, transfer: Transfer = .unspecified,
    range: Range = .unspecified, chromaLocation: ChromaLocation = .unspecified
  ) {
    self.matrix = matrix
    self.primaries = primaries
    self.transfer = transfer
    self.range = range
    self.chromaLocation = chromaLocation
  }

  /// The description with its gaps filled by convention: RGB is full-range identity; YUV is limited, BT.709 from
  /// 720 lines or 1280 columns up, BT.601 below; 4:2:0 chroma sits left.
  public func resolved(for format: PixelFormat, size: PixelSize) -> ColorDescription {
    var result = self
    let isRGB = format.model == .rgb
    if isRGB {
      result.matrix = .identity
      if range == .unspecified { result.range = .full }
    }
    let isHD = size.height >= 720 || size.width >= 1280
    if result.matrix == .unspecified || (!isRGB && result.matrix == .identity && format.model == .gray) {
      result.matrix = primaries == .bt2020 ? .bt2020 : isHD ? .bt709 : .smpte170m
    }
    if result.range == .unspecified { result.range = .limited }
    if result.chromaLocation == .unspecified { result.chromaLocation = .left }
    if result.primaries == .unspecified { result.primaries = isHD ? .bt709 : .smpte170m }
    if result.transfer == .unspecified { result.transfer = .bt709 }
    return result
  }
}
