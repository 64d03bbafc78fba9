import TestCompositor
import Testing
import Wayland

/// The compositor's objects, as the client makes them, and what it asked of them.
final class Actors {
  var surfaces: [WlSurfaceResource] = []
  var toplevels: [XdgToplevelResource] = []
  var xdgSurfaces: [XdgSurfaceResource] = []
  var shells: [XdgWmBaseResource] = []
  var outputs: [WlOutputResource] = []
  var seats: [WlSeatResource] = []
  var keyboards: [WlKeyboardResource] = []
  var pointers: [WlPointerResource] = []
  var touches: [WlTouchResource] = []
  var buffers: [WlBufferResource] = []
  /// Frame callbacks that the next commit of any surface answers.
  var frames: [WlCallbackResource] = []
  var outputGlobals: [ServerGlobal] = []
  var seatGlobals: [ServerGlobal] = []
  /// What windows and surfaces were asked, in order: `commit`, `ack 7`, `attach`, `attach nil`, …
  var log: [String] = []

  func configure(
    width: Int32, height: Int32, states: [XdgToplevel.State] = [], serial: UInt32
  ) throws {
    let toplevel = try #require(toplevels.last)
    let surface = try #require(xdgSurfaces.last)
    toplevel.sendConfigure(width: width, height: height, states: states.map(\.rawValue).wireBytes)
    surface.sendConfigure(serial)
  }

  func offer(_ offer: Offer, on server: ServerDisplay) throws {
    if offer.compositor > 0 {
      try server.addGlobal(WlCompositorResource.self, version: offer.compositor) { [weak self] object in
        object.onRequest = { self?.receive($0) }
      }
    }
    if offer.shell > 0 {
      try server.addGlobal(XdgWmBaseResource.self, version: offer.shell) { [weak self] object in
        self?.shells.append(object)
        object.onRequest = { self?.receive($0) }
      }
    }
    if offer.output > 0 { try addOutput(on: server, version: offer.output) }
    if offer.seat > 0 { try addSeat(on: server, version: offer.seat) }
    if offer.subcompositor > 0 {
      try server.addGlobal(WlSubcompositorResource.self, version: 1) { [weak self] object in
        object.onRequest = { self?.receive($0) }
      }
    }
    if offer.shm > 0 {
      try server.addGlobal(WlShmResource.self, version: 1) { [weak self] object in
        for format in [0, 1, 0x3231_564e] as [UInt32] { object.sendFormat(WlShm.Format(rawValue: format)) }
        object.onRequest = { self?.receive($0) }
      }
    }
    if offer.singlePixel > 0 { try offerSinglePixels(on: server) }
    if offer.decoration > 0 { try offerDecoration(on: server) }
    if offer.cursorShape > 0 { try offerCursorShape(on: server) }
  }
}

extension [UInt32] {
  /// The values as an array argument carries them.
  var wireBytes: [UInt8] { withUnsafeBytes { [UInt8]($0) } }
}
