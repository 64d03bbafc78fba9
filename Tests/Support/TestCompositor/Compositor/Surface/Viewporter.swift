internal import Wayland

extension CompositorCore {
  func bind(_ viewporter: WpViewporterResource) {
    viewporter.onRequest = { [weak self, weak viewporter] request in
      guard case .getViewport(let viewport, let surface) = request, let self,
        let surface = surface.flatMap({ self.surface(of: $0) })
      else { return }
      guard surface.viewport == nil else {
        viewporter?.postError(
          code: WpViewporter.Error.viewportExists.rawValue, "the surface has a viewport already")
        return
      }
      surface.viewport = viewport
      viewport.onRequest = { [weak surface, weak viewport] request in
        guard let viewport else { return }
        Viewport.receive(request, viewport: viewport, surface: surface)
      }
      viewport.onDestroyed = { [weak surface] in
        surface?.viewport = nil
        surface?.pending.source = .to(nil)
        surface?.pending.destination = .to(nil)
      }
    }
  }
}

/// The rules of `wp_viewport`'s requests.
enum Viewport {
  static func receive(
    _ request: WpViewportResource.Request, viewport: WpViewportResource, surface: ServerSurface?
  ) {
    if case .destroy = request { return }
    guard let surface, surface.isAlive else {
      return viewport.postError(code: WpViewport.Error.noSurface.rawValue, "the surface was destroyed")
    }
    switch request {
    case .destroy: break
    case .setSource(let x, let y, let width, let height):
      let values = [x, y, width, height].map(\.doubleValue)
      if values == [-1, -1, -1, -1] {
        surface.pending.source = .to(nil)
        return
      }
      guard values[0] >= 0, values[1] >= 0, values[2] > 0, values[3] > 0 else {
        return viewport.postError(code: WpViewport.Error.badValue.rawValue, "source \(values)")
      }
      surface.pending.source = .to(SourceRect(values[0], values[1], values[2], values[3]))
    case .setDestination(let width, let height):
      if width == -1, height == -1 {
        surface.pending.destination = .to(nil)
        return
      }
      guard width > 0, height > 0 else {
        return viewport.postError(code: WpViewport.Error.badValue.rawValue, "destination \(width)x\(height)")
      }
      surface.pending.destination = .to(SurfaceSize(Int(width), Int(height)))
    }
  }
}
