import KiteCore
import KiteSystem
import KiteViews
import Wayland

extension Presenter {
  /// Puts a waiting frame on the surface.
  func show(_ pending: consuming PendingFrame, at now: MonotonicTime) {
    let ready = staged.take()
    defer { stagedNumber = nil }
    guard let picture = picture(of: pending.frame, staged: ready, isStaged: true, at: now) else {
      return pending.fail()
    }
    current = pending.frame.duplicate()
    shownProperties = pending.frame.properties
    needsRepaint = false
    commits += 1
    currentCommit = commits
    intents[commits] = FrameIntent(aim: pending.aim, target: pending.target, commit: now)
    let terms = terms(of: pending, at: now)
    if let terms { queue.committed(commits, due: pending.target, terms: terms, at: now) }
    let ticket = pending.takeTicket()
    tickets[commits] = TicketBox(ticket)
    commit(picture, at: now, number: commits, terms: terms)
  }

  /// Puts the current frame on the surface again, in the geometry of now. Counts as nothing, unless the frame has not been
  /// seen before: then it is seen by this.
  func repaint(at now: MonotonicTime) {
    needsRepaint = false
    // A repaint may take the very buffer into which the next frame was converted.
    if staged.take() != nil { stagedNumber = nil }
    guard let frame = current.take() else { return }
    let again = picture(of: frame, staged: nil, isStaged: false, at: now)
    current = consume frame
    guard let again else { return }
    let unseen = currentCommit.flatMap { fates.recommitted($0) ? $0 : nil }
    if let unseen {
      intents[unseen] = nil
    } else {
      // Another content of which nobody counts the fate: what is still on its way was replaced by it, and is not lost.
      commits += 1
    }
    commit(again, at: now, number: unseen, isRepaint: true)
  }

  /// What is to be committed.
  struct Picture: ~Copyable {
    let buffer: PresentedBuffer
    /// The frame whose memory the buffer is; nil for a converted one.
    let frame: VideoFrame?
    let placement: SurfacePlacement
    /// What the compositor is told of its colours.
    var colors: ColorReading?
    /// The points of its commit, for a dmabuf that is synchronized explicitly.
    var points: BufferSync.Points?
    /// The surface shows the buffer, and the compositor has not given it back: only its place is to change.
    var isOnSurface = false
  }

  /// The frame as a buffer and its place on the surface; nil when it can't be shown, with the reason in `diagnostics`.
  private func picture(
    of frame: borrowing VideoFrame, staged: ShmBuffer?, isStaged: Bool, at now: MonotonicTime
  ) -> Picture? {
    guard let connection, let converted, let direct else { return nil }
    let properties = frame.properties
    var path = path(of: frame, through: connection)
    if case .dmabuf(let choice) = path.kind {
      if let picture = dmabufPicture(
        of: frame, choice, isStaged: isStaged, geometry: geometry, path: path, at: now)
      {
        return picture
      }
      path = self.path(of: frame, through: connection, avoidsDmabuf: true)
    }
    if case .dmabuf = frame.memory {
      // What this process can't read it can't convert: the decoder is asked for frames that it can.
      link.updateDiagnostics { $0.reason = path.reason }
      dmabuf?.refuseDeviceFrames()
      return nil
    }
    if path.kind == .direct, let placement = SurfacePlacement(direct: properties, geometry: geometry) {
      if let buffer = direct.buffer(for: frame) {
        note(
          .shmDirect, fourcc: buffer.fourcc, isCopied: properties.isReadBack, colors: path.colors,
          reason: path.reason)
        return Picture(
          buffer: buffer, frame: frame.duplicate(), placement: placement, colors: path.colors)
      }
      if let buffer = direct.heldBuffer(for: frame), buffer === surfaceState.attached {
        note(
          .shmDirect, fourcc: buffer.fourcc, isCopied: properties.isReadBack, colors: path.colors,
          reason: path.reason)
        return Picture(
          buffer: buffer, frame: nil, placement: placement, colors: path.colors, isOnSurface: true)
      }
    }
    do {
      let reason =
        path.kind == .direct ? "wl_shm can't describe how these frames lie in memory." : path.reason
      guard let converter = pictureConverter(),
        let buffer = try staged
          ?? converter.convert(frame, path: path, geometry: geometry, buffers: converted)
      else { return nil }
      note(.shmConverted, fourcc: buffer.fourcc, reason: reason)
      let placement = SurfacePlacement(converted: geometry, hasViewport: connection.viewport != nil)
      return Picture(buffer: buffer, frame: nil, placement: placement)
    } catch {
      link.updateDiagnostics { $0.reason = "\(error)" }
      return nil
    }
  }

  /// The frame as a dmabuf and its place on the surface; nil when it can't be one now.
  private func dmabufPicture(
    of frame: borrowing VideoFrame, _ choice: DmabufChoice, isStaged: Bool, geometry: SurfaceGeometry,
    path: FramePath, at now: MonotonicTime
  ) -> Picture? {
    guard let placement = SurfacePlacement(direct: frame.properties, geometry: geometry),
      let prepared = dmabuf?.prepare(
        frame, choice, isStaged: isStaged, attached: surfaceState.attached, at: now)
    else { return nil }
    let buffer = prepared.buffer
    // Weston advises a change as long as it draws, and says no more of it once the frames are on a plane.
    let isDrawn = !link.diagnostics.isZeroCopy
    let isCopied = choice.copy != nil || frame.properties.isReadBack
    let reason = isCopied || isDrawn ? path.reason : ""
    note(
      .dmabuf, fourcc: buffer.fourcc, modifier: buffer.modifier, isCopied: isCopied,
      colors: path.colors, points: prepared.points, reason: reason)
    let points = prepared.points
    let kept = prepared.takeFrame()
    let isOnSurface = kept == nil
    return Picture(
      buffer: buffer, frame: kept, placement: placement, colors: path.colors, points: points,
      isOnSurface: isOnSurface)
  }

  /// One commit: place, buffer, damage, callback, feedback. `number` is nil for what nobody counts.
  private func commit(
    _ picture: consuming Picture, at now: MonotonicTime, number: UInt64?, isRepaint: Bool = false,
    terms: CommitQueue.Terms? = nil
  ) {
    guard let connection else { return }
    let buffer = picture.buffer
    let placement = picture.placement
    let points = picture.points
    var isCommitted = false
    link.withSurface { use in
      let surface = connection.surface
      if !surfaceState.isOpaque, let region = connection.makeEverythingRegion() {
        surface.setOpaqueRegion(region)
        region.destroy()
        surfaceState.isOpaque = true
      }
      if use.contentType == nil, let object = connection.contentTypes?.getSurfaceContentType(surface) {
        object.setContentType(.video)
        contentType = object
        use.contentType = object.handle
      }
      surfaceState.apply(placement, to: surface, viewport: connection.viewport)
      colors.apply(picture.colors, to: surface, use: &use)
      if !picture.isOnSurface {
        surface.attach(buffer.wlBuffer, x: 0, y: 0)
        if let points, let sync = (buffer as? DmabufBuffer)?.sync {
          dmabuf?.sync?.set(points, of: sync, on: surface, use: &use)
        } else {
          dmabuf?.sync?.takeBack(&use)
        }
      }
      damage(surface, placement: placement)
      if let terms {
        // The answer to the frame is enough: a callback would be one more thing to wake for.
        timedCommits.apply(terms, to: surface, clock: connection.presentationClock, use: &use)
      } else {
        let callback = surface.frame()
        let gated = gate.latest + 1
        callback.onEvent = { [weak self] _ in
          self?.gate.callback(of: gated)
          self?.callback(of: number)
        }
      }
      if let number { expectFate(of: number, on: surface, at: now, isRepaint: isRepaint) }
      let after = prepareSubtitles(at: placement.place, at: now)
      surface.commit()
      after?()
      isCommitted = true
    }
    guard isCommitted else {
      // The surface was taken away meanwhile.
      if let number, !isRepaint { tickets.removeValue(forKey: number)?.end(as: .failed) }
      return
    }
    if terms == nil { gate.committed(at: now) }
    perform(lead.committed(at: now))
    if isRepaint { rest.disturb() } else { rest.committed(at: now) }
    noteRung(at: now)
    if !picture.isOnSurface {
      surfaceState.attached = buffer
      (buffer as? DmabufBuffer)?.willBeReleased(byPoint: points != nil)
      buffer.willCommit(at: now, frame: picture.takeFrame()) { [weak self] in self?.converted?.sweep() }
    }
    if surfaceState.placed != placement.place {
      surfaceState.placed = placement.place
      report(.placed(placement.place))
    }
    if !isAdapted {
      isAdapted = true
      report(.adapted(geometry))
    }
  }

  private func damage(_ surface: WlSurface, placement: SurfacePlacement) {
    // Buffers take turns, so that what differs is not what was drawn last: all of the picture.
    if surface.supports(4) {
      surface.damageBuffer(x: 0, y: 0, width: .max, height: .max)
    } else {
      surface.damage(x: 0, y: 0, width: .max, height: .max)
    }
  }

  private func note(
    _ path: RendererDiagnostics.Path, fourcc: UInt32, modifier: UInt64? = nil, isCopied: Bool = false,
    colors: ColorReading? = nil, points: BufferSync.Points? = nil, reason: String
  ) {
    let problem = dmabuf?.sync?.problem?.description ?? ""
    link.updateDiagnostics {
      $0.isExplicitlySynchronized = points != nil
      $0.synchronizationProblem = problem
      $0.path = path
      $0.fourcc = fourcc
      $0.modifier = modifier
      $0.isCopied = isCopied
      $0.isColorTold = colors != nil
      $0.reason = reason
    }
  }
}

extension Presenter.Picture {
  /// The frame, for the buffer to keep.
  consuming func takeFrame() -> VideoFrame? { frame }
}

extension DmabufSession.Prepared {
  /// The frame, for the buffer to keep.
  consuming func takeFrame() -> VideoFrame? { frame }
}

extension PendingFrame {
  /// The ticket, the frame let go.
  consuming func takeTicket() -> FrameTicket { ticket }
}
