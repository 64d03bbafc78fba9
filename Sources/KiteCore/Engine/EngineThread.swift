import CLinux
import Glibc

/// A plain thread with a name and a modest stack.
enum EngineThread {
  /// Decoders and TLS libraries were written for more than the 128 KiB that the smallest systems give; untouched pages
  /// cost nothing.
  private static let stackByteCount = 1 << 20

  private final class Start {
    let name: String
    let body: () -> Void
    init(name: String, body: @escaping () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Starts a detached thread that runs `body` and ends; `name` (at most 15 bytes) shows in debuggers.
  ///
  /// - Throws: `MediaError` of kind `resources` when the system has no thread to give.
  static func start(name: String, _ body: sending @escaping () -> Void) throws(MediaError) {
    let start = Unmanaged.passRetained(Start(name: name, body: body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackByteCount)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { @Sendable raw in
        guard let raw else { return nil }
        let start = Unmanaged<Start>.fromOpaque(raw).takeRetainedValue()
        kite_name_thread(start.name)
        start.body()
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw MediaError(
        kind: .resources, subject: "thread \(name)", reason: "could not be started (errno \(code))",
        advice: "Close other programs, or raise the limit of processes (ulimit -u).")
    }
  }
}
