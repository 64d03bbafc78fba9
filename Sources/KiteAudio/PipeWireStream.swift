import CPipeWire
import KiteCore
import KiteSystem
import Synchronization

/// One connection to the daemon with one stream of playback. Used on its loop's thread, but for `process`.
final class PipeWireStream {
  private let core: OpaquePointer
  private let stream: OpaquePointer
  private let feed: SampleFeed
  /// What C knows by address as long as it lives.
  private let hooks: UnsafeMutablePointer<spa_hook>
  private let coreEvents: UnsafeMutablePointer<pw_core_events>
  private let streamEvents: UnsafeMutablePointer<pw_stream_events>
  private let callback: Unmanaged<Callback>

  /// The daemon is gone, or refuses the stream.
  private(set) var isBroken = false
  /// The daemon knows the stream.
  private(set) var isReady = false
  private(set) var isActive = false

  /// What libpipewire's data thread reaches.
  private final class Callback {
    let stream: OpaquePointer
    let feed: SampleFeed
    init(stream: OpaquePointer, feed: SampleFeed) {
      self.stream = stream
      self.feed = feed
    }
    unowned var owner: PipeWireStream?
  }

  /// Nil: no daemon.
  init?(context: OpaquePointer, remote: String?, feed: SampleFeed, name: String) {
    guard let core = kite_pw_connect(context, remote) else { return nil }
    guard let stream = kite_pw_stream_new(core, name, 0, nil) else {
      pw_core_disconnect(core)
      return nil
    }
    self.core = core
    self.stream = stream
    self.feed = feed
    hooks = .allocate(capacity: 2)
    hooks.initialize(repeating: spa_hook(), count: 2)
    coreEvents = .allocate(capacity: 1)
    coreEvents.initialize(to: pw_core_events())
    streamEvents = .allocate(capacity: 1)
    streamEvents.initialize(to: pw_stream_events())
    callback = .passRetained(Callback(stream: stream, feed: feed))
    callback.takeUnretainedValue().owner = self
    listen()
    let format = feed.format
    if kite_pw_stream_connect(stream, 0, UInt32(format.sampleRate), UInt32(format.channelCount), 1) < 0 {
      isBroken = true
    }
  }

  /// Ends it. Once, and the last thing.
  func destroy() {
    pw_stream_destroy(stream)
    pw_core_disconnect(core)
    callback.release()
    streamEvents.deallocate()
    coreEvents.deallocate()
    hooks.deallocate()
  }

  func setActive(_ active: Bool) {
    guard active != isActive, !isBroken else { return }
    isActive = active
    pw_stream_set_active(stream, active)
  }

  private func listen() {
    coreEvents.pointee.version = UInt32(PW_VERSION_CORE_EVENTS)
    coreEvents.pointee.error = { @Sendable data, id, _, result, _ in
      // The connection itself: everything else is the stream's own matter.
      guard let data, id == 0, result == -EPIPE else { return }
      Unmanaged<Callback>.fromOpaque(data).takeUnretainedValue().owner?.isBroken = true
    }
    kite_pw_core_add_listener(core, hooks, coreEvents, callback.toOpaque())
    streamEvents.pointee.version = UInt32(PW_VERSION_STREAM_EVENTS)
    streamEvents.pointee.state_changed = { @Sendable data, _, state, _ in
      guard let data, let owner = Unmanaged<Callback>.fromOpaque(data).takeUnretainedValue().owner
      else { return }
      owner.isReady = state == PW_STREAM_STATE_PAUSED || state == PW_STREAM_STATE_STREAMING
      if state == PW_STREAM_STATE_ERROR || state == PW_STREAM_STATE_UNCONNECTED { owner.isBroken = true }
    }
    streamEvents.pointee.process = { @Sendable data in
      guard let data else { return }
      PipeWireStream.process(Unmanaged<Callback>.fromOpaque(data).takeUnretainedValue())
    }
    pw_stream_add_listener(stream, hooks + 1, streamEvents, callback.toOpaque())
  }

  /// On the data thread: no lock, no allocation, no log.
  private static func process(_ callback: Callback) {
    guard let buffer = pw_stream_dequeue_buffer(callback.stream) else { return }
    let format = callback.feed.format
    let stride = format.channelCount * MemoryLayout<Float>.stride
    var byteCount: UInt32 = 0
    guard let data = kite_pw_buffer_data(buffer, &byteCount) else {
      pw_stream_queue_buffer(callback.stream, buffer)
      return
    }
    let requested = Int(kite_pw_buffer_requested(buffer))
    let room = Int(byteCount) / stride
    let count = requested > 0 ? min(requested, room) : room
    callback.feed.render(
      into: data, count: count,
      heardAt: kite_pw_stream_heard_at(callback.stream, UInt32(format.sampleRate)),
      now: MonotonicTime.now.nanoseconds)
    kite_pw_buffer_set_size(buffer, UInt32(count * stride), UInt32(stride))
    pw_stream_queue_buffer(callback.stream, buffer)
  }
}
