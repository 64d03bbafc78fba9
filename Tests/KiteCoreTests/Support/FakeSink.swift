import KiteSystem

@testable import KiteCore

/// A sink on the manual clock, with a frame for each millisecond. It notes what is heard when.
final class FakeSink: AudioSink {
  struct Heard: Hashable {
    /// Media time in milliseconds, as a fake decoder writes it into the sample; 0 also for silence.
    var media: Int64
    var time: MonotonicTime
  }

  private struct Box {
    var isPresent = true
    /// Connected, but nobody takes anything.
    var isStuck = false
    var isRunning = false
    /// Frames a millisecond.
    var speed = 1.0
    var samples: [Float] = []
    var consumed = 0
    var mark = 0
    var rest = 0.0
    var settled: MonotonicTime
    var anchor: AudioAnchor?
    var heard: [Heard] = []
    var volumes: [Float] = []
    var isClosed = false
  }

  static let capacity = 250
  let format = AudioFormat(sampleRate: 1000, channelCount: 1)
  let latency: Int64
  private let time: ManualTime
  private let box: Locked<Box>

  init(time: ManualTime, latency: Int64 = 20_000_000) {
    self.time = time
    self.latency = latency
    box = Locked(Box(settled: time.now))
  }

  private func settled<Result: Sendable>(_ body: (inout Box) -> Result) -> Result {
    let now = time.now
    return box.withLock { box in
      defer { box.settled = now }
      box.consumed = max(box.consumed, box.mark)
      guard box.isRunning, box.isPresent, !box.isStuck, box.samples.count > box.consumed else {
        return body(&box)
      }
      let elapsed = Double(now - box.settled) / 1e6 * box.speed + box.rest
      let count = min(Int(elapsed), box.samples.count - box.consumed)
      box.rest = count == box.samples.count - box.consumed ? 0 : elapsed - Double(count)
      for index in 0..<count {
        let offset = Int64(Double(index) / box.speed * 1e6)
        box.heard.append(
          Heard(media: Int64(box.samples[box.consumed + index]), time: box.settled + latency + offset))
      }
      if count > 0 {
        box.anchor = AudioAnchor(frame: Int64(box.consumed), time: box.settled + latency)
        box.consumed += count
      }
      return body(&box)
    }
  }

  // MARK: What tests look at and change

  var heard: [Heard] { settled { $0.heard } }
  var volumes: [Float] { settled { $0.volumes } }
  var isClosed: Bool { settled { $0.isClosed } }
  func setPresent(_ value: Bool) { settled { $0.isPresent = value } }
  func setStuck(_ value: Bool) { settled { $0.isStuck = value } }
  func setSpeed(_ value: Double) { settled { $0.speed = value } }

  // MARK: AudioSink

  var status: AudioSinkStatus {
    settled { !$0.isPresent ? .unavailable : $0.isRunning && !$0.isStuck ? .sounding : .idle }
  }

  var anchor: AudioAnchor? { settled { $0.anchor } }

  func write(_ samples: UnsafeBufferPointer<Float>) -> Int {
    let samples = Array(samples)
    return settled { box in
      let room = Self.capacity - (box.samples.count - max(box.consumed, box.mark))
      let count = max(0, min(room, samples.count))
      box.samples += samples.prefix(count)
      return count
    }
  }

  func flush() {
    settled { box in
      box.mark = box.samples.count
      box.anchor = nil
    }
  }

  func setRunning(_ isRunning: Bool) {
    settled { box in
      if isRunning != box.isRunning { box.anchor = nil }
      box.isRunning = isRunning
    }
  }

  func setVolume(_ volume: Float) { settled { $0.volumes.append(volume) } }
  func close() { settled { $0.isClosed = true } }
}

/// Makes fake sinks, and keeps them.
final class FakeSinks: AudioSinkFactory {
  private let made = Locked<[FakeSink]>([])
  private let isPresent = Locked(true)
  private let asked = Locked<[AudioFormat]>([])
  private let time: ManualTime

  init(time: ManualTime) { self.time = time }

  /// What sinks were wanted for, in order.
  var formats: [AudioFormat] { asked.withLock { $0 } }

  /// The newest.
  var sink: FakeSink? { made.withLock { $0.last } }
  var count: Int { made.withLock { $0.count } }
  /// Whether sinks to come have somebody who plays them.
  func setPresent(_ value: Bool) { isPresent.withLock { $0 = value } }

  func makeSink(for format: AudioFormat) -> any AudioSink {
    let sink = FakeSink(time: time)
    sink.setPresent(isPresent.withLock { $0 })
    made.withLock { $0.append(sink) }
    asked.withLock { $0.append(format) }
    return sink
  }
}
