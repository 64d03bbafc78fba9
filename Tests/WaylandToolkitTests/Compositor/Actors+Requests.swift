import TestCompositor
import Wayland

extension Actors {
  func receive(_ request: WlCompositorResource.Request) {
    guard case .createSurface(let surface) = request else { return }
    surfaces.append(surface)
    surface.onRequest = { [weak self] request in
      switch request {
      case .attach(let buffer, _, _): self?.log.append(buffer == nil ? "attach nil" : "attach")
      case .frame(let callback): self?.frames.append(callback)
      case .commit: self?.committed()
      case .setInputRegion(let region): self?.log.append(region == nil ? "input all" : "input region")
      case .destroy: self?.log.append("destroy surface")
      default: break
      }
    }
  }

  private func committed() {
    log.append("commit")
    for frame in frames { frame.sendDone(0) }
    frames.removeAll()
  }

  func receive(_ request: XdgWmBaseResource.Request) {
    switch request {
    case .getXdgSurface(let object, _):
      xdgSurfaces.append(object)
      object.onRequest = { [weak self] in self?.receive($0) }
    case .pong(let serial): log.append("pong \(serial)")
    default: break
    }
  }

  private func receive(_ request: XdgSurfaceResource.Request) {
    switch request {
    case .getToplevel(let object):
      toplevels.append(object)
      object.onRequest = { [weak self] in self?.receive($0) }
    case .ackConfigure(let serial): log.append("ack \(serial)")
    case .setWindowGeometry(_, _, let width, let height): log.append("geometry \(width)x\(height)")
    case .destroy: log.append("destroy xdg_surface")
    default: break
    }
  }

  private func receive(_ request: XdgToplevelResource.Request) {
    switch request {
    case .setTitle(let title): log.append("title \(title)")
    case .setAppId(let id): log.append("app id \(id)")
    case .setFullscreen(let output): log.append(output == nil ? "fullscreen" : "fullscreen on output")
    case .unsetFullscreen: log.append("no fullscreen")
    case .setMaximized: log.append("maximized")
    case .setMinimized: log.append("minimized")
    case .destroy: log.append("destroy toplevel")
    default: break
    }
  }

  func receive(_ request: WlShmResource.Request) {
    guard case .createPool(let pool, _, let size) = request else { return }
    log.append("pool \(size)")
    pool.onRequest = { [weak self] in
      guard case .createBuffer(let buffer, let offset, let width, let height, let stride, let format) = $0
      else { return }
      self?.buffers.append(buffer)
      self?.log.append("buffer \(width)x\(height) at \(offset) stride \(stride) format \(format.rawValue)")
    }
  }

  func receive(_ request: WlSubcompositorResource.Request) {
    guard case .getSubsurface(let object, _, _) = request else { return }
    object.onRequest = { [weak self] in
      switch $0 {
      case .setPosition(let x, let y): self?.log.append("position \(x),\(y)")
      case .setSync: self?.log.append("sync")
      case .setDesync: self?.log.append("desync")
      case .destroy: self?.log.append("destroy subsurface")
      default: break
      }
    }
  }
}
