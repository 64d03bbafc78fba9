import KiteCore
import KiteSystem
import Synchronization

/// What a sound server's callback reads from: a ring of samples, with fades wherever sound begins or ends.
///
/// `render` is the reader, and neither locks, allocates nor logs. All other members belong to writers.
final class SampleFeed: Sendable {
  let format: AudioFormat
  private let ring: SampleRing
  /// Frames that a fade takes: 5 ms.
  let fadeLength: Int

  private let isRunning = Atomic(false)
  private let volume = Atomic<UInt32>(Float(1).bitPattern)
  /// Frames before it are not wanted.
  private let flushMark = Atomic<Int64>(0)
  /// Grows with everything that makes older reports wrong.
  private let epoch = Atomic<Int64>(0)

  // The newest report, written by the reader: odd while it is being written.
  private let sequence = Atomic<Int64>(0)
  private let reportedFrame = Atomic<Int64>(-1)
  private let reportedTime = Atomic<Int64>(0)
  private let reportedEpoch = Atomic<Int64>(-1)
  /// When `render` was called last, in nanoseconds.
  private let lastRender = Atomic<Int64>(.min)
  /// All that was wanted is faded out.
  private let isSilent = Atomic(true)

  /// The reader's own: how far it is faded in, and the volume it is at.
  // nonisolated(unsafe): only the reader's callback touches it, and the stream has ended before the feed does.
  private nonisolated(unsafe) let fade: UnsafeMutablePointer<Fade>

  private struct Fade {
    /// Frames of a fade: 0 is silent, `fadeLength` all of it.
    var level = 0
    var volume: Float = 1
  }

  /// A feed that holds `seconds` of sound.
  init(_ format: AudioFormat, seconds: Double) {
    self.format = format
    ring = SampleRing(
      channelCount: format.channelCount, capacity: max(1, Int(seconds * Double(format.sampleRate))))
    fadeLength = max(1, format.sampleRate / 200)
    fade = .allocate(capacity: 1)
    fade.initialize(to: Fade())
  }

  deinit { fade.deallocate() }

  // MARK: Writers

  /// Frames that wait to be heard.
  var waitingFrames: Int { Int(max(0, ring.written - max(ring.read, flushMark.load(ordering: .relaxed)))) }
  var isFadedOut: Bool { isSilent.load(ordering: .acquiring) }

  /// When `render` was called last.
  var lastRendered: MonotonicTime? {
    let time = lastRender.load(ordering: .acquiring)
    return time == .min ? nil : MonotonicTime(nanoseconds: time)
  }

  func write(_ samples: UnsafeBufferPointer<Float>) -> Int { ring.write(samples) }

  func flush() {
    flushMark.store(ring.written, ordering: .releasing)
    epoch.add(1, ordering: .acquiringAndReleasing)
  }

  func setRunning(_ value: Bool) {
    guard isRunning.exchange(value, ordering: .acquiringAndReleasing) != value else { return }
    epoch.add(1, ordering: .acquiringAndReleasing)
  }

  func setVolume(_ value: Float) {
    volume.store((value.isFinite ? min(max(value, 0), 1) : 1).bitPattern, ordering: .relaxed)
  }

  var anchor: AudioAnchor? {
    while true {
      let before = sequence.load(ordering: .sequentiallyConsistent)
      let frame = reportedFrame.load(ordering: .sequentiallyConsistent)
      let time = reportedTime.load(ordering: .sequentiallyConsistent)
      let reported = reportedEpoch.load(ordering: .sequentiallyConsistent)
      guard before & 1 == 0, sequence.load(ordering: .sequentiallyConsistent) == before else { continue }
      guard frame >= 0, reported == epoch.load(ordering: .acquiring) else { return nil }
      return AudioAnchor(frame: frame, time: MonotonicTime(nanoseconds: time))
    }
  }

  // MARK: The reader

  /// Fills `count` frames at `output`, of which the first is heard at `heardAt` (0: not known). Called at `now`.
  func render(into output: UnsafeMutablePointer<Float>, count: Int, heardAt: Int64, now: Int64) {
    lastRender.store(now, ordering: .releasing)
    let newEpoch = epoch.load(ordering: .acquiring)
    let mark = flushMark.load(ordering: .acquiring)
    let runs = isRunning.load(ordering: .acquiring)
    let target = Float(bitPattern: volume.load(ordering: .relaxed))
    var position = ring.read
    var done = 0

    if position < mark {
      // What is sounding fades out in what was written before the flush.
      done += fadeOut(&position, into: output, count: min(count, Int(mark - position)), target: target)
      if fade.pointee.level > 0, done == count {
        return finish(position, isQuiet: false)
      }
      position = mark
      fade.pointee.level = 0
    }
    let available = Int(max(0, min(ring.written - position, Int64(count - done))))
    if runs {
      if available > 0 {
        report(frame: position, at: heardAt, offset: done, epoch: newEpoch)
        // Where the samples end before the buffer does, they end in a fade.
        let isLast = available < count - done
        let steady = isLast ? max(0, available - fadeLength) : available
        copy(&position, into: output, from: done, count: steady, rising: true, target: target)
        copy(
          &position, into: output, from: done + steady, count: available - steady, rising: false,
          target: target)
        done += available
      }
    } else {
      done += fadeOut(&position, into: output + done * format.channelCount, count: available, target: target)
    }
    let rest = (count - done) * format.channelCount
    if rest > 0 {
      (output + done * format.channelCount).update(repeating: 0, count: rest)
      fade.pointee.level = 0
    }
    finish(position, isQuiet: fade.pointee.level == 0)
  }

  private func finish(_ position: Int64, isQuiet: Bool) {
    ring.finishReading(upTo: position)
    isSilent.store(isQuiet, ordering: .releasing)
  }

  /// Copies until it is silent, at most `count` frames. Returns how many.
  private func fadeOut(
    _ position: inout Int64, into output: UnsafeMutablePointer<Float>, count: Int, target: Float
  ) -> Int {
    let count = min(count, fade.pointee.level)
    copy(&position, into: output, from: 0, count: count, rising: false, target: target)
    return count
  }

  private func copy(
    _ position: inout Int64, into output: UnsafeMutablePointer<Float>, from start: Int, count: Int,
    rising: Bool, target: Float
  ) {
    guard count > 0 else { return }
    let channels = format.channelCount
    let step = 1 / Float(fadeLength)
    var level = fade.pointee.level
    var volume = fade.pointee.volume
    var out = output + start * channels
    for _ in 0..<count {
      level = rising ? min(fadeLength, level + 1) : max(0, level - 1)
      volume = volume < target ? min(target, volume + step) : max(target, volume - step)
      let factor = Float(level) / Float(fadeLength) * volume
      let frame = ring.frame(at: position)
      for channel in 0..<channels { out[channel] = frame[channel] * factor }
      out += channels
      position += 1
    }
    fade.pointee = Fade(level: level, volume: volume)
  }

  private func report(frame: Int64, at heardAt: Int64, offset: Int, epoch: Int64) {
    guard heardAt > 0 else { return }
    let time = heardAt + Int64(offset) * 1_000_000_000 / Int64(format.sampleRate)
    sequence.add(1, ordering: .sequentiallyConsistent)
    reportedFrame.store(frame, ordering: .sequentiallyConsistent)
    reportedTime.store(time, ordering: .sequentiallyConsistent)
    reportedEpoch.store(epoch, ordering: .sequentiallyConsistent)
    sequence.add(1, ordering: .sequentiallyConsistent)
  }
}
