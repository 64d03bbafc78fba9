import CLinux
import CPipeWire
import Glibc
import KiteSystem
import Synchronization

/// The thread that talks with the PipeWire daemon for one sink: connects, and connects again when it went away.
///
/// The samples themselves are taken by a thread of libpipewire's, in `PipeWireStream`.
final class PipeWireThread: Sendable {
  private let feed: SampleFeed
  private let name: String
  private let remote: String?
  private let isRefused = Atomic(false)
  private let isWanted = Atomic(false)
  private let isClosing = Atomic(false)
  /// Wakes the thread.
  private let bell: Bell?

  private final class Bell: Sendable {
    let event: EventDescriptor
    init() throws(SystemError) { event = try EventDescriptor() }
  }

  /// How long to wait before another try to reach the daemon, in milliseconds.
  private static let retry: Int32 = 500
  /// How long the stream goes on silently when nothing is to be heard, in nanoseconds: a short pause doesn't send the
  /// device to sleep.
  private static let linger: Int64 = 2_000_000_000

  init(feed: SampleFeed, name: String, remote: String?) {
    self.feed = feed
    self.name = name
    self.remote = remote
    bell = try? Bell()
  }

  /// Whether there is no daemon, or none that takes the stream. Not before the first try has failed.
  var hasNobody: Bool { isRefused.load(ordering: .acquiring) }

  /// Without a thread to be had there is no sound.
  func start() {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let start = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, &attributes,
      { @Sendable raw in
        guard let raw else { return nil }
        kite_name_thread("kite-pipewire")
        Unmanaged<PipeWireThread>.fromOpaque(raw).takeRetainedValue().run()
        return nil
      }, start.toOpaque())
    guard code != 0 else { return }
    start.release()
    isRefused.store(true, ordering: .releasing)
  }

  /// Whether there is something to be heard.
  func setWanted(_ wanted: Bool) {
    guard isWanted.exchange(wanted, ordering: .acquiringAndReleasing) != wanted else { return }
    bell?.event.signal()
  }

  /// Ends the thread, after a fade. Idempotent, from any thread.
  func close() {
    feed.setRunning(false)
    isClosing.store(true, ordering: .releasing)
    bell?.event.signal()
  }

  private func run() {
    pw_init(nil, nil)
    // Standard error is the app's; what matters shows in the status.
    if getenv("PIPEWIRE_DEBUG") == nil { pw_log_set_level(SPA_LOG_LEVEL_NONE) }
    guard let bell, let loop = kite_pw_loop_new() else {
      return isRefused.store(true, ordering: .releasing)
    }
    kite_pw_loop_enter(loop)
    let context = pw_context_new(loop, nil, 0)
    var stream: PipeWireStream?
    let source = kite_pw_loop_watch(loop, bell.event.descriptor)
    var idleSince: MonotonicTime?
    var nextTry = MonotonicTime.distantPast
    while !isClosing.load(ordering: .acquiring) {
      if stream?.isBroken == true {
        isRefused.store(true, ordering: .releasing)
        stream?.destroy()
        stream = nil
      }
      if stream == nil, nextTry <= .now {
        nextTry = .now + Int64(Self.retry) * 1_000_000
        stream = context.flatMap { PipeWireStream(context: $0, remote: remote, feed: feed, name: name) }
      }
      if stream == nil || stream?.isReady == true { isRefused.store(stream == nil, ordering: .releasing) }
      let wanted = isWanted.load(ordering: .acquiring)
      if wanted {
        idleSince = nil
        stream?.setActive(true)
      } else if idleSince == nil {
        idleSince = .now
      }
      var timeout = stream == nil ? Self.retry : stream?.isBroken == true ? 0 : -1
      if let since = idleSince, stream?.isActive == true {
        let left = Self.linger - (MonotonicTime.now - since)
        if left <= 0 { stream?.setActive(false) } else { timeout = Int32(left / 1_000_000) + 1 }
      }
      _ = kite_pw_loop_iterate(loop, timeout)
      bell.event.acknowledge()
    }
    isRefused.store(true, ordering: .releasing)
    // What sounds fades out first: a few cycles of the graph.
    let deadline = MonotonicTime.now + 60_000_000
    while stream?.isActive == true, !feed.isFadedOut, .now < deadline {
      _ = kite_pw_loop_iterate(loop, 5)
    }
    if let source { kite_pw_loop_destroy_source(loop, source) }
    stream?.destroy()
    if let context { pw_context_destroy(context) }
    kite_pw_loop_leave(loop)
    pw_loop_destroy(loop)
  }
}
