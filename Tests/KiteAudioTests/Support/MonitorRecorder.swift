import CPipeWire
import Glibc
import KiteSystem

/// Records what a sink plays, with the time of each sample.
final class MonitorRecorder: @unchecked Sendable {
  // Unchecked: the pointers are set before the loop's thread starts and freed after it has ended.
  struct Recording {
    /// One channel.
    var samples: [Float] = []
    /// When the sample of that index was played; one entry for each buffer.
    var times: [(index: Int, time: Int64)] = []

    /// When the sample at `index` was played, in nanoseconds of CLOCK_MONOTONIC.
    func time(of index: Int) -> Int64? {
      guard let buffer = times.last(where: { $0.index <= index }) else { return nil }
      return buffer.time + Int64(index - buffer.index) * 1_000_000_000 / 48000
    }
  }

  private let recorded = Locked(Recording())
  private let loop: OpaquePointer
  private let context: OpaquePointer
  private let core: OpaquePointer
  private let stream: OpaquePointer
  private let hook = UnsafeMutablePointer<spa_hook>.allocate(capacity: 1)
  private let events = UnsafeMutablePointer<pw_stream_events>.allocate(capacity: 1)

  /// Nil: there is no daemon.
  init?(socket: String, sink: String = "test-sink") {
    pw_init(nil, nil)
    guard let loop = pw_thread_loop_new("recorder", nil),
      let context = pw_context_new(pw_thread_loop_get_loop(loop), nil, 0),
      let core = kite_pw_connect(context, socket),
      let stream = kite_pw_stream_new(core, "recorder", 1, sink)
    else { return nil }
    self.loop = loop
    self.context = context
    self.core = core
    self.stream = stream
    hook.initialize(to: spa_hook())
    events.initialize(to: pw_stream_events())
    events.pointee.version = UInt32(PW_VERSION_STREAM_EVENTS)
    events.pointee.process = { @Sendable data in
      guard let data else { return }
      Unmanaged<MonitorRecorder>.fromOpaque(data).takeUnretainedValue().process()
    }
    pw_stream_add_listener(stream, hook, events, Unmanaged.passUnretained(self).toOpaque())
    guard kite_pw_stream_connect(stream, 1, 48000, 1, 0) >= 0, pw_thread_loop_start(loop) >= 0 else {
      return nil
    }
  }

  /// What has been recorded so far.
  var recording: Recording { recorded.withLock { $0 } }

  /// Ends recording. Once.
  func stop() -> Recording {
    pw_thread_loop_stop(loop)
    pw_stream_destroy(stream)
    pw_core_disconnect(core)
    pw_context_destroy(context)
    pw_thread_loop_destroy(loop)
    hook.deallocate()
    events.deallocate()
    return recording
  }

  private func process() {
    guard let buffer = pw_stream_dequeue_buffer(stream) else { return }
    var bytes: UInt32 = 0
    if let data = kite_pw_buffer_captured(buffer, &bytes) {
      let count = Int(bytes) / MemoryLayout<Float>.stride
      // What comes in a cycle was recorded before it.
      let time = kite_pw_stream_captured_at(stream) - Int64(count) * 1_000_000_000 / 48000
      recorded.withLock { recording in
        recording.times.append((recording.samples.count, time))
        recording.samples.append(contentsOf: UnsafeBufferPointer(start: data, count: count))
      }
    }
    pw_stream_queue_buffer(stream, buffer)
  }
}
