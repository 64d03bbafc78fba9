import KiteSystem
import Synchronization

@testable import KiteCore

/// Notes all that it is told. Holds the newest frame.
final class FakeRenderer: VideoRenderer {
  struct Shown: Hashable {
    var pts: MediaTime
    var target: MonotonicTime
    /// The clock when it came.
    var time: MonotonicTime
  }

  enum Call: Hashable {
    case present(MediaTime)
    case discardPending
    case setActive(Bool)
    case close
  }

  private struct Box: ~Copyable {
    var shown: [Shown] = []
    var calls: [Call] = []
    var frame: VideoFrame?
    var plane: (any SubtitlePlane)?
  }

  private let box = Locked(Box())
  private let time: (any TimeSource)?
  private let inside = Atomic(0)
  /// Calls that came while another was under way, or after the detach.
  let violations = Atomic(0)
  let isDetached = Atomic(false)
  let lead: Int64

  init(lead: Int64 = 0, time: (any TimeSource)? = nil) {
    self.lead = lead
    self.time = time
  }

  var shown: [Shown] { box.withLock { $0.shown } }
  var times: [MediaTime] { shown.map(\.pts) }
  var calls: [Call] { box.withLock { $0.calls } }

  func present(_ frame: consuming VideoFrame, at target: MonotonicTime) {
    enter()
    defer { leave() }
    var frame: VideoFrame? = consume frame
    box.withLock { box in
      let pts = frame?.properties.pts ?? .unknown
      box.shown.append(Shown(pts: pts, target: target, time: time?.now ?? .now))
      box.calls.append(.present(pts))
      box.frame = frame.take()
    }
  }

  /// What is shown over the pictures.
  var plane: (any SubtitlePlane)? { box.withLock { $0.plane } }
  func setSubtitles(_ plane: (any SubtitlePlane)?) {
    enter()
    defer { leave() }
    box.withLock { $0.plane = plane }
  }

  func discardPending() { note(.discardPending) }
  func setActive(_ isActive: Bool) { note(.setActive(isActive)) }

  func close() {
    box.withLock { box in
      box.calls.append(.close)
      box.frame = nil
    }
  }

  private func note(_ call: Call) {
    enter()
    defer { leave() }
    box.withLock { $0.calls.append(call) }
  }

  private func enter() {
    let others = inside.add(1, ordering: .acquiringAndReleasing).oldValue
    if others > 0 || isDetached.load(ordering: .acquiring) { violations.add(1, ordering: .relaxed) }
  }

  private func leave() { inside.subtract(1, ordering: .acquiringAndReleasing) }
}
