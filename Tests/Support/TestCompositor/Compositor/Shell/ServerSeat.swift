internal import Wayland

extension CompositorCore {
  /// A seat that nobody sits at: it is named, and has no devices.
  func bind(_ seat: WlSeatResource) {
    seat.sendName("seat0")
    seat.sendCapabilities([])
    seat.onRequest = { [weak seat] request in
      if case .release = request { return }
      seat?.postError(code: WlSeat.Error.missingCapability.rawValue, "the seat has no devices")
    }
  }
}
