import Wayland

/// What a surface's `color-representation-v1` object has been told, so that only changes are said. Belongs to the
/// presenter; every call is part of a commit.
struct SurfaceColors {
  private let manager: WpColorRepresentationManagerV1?
  private var object: WpColorRepresentationSurfaceV1?
  private var told: ColorReading?

  /// The colours of a surface that nothing has been said of; without a `manager` nothing ever is.
  init(_ manager: WpColorRepresentationManagerV1?) { self.manager = manager }

  /// Tells how the buffer of the commit to come is to be read; nil takes back what was said, as RGB buffers want it.
  ///
  /// Only numbers that the compositor has announced may be told: what it does not know is a protocol error.
  mutating func apply(_ reading: ColorReading?, to surface: WlSurface, use: inout SurfaceUse) {
    guard reading != told, let manager else { return }
    // What was said of chroma can't be taken back but with everything else.
    if reading == nil || (reading?.chroma == nil && told?.chroma != nil) { takeBack(&use) }
    guard let reading else { return }
    let object = self.object ?? manager.getSurface(surface)
    self.object = object
    use.representation = object.handle
    if reading.numbers != told?.numbers {
      object.setCoefficientsAndRange(coefficients: reading.numbers.coefficients, range: reading.numbers.range)
    }
    if let chroma = reading.chroma, chroma != told?.chroma { object.setChromaLocation(chroma) }
    told = reading
  }

  private mutating func takeBack(_ use: inout SurfaceUse) {
    use.representation = nil
    object?.destroy()
    object = nil
    told = nil
  }
}
