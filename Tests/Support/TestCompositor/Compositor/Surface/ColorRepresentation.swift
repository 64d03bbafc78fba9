internal import Wayland

/// What a surface's buffers were said to be, by `color-representation-v1`.
public struct RepresentedColors: Hashable, Sendable {
  /// A matrix and a range that can be told together.
  public struct Numbers: Hashable, Sendable {
    /// `wp_color_representation_surface_v1.coefficients`.
    public var coefficients: UInt32
    /// Whether black is 0 and white the largest number.
    public var isFullRange: Bool

    /// A pair.
    public init(_ coefficients: UInt32, isFullRange: Bool = false) {
      self.coefficients = coefficients
      self.isFullRange = isFullRange
    }

    public static let bt709 = Numbers(2)
    public static let bt709Full = Numbers(2, isFullRange: true)
    public static let bt601 = Numbers(4)
    public static let bt601Full = Numbers(4, isFullRange: true)
    public static let bt2020 = Numbers(6)
  }

  /// Matrix and range; nil for what the compositor takes by itself.
  public var numbers: Numbers?
  /// Where 4:2:0 chroma sits, by the protocol's number; nil for nothing said.
  public var chromaLocation: UInt32?

  /// Colours; by default nothing is said.
  public init(numbers: Numbers? = nil, chromaLocation: UInt32? = nil) {
    self.numbers = numbers
    self.chromaLocation = chromaLocation
  }
}

extension CompositorCore {
  func bind(_ manager: WpColorRepresentationManagerV1Resource) {
    for numbers in configuration.representable {
      manager.sendSupportedCoefficientsAndRanges(
        coefficients: WpColorRepresentationSurfaceV1.Coefficients(rawValue: numbers.coefficients),
        range: numbers.isFullRange ? .full : .limited)
    }
    manager.sendDone()
    manager.onRequest = { [weak self, weak manager] request in
      guard case .getSurface(let object, let surface) = request, let self,
        let surface = surface.flatMap({ self.surface(of: $0) })
      else { return }
      guard surface.representation == nil else {
        manager?.postError(
          code: WpColorRepresentationManagerV1.Error.surfaceExists.rawValue, "one exists already")
        return
      }
      surface.representation = object
      let announced = configuration.representable
      object.onRequest = { [weak surface, weak object] request in
        guard let object else { return }
        ColorRepresentation.receive(request, of: object, surface: surface, announced: announced)
      }
      object.onDestroyed = { [weak surface] in
        surface?.representation = nil
        surface?.pendingColors = RepresentedColors()
        surface?.pending.colors = .to(RepresentedColors())
      }
    }
  }
}

/// The rules of `wp_color_representation_surface_v1`'s requests.
enum ColorRepresentation {
  static func receive(
    _ request: WpColorRepresentationSurfaceV1Resource.Request,
    of object: WpColorRepresentationSurfaceV1Resource, surface: ServerSurface?,
    announced: [RepresentedColors.Numbers]
  ) {
    if case .destroy = request { return }
    func fail(_ error: WpColorRepresentationSurfaceV1.Error, _ message: String) {
      object.postError(code: error.rawValue, message)
    }
    guard let surface, surface.isAlive else { return fail(.inert, "the surface was destroyed") }
    switch request {
    case .destroy: break
    case .setAlphaMode(let mode): fail(.alphaMode, "alpha mode \(mode.rawValue) was not announced")
    case .setCoefficientsAndRange(let coefficients, let range):
      let numbers = RepresentedColors.Numbers(coefficients.rawValue, isFullRange: range == .full)
      guard announced.contains(numbers) else { return fail(.coefficients, "\(numbers) was not announced") }
      surface.pendingColors.numbers = numbers
      surface.pending.colors = .to(surface.pendingColors)
    case .setChromaLocation(let location):
      guard (1...6).contains(location.rawValue) else {
        return fail(.chromaLocation, "chroma location \(location.rawValue)")
      }
      surface.pendingColors.chromaLocation = location.rawValue
      surface.pending.colors = .to(surface.pendingColors)
    }
  }

  /// What is wrong about a buffer of this format with these colours; nil when nothing is.
  static func mistake(_ colors: RepresentedColors, with buffer: ServerBuffer) -> String? {
    let format = buffer.shmFormat
    let isYUV = format.map { $0.isYUV } ?? false
    if let numbers = colors.numbers, (numbers.coefficients == 1) == isYUV {
      return "\(numbers) for a buffer of \(format.map { $0.rawValue } ?? "one colour")"
    }
    if colors.chromaLocation != nil, format?.isQuartered != true {
      return "a chroma location for a buffer of \(format.map { $0.rawValue } ?? "one colour")"
    }
    return nil
  }
}
