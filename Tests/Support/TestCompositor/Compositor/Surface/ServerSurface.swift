internal import Wayland

/// Where a surface stands among the children of its parent.
enum StackEntry {
  /// The parent itself.
  case own
  case child(ServerSurface)

  func isChild(_ surface: ServerSurface) -> Bool {
    if case .child(let child) = self { child === surface } else { false }
  }

  var isOwn: Bool {
    if case .own = self { true } else { false }
  }
}

/// A `wl_surface`: pending, cached and current state, and what it is used for.
final class ServerSurface {
  enum Role {
    case none
    case window(ServerWindow)
    case subsurface(ServerSubsurface)
  }

  let number: Int
  let resource: WlSurfaceResource
  unowned let core: CompositorCore
  var role = Role.none
  var pending = SurfaceChange()
  /// What a synchronized subsurface has committed since its parent's state was applied.
  var cached: SurfaceChange?
  /// The parent has committed since, and waits: what is cached comes with that, whatever the role says meanwhile.
  var isBoundToParent = false
  var content = SurfaceContent()
  /// The stack that the next commit will apply.
  var pendingStack: [StackEntry] = [.own]
  var counters = SurfaceCounters()

  weak var viewport: WpViewportResource?
  weak var fractionalScale: WpFractionalScaleV1Resource?
  weak var contentTypeObject: WpContentTypeV1Resource?
  weak var sync: WpLinuxDrmSyncobjSurfaceV1Resource?
  weak var fifo: WpFifoV1Resource?
  weak var timer: WpCommitTimerV1Resource?
  /// A commit with a barrier was applied, and no refresh has taken it yet.
  var hasBarrier = false
  /// Commits that wait for their acquire points, a barrier or their time, and those after them.
  var waiting: [SurfaceChange] = []
  weak var representation: WpColorRepresentationSurfaceV1Resource?
  /// What the next commit will say of its colours.
  var pendingColors = RepresentedColors()
  var inhibitors = 0
  var enteredOutputs: [ObjectIdentifier] = []
  var isAlive: Bool { resource.isAlive }

  init(number: Int, _ resource: WlSurfaceResource, core: CompositorCore) {
    self.number = number
    self.resource = resource
    self.core = core
    resource.onRequest = { [weak self] in self?.receive($0) }
  }

  private func receive(_ request: WlSurfaceResource.Request) {
    switch request {
    case .destroy: checkDestruction()
    case .attach(let buffer, let x, let y): attach(buffer, x, y)
    case .damage, .damageBuffer: pending.isDamaged = true
    case .frame(let callback): pending.frameCallbacks.append(callback)
    case .setOpaqueRegion(let region): pending.opaqueRegion = .to(core.boxes(of: region))
    case .setInputRegion(let region): pending.inputRegion = .to(region.map { core.boxes(of: $0) })
    case .commit: commit()
    case .setBufferTransform(let transform):
      guard transform.rawValue < 8 else {
        return post(.invalidTransform, "\(transform.rawValue) is no transform")
      }
      pending.transform = .to(BufferTransform(rawValue: transform.rawValue))
    case .setBufferScale(let scale):
      guard scale > 0 else { return post(.invalidScale, "a scale of \(scale)") }
      pending.scale = .to(Int(scale))
    case .offset, .getRelease: break
    }
  }

  private func attach(_ buffer: WlBufferResource?, _ x: Int32, _ y: Int32) {
    if resource.version >= 5, x != 0 || y != 0 {
      return post(.invalidOffset, "an offset of \(x), \(y) in attach")
    }
    counters.attaches += 1
    pending.buffer = .to(buffer.flatMap { core.buffer(of: $0) })
  }

  func post(_ error: WlSurface.Error, _ message: String) {
    resource.postError(code: error.rawValue, message)
  }

  private func checkDestruction() {
    if case .window(let window) = role, window.isConstructed {
      post(.defunctRoleObject, "the surface was destroyed before its window")
    }
    if inhibitors > 0 {
      core.report(.inhibitor, surface: number, "surface \(number) was destroyed before its inhibitor")
    }
  }

  /// The surface is gone: everything that it held goes back.
  func ended() {
    let waitingFeedback = waiting.flatMap(\.feedback)
    for feedback in pending.feedback + (cached?.feedback ?? []) + waitingFeedback + content.feedback {
      core.discard(feedback)
    }
    core.letGo(cached?.buffer.value ?? nil)
    for change in waiting { core.letGo(change.buffer.value ?? nil) }
    waiting = []
    cached = nil
    core.letGo(content.buffer)
    content = SurfaceContent()
    switch role {
    case .subsurface(let subsurface): subsurface.surfaceEnded()
    case .window(let window): window.surfaceEnded()
    case .none: break
    }
    role = .none
  }

  // MARK: Tree

  var subsurface: ServerSubsurface? {
    if case .subsurface(let subsurface) = role { subsurface } else { nil }
  }

  var window: ServerWindow? {
    if case .window(let window) = role { window } else { nil }
  }

  var parent: ServerSurface? { subsurface?.parent }

  /// The window that the surface belongs to.
  var root: ServerSurface { parent?.root ?? self }

  /// Whether it has content and is part of a window that is shown.
  var isMapped: Bool {
    guard content.buffer != nil || content.frozen != nil else { return false }
    switch role {
    case .none: return false
    case .window(let window): return window.isShown
    case .subsurface(let subsurface):
      guard let parent = subsurface.parent, parent.content.stack.contains(where: { $0.isChild(self) }) else {
        return false
      }
      return parent.isMapped
    }
  }

  /// Whether what it shows can be seen.
  var isVisible: Bool { isMapped && root.window?.isSuspended == false }

  /// Whether its commits wait for its parent's.
  var isSynchronized: Bool {
    guard let subsurface else { return false }
    return subsurface.isSynchronized || (subsurface.parent?.isSynchronized ?? false)
  }
}

/// What a surface shows now.
struct SurfaceContent {
  var buffer: ServerBuffer?
  /// The picture's bytes, for a compositor that copies and gives the buffer back at once.
  var frozen: [UInt8]?
  var scale = 1
  var transform = BufferTransform.normal
  var source: SourceRect?
  var destination: SurfaceSize?
  var opaqueRegion: [Box] = []
  var inputRegion: [Box]?
  var colors = RepresentedColors()
  /// `wp_content_type_v1.type`; 0 says nothing.
  var contentType: UInt32 = 0
  var size = SurfaceSize(0, 0)
  var stack: [StackEntry] = [.own]
  var frameCallbacks: [WlCallbackResource] = []
  /// Feedback for this very content.
  var feedback: [WpPresentationFeedbackResource] = []
  /// Feedback for this content was answered, or none was asked for: it has been on the screen.
  var wasShown = false

  func geometry(of buffer: ServerBuffer) -> ContentGeometry {
    ContentGeometry(
      bufferWidth: buffer.width, bufferHeight: buffer.height, scale: scale, transform: transform,
      source: source,
      destination: destination)
  }
}

/// What happened to a surface so far.
public struct SurfaceCounters: Hashable, Sendable {
  /// Commits.
  public var commits = 0
  /// Commits with a buffer.
  public var bufferCommits = 0
  /// Attach requests, also of no buffer.
  public var attaches = 0
  /// Vblanks at which new content came on the screen.
  public var shown = 0
}
