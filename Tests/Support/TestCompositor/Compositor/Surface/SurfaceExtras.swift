internal import Wayland

extension CompositorCore {
  func bind(_ manager: WpFractionalScaleManagerV1Resource) {
    manager.onRequest = { [weak self, weak manager] request in
      guard case .getFractionalScale(let object, let surface) = request, let self,
        let surface = surface.flatMap({ self.surface(of: $0) })
      else { return }
      guard surface.fractionalScale == nil else {
        manager?.postError(
          code: WpFractionalScaleManagerV1.Error.fractionalScaleExists.rawValue, "one exists already")
        return
      }
      surface.fractionalScale = object
      object.sendPreferredScale(UInt32(scale120))
    }
  }

  func bind(_ manager: WpContentTypeManagerV1Resource) {
    manager.onRequest = { [weak self, weak manager] request in
      guard case .getSurfaceContentType(let object, let surface) = request, let self,
        let surface = surface.flatMap({ self.surface(of: $0) })
      else { return }
      guard surface.contentTypeObject == nil else {
        manager?.postError(
          code: WpContentTypeManagerV1.Error.alreadyConstructed.rawValue, "one exists already")
        return
      }
      surface.contentTypeObject = object
      object.onRequest = { [weak surface] request in
        if case .setContentType(let kind) = request { surface?.pending.contentType = .to(kind.rawValue) }
      }
      object.onDestroyed = { [weak surface] in surface?.pending.contentType = .to(0) }
    }
  }

  func bind(_ manager: ZwpIdleInhibitManagerV1Resource) {
    manager.onRequest = { [weak self] request in
      guard case .createInhibitor(let object, let surface) = request, let self,
        let surface = surface.flatMap({ self.surface(of: $0) })
      else { return }
      if surface.inhibitors > 0 {
        report(.inhibitor, surface: surface.number, "a second inhibitor on surface \(surface.number)")
      }
      if !surface.isMapped {
        report(.inhibitor, surface: surface.number, "an inhibitor on surface \(surface.number), unmapped")
      }
      counts.inhibitorsMade += 1
      surface.inhibitors += 1
      object.onDestroyed = { [weak surface] in surface?.inhibitors -= 1 }
    }
  }

  func bind(_ manager: WpSinglePixelBufferManagerV1Resource) {
    manager.onRequest = { [weak self] request in
      guard case .createU32RgbaBuffer(let buffer, let red, let green, let blue, let alpha) = request else {
        return
      }
      self?.addBuffer(
        buffer, .color(red: red, green: green, blue: blue, alpha: alpha), width: 1, height: 1)
    }
  }

  func bind(_ presentation: WpPresentationResource) {
    presentation.sendClockId(configuration.presentationClock)
    presentation.onRequest = { [weak self] request in
      guard case .feedback(let surface, let feedback) = request,
        let surface = surface.flatMap({ self?.surface(of: $0) })
      else { return }
      surface.pending.feedback.append(feedback)
    }
  }

  func bind(_ compositor: WlCompositorResource) {
    compositor.onRequest = { [weak self] request in
      switch request {
      case .createSurface(let surface): self?.addSurface(surface)
      case .createRegion(let region): self?.addRegion(region)
      case .release: break
      }
    }
  }
}
