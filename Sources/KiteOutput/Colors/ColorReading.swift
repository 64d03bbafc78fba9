import KiteCore
import Wayland

/// How the compositor is told to read the numbers of YUV buffers, in the words of `color-representation-v1`.
struct ColorReading: Hashable, Sendable {
  /// Matrix and range: the compositor announces which of them it understands.
  struct Numbers: Hashable, Sendable {
    let coefficients: WpColorRepresentationSurfaceV1.Coefficients
    let range: WpColorRepresentationSurfaceV1.Range
  }

  let numbers: Numbers
  /// Where the colour samples of 4:2:0 sit; nil where nothing is to be said of it, as for every other format: said of one,
  /// it is a protocol error.
  let chroma: WpColorRepresentationSurfaceV1.ChromaLocation?

  /// What is to be said of frames like this one; nil where the protocol has no words for it.
  init?(_ frame: VideoFrame.Properties) {
    guard frame.format.model == .yuv, let numbers = Numbers(frame.color) else { return nil }
    self.numbers = numbers
    let (shiftX, shiftY) = frame.format.chromaShift
    chroma = shiftX == 1 && shiftY == 1 ? Self.location(frame.color.chromaLocation) : nil
  }

  private static func location(
    _ location: ColorDescription.ChromaLocation
  ) -> WpColorRepresentationSurfaceV1.ChromaLocation? {
    switch location {
    case .unspecified: nil
    case .left: .type0
    case .center: .type1
    case .topLeft: .type2
    case .top: .type3
    case .bottomLeft: .type4
    case .bottom: .type5
    }
  }
}

extension ColorReading.Numbers {
  /// Nil for what the protocol has no words for, and for what is not known.
  init?(_ color: ColorDescription) {
    switch color.matrix {
    case .bt709: coefficients = .bt709
    case .fcc: coefficients = .fcc
    case .bt470bg, .smpte170m: coefficients = .bt601
    case .smpte240m: coefficients = .smpte240
    case .bt2020: coefficients = .bt2020
    case .bt2020ConstantLuminance: coefficients = .bt2020Cl
    case .ictcp: coefficients = .ictcp
    default: return nil
    }
    switch color.range {
    case .limited: range = .limited
    case .full: range = .full
    case .unspecified: return nil
    }
  }
}
