/// A surface at one instant.
public struct SurfaceSnapshot: Sendable {
  /// What it is used for.
  public enum Role: Hashable, Sendable {
    /// Nothing yet, or nothing any more.
    case none
    /// A window.
    case window
    /// A part of the surface `parent`; `isSynchronized` says whether its commits wait for the parent's, `position` where
    /// it is, in the parent's logical pixels.
    case subsurface(parent: Int?, isSynchronized: Bool, x: Int, y: Int)
  }

  /// Its number, which no other surface ever had.
  public let number: Int
  /// Its number on the wire; re-used.
  public let id: UInt32
  /// What it is used for.
  public let role: Role
  /// Whether it has content and its window is shown.
  public let isMapped: Bool
  /// Its size in logical pixels; 0 without content.
  public let size: SurfaceSize
  /// What it shows; nil for nothing.
  public let buffer: BufferSnapshot?
  /// `wl_surface.set_buffer_scale`.
  public let scale: Int
  /// `wl_surface.set_buffer_transform`.
  public let transform: BufferTransform
  /// `wp_viewport.set_source`.
  public let source: SourceRect?
  /// `wp_viewport.set_destination`.
  public let destination: SurfaceSize?
  /// The opaque region.
  public let opaqueRegion: [Box]
  /// The input region; nil for everywhere.
  public let inputRegion: [Box]?
  /// `wp_content_type_v1`'s value; 0 says nothing.
  public let contentType: UInt32
  /// What its colours were said to be.
  public let colors: RepresentedColors
  /// Whether its commits need points of timelines.
  public let isExplicitlySynchronized: Bool
  /// Commits that wait for their acquire points, a barrier or their time.
  public let waitingCommits: Int
  /// Living idle inhibitors.
  public let inhibitors: Int
  /// What happened so far.
  public let counters: SurfaceCounters
  /// Numbers of the surfaces inside, from below to above; its own number stands for itself.
  public let stack: [Int]
  /// Frame callbacks that wait for a vblank.
  public let waitingCallbacks: Int

  init(_ surface: ServerSurface) {
    let content = surface.content
    number = surface.number
    id = surface.resource.id
    role =
      switch surface.role {
      case .none: .none
      case .window: .window
      case .subsurface(let subsurface):
        .subsurface(
          parent: subsurface.parent?.number, isSynchronized: surface.isSynchronized, x: subsurface.position.x,
          y: subsurface.position.y)
      }
    isMapped = surface.isMapped
    size = content.size
    buffer = content.buffer.map { BufferSnapshot($0) }
    scale = content.scale
    transform = content.transform
    source = content.source
    destination = content.destination
    opaqueRegion = content.opaqueRegion
    inputRegion = content.inputRegion
    contentType = content.contentType
    colors = content.colors
    isExplicitlySynchronized = surface.sync != nil
    waitingCommits = surface.waiting.count
    inhibitors = surface.inhibitors
    counters = surface.counters
    waitingCallbacks = content.frameCallbacks.count
    stack = content.stack.map { entry in
      switch entry {
      case .own: surface.number
      case .child(let child): child.number
      }
    }
  }
}

/// A buffer at one instant.
public struct BufferSnapshot: Hashable, Sendable {
  /// Its number, which no other buffer ever had.
  public let number: Int
  /// Pixels across.
  public let width: Int
  /// Pixels down.
  public let height: Int
  /// Whether the client has not got it back.
  public let isHeld: Bool
  /// Where its bytes are; nil for one of a single colour.
  public let memory: Memory?

  /// The place of a buffer in shared memory.
  public struct Memory: Hashable, Sendable {
    /// Which memory; equal to that of the client's descriptor.
    public let identity: MemoryIdentity
    /// Bytes to the first sample.
    public let offset: Int
    /// Bytes from one row of the first plane to the next.
    public let stride: Int
    /// The layout.
    public let format: ShmFormat
    /// The modifier of a dmabuf; nil for `wl_shm`.
    public let modifier: UInt64?
  }

  init(_ buffer: ServerBuffer) {
    number = buffer.number
    width = buffer.width
    height = buffer.height
    isHeld = buffer.isHeld
    switch buffer.content {
    case .memory(let pool, let offset, let stride, let format):
      memory = Memory(
        identity: pool.identity, offset: offset, stride: stride, format: format, modifier: nil)
    case .dmabuf(let pool, let format, let modifier, let planes):
      memory = Memory(
        identity: pool.identity, offset: planes.first?.offset ?? 0, stride: planes.first?.stride ?? 0,
        format: format, modifier: modifier)
    case .color: memory = nil
    }
  }
}

/// A window at one instant.
public struct WindowSnapshot: Sendable {
  /// Its surface.
  public let surface: SurfaceSnapshot
  /// Its title.
  public let title: String
  /// Its app id.
  public let appID: String
  /// What it is told.
  public let configuration: WindowConfiguration
  /// What its latest commit agreed to; nil before the first.
  public let applied: WindowConfiguration?
  /// `xdg_surface.set_window_geometry`.
  public let geometry: Box?
  /// Configures that were sent.
  public let configuresSent: Int
  /// Acks that came.
  public let acks: Int

  init(_ window: ServerWindow) {
    surface = SurfaceSnapshot(window.surface)
    title = window.title
    appID = window.appID
    configuration = window.configuration
    applied = window.applied
    geometry = window.geometry
    configuresSent = window.configuresSent
    acks = window.acks
  }
}
