internal import Wayland

extension ServerSurface {
  /// `wl_surface.commit`: the pending state becomes current, or waits for the parent.
  func commit() {
    counters.commits += 1
    var change = pending
    pending = SurfaceChange()
    if let window, !window.admits(change) { return }
    guard admitsPoints(of: change) else { return }
    if case .to(let buffer?) = change.buffer {
      counters.bufferCommits += 1
      if buffer.isHeld, buffer.hasMemory {
        core.report(
          .attachedWhileHeld, surface: number,
          "buffer \(buffer.number) was committed again before its release")
      }
      if buffer.hadPoints, change.points.release == nil {
        core.report(
          .mixedSynchronization, surface: number,
          "buffer \(buffer.number) had points and was committed without")
      }
      // What a device is still writing is another picture later.
      buffer.hold(keepsCopy: core.configuration.checksMemory && change.points.acquire?.isSignalled ?? true)
      buffer.releasePoint = change.points.release
      if change.points.release != nil, core.configuration.sendsMeaninglessReleases {
        buffer.resource.sendRelease()
      }
    }
    if var earlier = cached {
      let (replaced, discarded) = earlier.merge(change)
      core.letGo(replaced)
      for feedback in discarded { core.discard(feedback) }
      change = earlier
      cached = nil
    }
    guard !isSynchronized, !isBoundToParent else {
      cached = change
      return
    }
    waiting.append(change)
    for case .child(let child) in content.stack where child.isSynchronized && child.cached != nil {
      child.isBoundToParent = true
    }
    applyReady()
  }

  /// Applies what waited for the parent.
  func applyCached() {
    guard let change = cached else { return }
    cached = nil
    apply(change)
  }

  func apply(_ change: SurfaceChange) {
    let wasMapped = isMapped
    let oldSize = content.size
    change.scale.apply(to: &content.scale)
    change.transform.apply(to: &content.transform)
    change.source.apply(to: &content.source)
    change.destination.apply(to: &content.destination)
    change.opaqueRegion.apply(to: &content.opaqueRegion)
    change.inputRegion.apply(to: &content.inputRegion)
    change.colors.apply(to: &content.colors)
    change.contentType.apply(to: &content.contentType)
    if case .to(let buffer) = change.buffer { replaceBuffer(buffer) }
    guard updateSize(), checkColors() else { return }
    content.frameCallbacks += change.frameCallbacks
    takeFeedback(change.feedback)
    applyChildren(change)
    if window != nil, wasMapped, isMapped, content.size != oldSize { core.resizes.append(resize) }
    window?.applied(change)
    core.mappingMayHaveChanged(self, wasMapped: wasMapped)
  }

  /// What is shown from this commit on.
  private var resize: WindowResize {
    let parts = content.stack.compactMap { entry -> Box? in
      guard case .child(let child) = entry, child.content.buffer != nil,
        let place = child.subsurface?.position
      else { return nil }
      return Box(place.x, place.y, child.content.size.width, child.content.size.height)
    }
    return WindowResize(size: content.size, parts: parts)
  }

  private func replaceBuffer(_ buffer: ServerBuffer?) {
    core.letGo(content.buffer)
    content.buffer = buffer
    content.frozen = nil
    content.wasShown = false
    guard let buffer, core.releases == .atOnce else { return }
    content.frozen = buffer.copyBytes()
    if buffer.releaseCopied() { core.counts.releases += 1 }
  }

  /// Recomputes the size, or ends the client with the protocol's error.
  private func updateSize() -> Bool {
    guard let buffer = content.buffer else {
      content.size = SurfaceSize(0, 0)
      return true
    }
    do throws(SizeError) {
      content.size = try content.geometry(of: buffer).surfaceSize()
      return true
    } catch {
      let facts =
        "buffer \(buffer.width)x\(buffer.height), scale \(content.scale), transform \(content.transform.rawValue), "
        + "source \(content.source.map { "\($0)" } ?? "none"), "
        + "destination \(content.destination.map { "\($0)" } ?? "none")"
      switch error {
      case .notMultipleOfScale: post(.invalidSize, facts)
      case .badSize: viewport?.postError(code: WpViewport.Error.badSize.rawValue, facts)
      case .outOfBuffer: viewport?.postError(code: WpViewport.Error.outOfBuffer.rawValue, facts)
      }
      return false
    }
  }

  /// Whether the buffer can have the colours that were told, or ends the client with the protocol's error.
  private func checkColors() -> Bool {
    guard let buffer = content.buffer,
      let mistake = ColorRepresentation.mistake(content.colors, with: buffer)
    else { return true }
    representation?.postError(
      code: WpColorRepresentationSurfaceV1.Error.pixelFormat.rawValue, mistake)
    return false
  }

  private func takeFeedback(_ feedback: [WpPresentationFeedbackResource]) {
    // Each commit is a content of its own for wp_presentation: what came before was replaced, unless it was shown.
    for old in content.feedback { core.discard(old) }
    content.feedback = feedback
  }

  private func applyChildren(_ change: SurfaceChange) {
    change.stack.apply(to: &content.stack)
    for case .child(let child) in content.stack {
      if let position = change.positions[ObjectIdentifier(child)] {
        child.subsurface?.position = position
      }
      if child.isSynchronized || child.isBoundToParent { child.applyCached() }
      child.isBoundToParent = false
    }
  }
}
