/// What a test can see of what clients did.
extension ScriptedCompositor {
  /// Totals.
  public var counts: Counts { look(\.counts) }
  /// Mistakes that have no protocol error.
  public var violations: [Violation] { look(\.violations) }
  /// How windows changed their size while they were on the screen.
  public var resizes: [WindowResize] { look(\.resizes) }
  /// Protocol errors that were sent.
  public var sentErrors: [SentError] { look(\.sentErrors) }
  /// How many clients are connected.
  public var clientCount: Int { look { $0.display.clients.count } }
  /// Buffers that nothing shows and that the client has not got back.
  public var unreleasedBuffers: Int { look(\.unreleased.count) }
  /// Feedback that was asked for, is due, and was withheld.
  public var unansweredFeedback: Int { look(\.unansweredFeedback.count) }
  /// Pings that were not answered.
  public var openPings: Int { look(\.openPings) }

  /// The messages in both directions, the oldest first.
  public var messages: [RecordedMessage] { look(\.record) }

  /// The requests that were made of objects of one interface: all, or those of one name.
  public func requests(_ interface: String, _ name: String? = nil) -> [RecordedMessage] {
    messages.filter { $0.isRequest && $0.interface == interface && (name == nil || $0.name == name) }
  }

  /// Forgets the messages so far.
  public func clearMessages() { lock.withLock { core.record.removeAll() } }

  /// All surfaces, in the order of their making.
  public var surfaces: [SurfaceSnapshot] { look { core in core.surfaces.map { SurfaceSnapshot($0) } } }

  /// The surface of the first window; nil without one.
  public var window: WindowSnapshot? { windows.first }

  /// All windows, in the order of their making.
  public var windows: [WindowSnapshot] { look { core in core.windows.map { WindowSnapshot($0) } } }

  /// A surface by its number.
  public func surface(_ number: Int) -> SurfaceSnapshot? { surfaces.first { $0.number == number } }

  /// What a surface's buffer shows, before transform and viewport; nil when there is nothing to be read.
  public func picture(ofSurface number: Int) -> Picture? {
    look { core in
      guard let content = core.surfaces.first(where: { $0.number == number })?.content,
        let buffer = content.buffer
      else { return nil }
      return buffer.picture(
        bytes: content.frozen,
        reading: YUVInterpretation(content.colors, else: core.configuration.yuvMatrix))
    }
  }

  /// A window as it is on the screen, in physical pixels; nil while it is not mapped.
  public func screenshot(ofWindow number: Int? = nil) -> Picture? {
    look { core in composition(ofWindow: number, core)?.draw() }
  }

  /// One pixel of a window as it is on the screen: cheaper than all of them.
  public func pixel(_ x: Int, _ y: Int, ofWindow number: Int? = nil) -> Picture.Pixel? {
    look { core in composition(ofWindow: number, core)?.pixel(x, y) }
  }

  private func composition(ofWindow number: Int?, _ core: CompositorCore) -> Composition? {
    let root = core.windows.first { number == nil || $0.surface.number == number }?.surface
    guard let root, root.isMapped else { return nil }
    return Composition(root: root, scale120: core.scale120, matrix: core.configuration.yuvMatrix)
  }
}
