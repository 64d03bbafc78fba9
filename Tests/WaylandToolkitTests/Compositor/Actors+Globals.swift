import TestCompositor
import Wayland

extension Actors {
  @discardableResult
  func addOutput(on server: ServerDisplay, version: UInt32) throws -> ServerGlobal {
    let global = try server.addGlobal(WlOutputResource.self, version: version) { [weak self] in
      self?.outputs.append($0)
      $0.onRequest = { _ in self?.log.append("release output") }
    }
    outputGlobals.append(global)
    return global
  }

  @discardableResult
  func addSeat(on server: ServerDisplay, version: UInt32) throws -> ServerGlobal {
    let global = try server.addGlobal(WlSeatResource.self, version: version) { [weak self] seat in
      self?.seats.append(seat)
      seat.onRequest = { self?.receive($0) }
    }
    seatGlobals.append(global)
    return global
  }

  private func receive(_ request: WlSeatResource.Request) {
    switch request {
    case .getKeyboard(let keyboard): keyboards.append(keyboard)
    case .getPointer(let pointer):
      pointers.append(pointer)
      pointer.onRequest = { [weak self] in
        guard case .setCursor(_, let surface, let x, let y) = $0 else { return }
        self?.log.append(surface == nil ? "no cursor" : "cursor at \(x),\(y)")
      }
    case .getTouch(let touch): touches.append(touch)
    case .release: log.append("release seat")
    }
  }

  func offerSinglePixels(on server: ServerDisplay) throws {
    try server.addGlobal(WpSinglePixelBufferManagerV1Resource.self, version: 1) { [weak self] manager in
      manager.onRequest = {
        guard case .createU32RgbaBuffer(let buffer, let r, let g, let b, let a) = $0 else { return }
        self?.buffers.append(buffer)
        self?.log.append("color \(r) \(g) \(b) \(a)")
      }
    }
  }

  func offerDecoration(on server: ServerDisplay) throws {
    try server.addGlobal(ZxdgDecorationManagerV1Resource.self, version: 1) { [weak self] manager in
      manager.onRequest = {
        guard case .getToplevelDecoration(let decoration, _) = $0 else { return }
        decoration.onRequest = { [weak decoration] in
          switch $0 {
          case .setMode(let mode):
            self?.log.append("decoration \(mode.rawValue)")
            decoration?.sendConfigure(.serverSide)
          case .destroy: self?.log.append("destroy decoration")
          default: break
          }
        }
      }
    }
  }

  func offerCursorShape(on server: ServerDisplay) throws {
    try server.addGlobal(WpCursorShapeManagerV1Resource.self, version: 1) { [weak self] manager in
      manager.onRequest = {
        guard case .getPointer(let device, _) = $0 else { return }
        device.onRequest = {
          if case .setShape(_, let shape) = $0 { self?.log.append("shape \(shape.rawValue)") }
        }
      }
    }
  }
}
