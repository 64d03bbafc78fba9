import KiteSystem

@testable import KiteCore

/// A renderer that takes frames early and gives back those that aren't due.
final class EarlyRenderer: VideoRenderer {
  typealias Arrival = FakeRenderer.Shown

  private struct Box: ~Copyable {
    var frames = RingBuffer<TimedFrame>(capacity: 64)
    var arrivals: [Arrival] = []
    var recalls = 0
  }

  private let box = Locked(Box())
  private let time: any TimeSource
  let lead: Int64 = 60_000_000
  let earliestLead: Int64 = 110_000_000

  init(time: any TimeSource) { self.time = time }

  /// All that ever came, also what was given back.
  var arrivals: [Arrival] { box.withLock { $0.arrivals } }
  /// How often something was asked back.
  var recalls: Int { box.withLock { $0.recalls } }

  /// What it has, or has shown: each frame once, with the target that counted.
  var kept: [Arrival] {
    box.withLock { box in
      (0..<box.frames.count).compactMap { index in
        box.frames.withElement(at: index) {
          Arrival(pts: $0.frame.properties.pts, target: $0.target, time: .distantPast)
        }
      }
    }
  }

  func present(_ frame: consuming VideoFrame, at target: MonotonicTime) {
    let timed = TimedFrame(frame, at: target)
    var given: TimedFrame? = consume timed
    box.withLock { box in
      guard let timed = given.take() else { return }
      box.arrivals.append(Arrival(pts: timed.frame.properties.pts, target: target, time: time.now))
      _ = box.frames.append(timed)
    }
  }

  func recall(after time: MonotonicTime) -> RingBuffer<TimedFrame> {
    box.withLock { box in
      box.recalls += 1
      var back = RingBuffer<TimedFrame>(capacity: 64)
      while let target = box.frames.withElement(at: box.frames.count - 1, { $0.target }), target > time {
        if let frame = box.frames.popLast() { _ = back.prepend(frame) }
      }
      return back
    }
  }

  func discardPending() {
    let now = time.now
    box.withLock { box in
      while let target = box.frames.withElement(at: box.frames.count - 1, { $0.target }), target > now {
        _ = box.frames.popLast()
      }
    }
  }

  func setActive(_ isActive: Bool) {}
  func close() {}
}
