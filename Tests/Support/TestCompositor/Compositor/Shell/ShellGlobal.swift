internal import Wayland

/// One client's `xdg_wm_base`.
final class ShellGlobal {
  let resource: XdgWmBaseResource
  private unowned let core: CompositorCore
  private var windows: [ServerWindow] = []
  /// Pings that were not answered.
  private(set) var openPings: Set<UInt32> = []

  init(_ resource: XdgWmBaseResource, core: CompositorCore) {
    self.resource = resource
    self.core = core
    resource.onRequest = { [weak self] in self?.receive($0) }
    resource.onDestroyed = { [weak self, weak core] in
      guard let self else { return }
      core?.remove(self)
    }
  }

  private func receive(_ request: XdgWmBaseResource.Request) {
    switch request {
    case .destroy:
      if !windows.isEmpty { post(.defunctSurfaces, "\(windows.count) windows are left") }
    case .createPositioner: break
    case .getXdgSurface(let id, let surface):
      guard let surface = surface.flatMap({ core.surface(of: $0) }) else { return }
      makeWindow(id, surface)
    case .pong(let serial): openPings.remove(serial)
    }
  }

  private func makeWindow(_ id: XdgSurfaceResource, _ surface: ServerSurface) {
    guard case .none = surface.role else { return post(.role, "the surface has a role already") }
    guard surface.content.buffer == nil, surface.pending.buffer.value ?? nil == nil else {
      return post(.invalidSurfaceState, "the surface has a buffer already")
    }
    let window = ServerWindow(id, surface: surface, shell: self, core: core)
    surface.role = .window(window)
    windows.append(window)
    core.add(window)
  }

  func ping() {
    guard let serial = core.nextSerial else { return }
    openPings.insert(serial)
    resource.sendPing(serial)
  }

  func remove(_ window: ServerWindow) { windows.removeAll { $0 === window } }

  private func post(_ error: XdgWmBase.Error, _ message: String) {
    resource.postError(code: error.rawValue, message)
  }
}

extension CompositorCore {
  func bind(_ manager: ZxdgDecorationManagerV1Resource) {
    manager.onRequest = { [weak self] request in
      guard case .getToplevelDecoration(let object, let toplevel) = request,
        let window = self?.windows.first(where: { $0.toplevel === toplevel })
      else { return }
      guard window.surface.content.buffer == nil else {
        return object.postError(
          code: ZxdgToplevelDecorationV1.Error.unconfiguredBuffer.rawValue, "the window has a buffer already")
      }
      guard window.add(object) else {
        return object.postError(
          code: ZxdgToplevelDecorationV1.Error.alreadyConstructed.rawValue, "one exists already")
      }
      object.onRequest = { [weak window] request in
        switch request {
        case .destroy: break
        case .setMode, .unsetMode:
          if let window, window.stage != .fresh { window.sendConfigure() }
        }
      }
    }
  }
}
