import Synchronization

/// A queue of interleaved samples between one writer and one reader, without a lock: neither ever waits for the other.
///
/// Positions count frames (one sample of each channel) from the beginning of the ring's life and only grow.
public final class SampleRing: Sendable {
  /// Samples of one frame.
  public let channelCount: Int
  /// Frames that fit.
  public let capacity: Int

  /// Written by the writer alone behind `written`, read by the reader alone before it: the two never meet in one frame.
  private nonisolated(unsafe) let storage: UnsafeMutablePointer<Float>
  private let writtenFrames = Atomic<Int64>(0)
  private let readFrames = Atomic<Int64>(0)

  /// An empty ring of at least one frame of one channel.
  public init(channelCount: Int, capacity: Int) {
    self.channelCount = max(1, channelCount)
    self.capacity = max(1, capacity)
    storage = .allocate(capacity: self.channelCount * self.capacity)
    storage.initialize(repeating: 0, count: self.channelCount * self.capacity)
  }

  deinit { storage.deallocate() }

  /// Frames written so far.
  public var written: Int64 { writtenFrames.load(ordering: .acquiring) }
  /// Frames read or skipped so far.
  public var read: Int64 { readFrames.load(ordering: .acquiring) }

  /// Writer: copies as many whole frames as fit, and returns how many.
  public func write(_ samples: UnsafeBufferPointer<Float>) -> Int {
    guard let source = samples.baseAddress else { return 0 }
    let start = writtenFrames.load(ordering: .relaxed)
    let free = capacity - Int(start - readFrames.load(ordering: .acquiring))
    let count = min(samples.count / channelCount, free)
    guard count > 0 else { return 0 }
    let offset = Int(start % Int64(capacity))
    let first = min(count, capacity - offset)
    (storage + offset * channelCount).update(from: source, count: first * channelCount)
    storage.update(from: source + first * channelCount, count: (count - first) * channelCount)
    writtenFrames.store(start + Int64(count), ordering: .releasing)
    return count
  }

  /// Reader: the samples of the frame at `position`, which is between `read` and `written`.
  @inline(__always) public func frame(at position: Int64) -> UnsafePointer<Float> {
    UnsafePointer(storage + Int(position % Int64(capacity)) * channelCount)
  }

  /// Reader: gives back all frames before `position`.
  public func finishReading(upTo position: Int64) { readFrames.store(position, ordering: .releasing) }
}
