internal import Wayland

/// A `wl_subsurface`.
final class ServerSubsurface {
  let resource: WlSubsurfaceResource
  let surface: ServerSurface
  private(set) weak var parent: ServerSurface?
  private(set) var isSynchronized = true
  /// Applied with the parent's state.
  var position = (x: 0, y: 0)

  init(_ resource: WlSubsurfaceResource, surface: ServerSurface, parent: ServerSurface) {
    self.resource = resource
    self.surface = surface
    self.parent = parent
    parent.pendingStack.append(.child(surface))
    parent.pending.stack = .to(parent.pendingStack)
    resource.onRequest = { [weak self] in self?.receive($0) }
    resource.onDestroyed = { [weak self] in self?.end() }
  }

  private func receive(_ request: WlSubsurfaceResource.Request) {
    switch request {
    case .destroy: break
    case .setPosition(let x, let y):
      parent?.pending.positions[ObjectIdentifier(surface)] = (Int(x), Int(y))
    case .placeAbove(let sibling): place(sibling, offset: 1)
    case .placeBelow(let sibling): place(sibling, offset: 0)
    case .setSync: isSynchronized = true
    case .setDesync:
      isSynchronized = false
      if !surface.isSynchronized, !surface.isBoundToParent { surface.applyCached() }
    }
  }

  private func place(_ sibling: WlSurfaceResource?, offset: Int) {
    guard let parent, let sibling = sibling.flatMap({ surface.core.surface(of: $0) }) else { return }
    var stack = parent.pendingStack.filter { !$0.isChild(surface) }
    let index = stack.firstIndex { $0.isChild(sibling) || ($0.isOwn && sibling === parent) }
    guard let index, sibling !== surface else {
      return resource.postError(
        code: WlSubsurface.Error.badSurface.rawValue, "the surface is neither parent nor sibling")
    }
    stack.insert(.child(surface), at: index + offset)
    parent.pendingStack = stack
    parent.pending.stack = .to(stack)
  }

  /// The role ends: the surface disappears at once.
  private func end() {
    guard surface.subsurface === self else { return }
    leaveParent()
    surface.role = .none
  }

  /// The surface ended before the role.
  func surfaceEnded() { leaveParent() }

  private func leaveParent() {
    guard let parent else { return }
    parent.pendingStack.removeAll { $0.isChild(surface) }
    parent.content.stack.removeAll { $0.isChild(surface) }
    if case .to(var stack) = parent.pending.stack {
      stack.removeAll { $0.isChild(surface) }
      parent.pending.stack = .to(stack)
    }
    if case .to(var stack)? = parent.cached?.stack {
      stack.removeAll { $0.isChild(surface) }
      parent.cached?.stack = .to(stack)
    }
    self.parent = nil
  }
}

extension CompositorCore {
  func bind(_ subcompositor: WlSubcompositorResource) {
    subcompositor.onRequest = { [weak self, weak subcompositor] request in
      guard case .getSubsurface(let id, let surface, let parent) = request, let self,
        let surface = surface.flatMap({ self.surface(of: $0) }),
        let parent = parent.flatMap({ self.surface(of: $0) })
      else { return }
      guard case .none = surface.role else {
        subcompositor?.postError(
          code: WlSubcompositor.Error.badSurface.rawValue, "the surface has a role already")
        return
      }
      guard parent.root !== surface else {
        subcompositor?.postError(code: WlSubcompositor.Error.badParent.rawValue, "a surface inside of itself")
        return
      }
      surface.role = .subsurface(ServerSubsurface(id, surface: surface, parent: parent))
    }
  }
}
