public import KiteSystem

/// Whether what is written to a sink is heard.
public enum AudioSinkStatus: Hashable, Sendable {
  /// There is nobody to play it. That may change at any time.
  case unavailable
  /// It is connected, and begins when it is told to run.
  case idle
  /// It takes samples from what is written.
  case sounding
}

/// Which frame is heard when.
public struct AudioAnchor: Hashable, Sendable {
  /// A frame, counted from the first one that was ever written to the sink.
  public var frame: Int64
  /// When it is heard, or was.
  public var time: MonotonicTime

  /// `frame` is heard at `time`.
  public init(frame: Int64, time: MonotonicTime) {
    self.frame = frame
    self.time = time
  }
}

/// Where the sound of one item goes, from its making to its `close`: a queue of frames that are heard one after another.
///
/// The engine writes ahead from one thread; everything else comes from any thread, also while the engine holds its lock.
/// No call blocks, and none calls back. A sink that loses its device keeps taking the calls, and sounds again when there
/// is one: the engine looks at `status`, and plays on by the monotonic clock meanwhile.
public protocol AudioSink: AnyObject, Sendable {
  /// What `write` takes. Fixed.
  var format: AudioFormat { get }
  /// Whether what is written is heard.
  var status: AudioSinkStatus { get }
  /// Which frame is heard when, by the newest report since `setRunning(true)` and `flush`; nil before the first.
  var anchor: AudioAnchor? { get }

  /// Takes as many frames of the interleaved samples as fit now, and returns how many it took: at least a quarter of a
  /// second fits.
  func write(_ samples: UnsafeBufferPointer<Float>) -> Int
  /// Lets go of all that was written and is not heard yet, with a fade. Their frames keep their numbers.
  func flush()
  /// Lets the sound begin or go on, or holds it, with a fade. What was written before waits.
  func setRunning(_ isRunning: Bool)
  /// Factor of all samples, 0…1. Reached within some milliseconds.
  func setVolume(_ volume: Float)
  /// Ends the sink, with a fade. Idempotent.
  func close()
}

/// Makes sinks: the way to a sound server, or an app's own.
public protocol AudioSinkFactory: Sendable {
  /// A sink for sound of `format`, which may want another one itself. Doesn't wait for the sound server.
  func makeSink(for format: AudioFormat) -> any AudioSink
}
