/// A layout of `wl_shm` memory that this compositor can read.
public enum ShmFormat: String, Hashable, Sendable, CaseIterable {
  case argb8888 = "AR24"
  case xrgb8888 = "XR24"
  case xrgb2101010 = "XR30"
  case yuv420 = "YU12"
  case yuv422 = "YU16"
  case yuv444 = "YU24"
  case nv12 = "NV12"
  case p010 = "P010"

  /// The DRM fourcc.
  public var fourcc: UInt32 {
    rawValue.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The number on the wire: two are older than the fourccs.
  public var wire: UInt32 {
    switch self {
    case .argb8888: 0
    case .xrgb8888: 1
    default: fourcc
    }
  }

  /// The format of a number on the wire, if it is known here.
  public init?(wire: UInt32) {
    guard let found = Self.allCases.first(where: { $0.wire == wire }) else { return nil }
    self = found
  }

  /// A plane: bytes a sample, and how many pixels share one as powers of two.
  struct Plane {
    let bytes: Int
    let shiftX: Int
    let shiftY: Int
  }

  var planes: [Plane] {
    let luma = Plane(bytes: 1, shiftX: 0, shiftY: 0)
    return switch self {
    case .argb8888, .xrgb8888, .xrgb2101010: [Plane(bytes: 4, shiftX: 0, shiftY: 0)]
    case .yuv420: [luma, Plane(bytes: 1, shiftX: 1, shiftY: 1), Plane(bytes: 1, shiftX: 1, shiftY: 1)]
    case .yuv422: [luma, Plane(bytes: 1, shiftX: 1, shiftY: 0), Plane(bytes: 1, shiftX: 1, shiftY: 0)]
    case .yuv444: [luma, luma, luma]
    case .nv12: [luma, Plane(bytes: 2, shiftX: 1, shiftY: 1)]
    case .p010: [Plane(bytes: 2, shiftX: 0, shiftY: 0), Plane(bytes: 4, shiftX: 1, shiftY: 1)]
    }
  }

  /// Where the planes of a buffer begin, their strides, and where the memory ends. `wl_shm` states the first plane's
  /// stride; the others follow from it and lie one after another.
  func layout(stride: Int, height: Int) -> (planes: [(offset: Int, stride: Int)], byteCount: Int) {
    var offset = 0
    var result: [(offset: Int, stride: Int)] = []
    for plane in planes {
      let samples = (stride / planes[0].bytes) >> plane.shiftX
      let planeStride = plane.shiftX == 0 && plane.bytes == planes[0].bytes ? stride : samples * plane.bytes
      result.append((offset, planeStride))
      offset += planeStride * ((height + (1 << plane.shiftY) - 1) >> plane.shiftY)
    }
    return (result, offset)
  }

  /// The least stride of a row.
  func minimumStride(width: Int) -> Int { width * planes[0].bytes }
}

extension ShmFormat {
  /// Luma and colour differences.
  var isYUV: Bool { planes.count > 1 }
  /// 4:2:0: four pixels share their colour differences.
  var isQuartered: Bool { planes.contains { $0.shiftX == 1 && $0.shiftY == 1 } }
}

/// How YUV is read.
struct YUVInterpretation {
  var matrix: YUVMatrix
  var isFullRange = false

  /// As told, else as the compositor reads by itself.
  init(_ colors: RepresentedColors, else matrix: YUVMatrix) {
    self.matrix = matrix
    guard let numbers = colors.numbers else { return }
    self.matrix = numbers.coefficients == RepresentedColors.Numbers.bt709.coefficients ? .bt709 : .bt601
    isFullRange = numbers.isFullRange
  }
}

/// The numbers by which YUV is read; in limited range where nothing is told.
public enum YUVMatrix: Hashable, Sendable {
  case bt601, bt709
}
