import Glibc
import KiteSystem
import Synchronization
import Testing

@testable import KiteCore

/// A player on a manual clock. Time passes only when all of its threads rest, and then jumps to the next alarm: the same
/// script gives the same times on any machine.
final class Simulation: Sendable {
  let time = ManualTime()
  let backend: FakeBackend
  let renderer: FakeRenderer
  let sinks: FakeSinks
  let player: KitePlayer

  init(
    _ media: FakeMedia, lead: Int64 = 0, configuration: PlayerConfiguration = PlayerConfiguration(),
    attaches: Bool = true, texts: (any SubtitleTextRendererFactory)? = nil, isHeard: Bool = false
  ) {
    backend = FakeBackend(media, time: time)
    renderer = FakeRenderer(lead: lead, time: time)
    sinks = FakeSinks(time: time)
    // As before there was sound: what has no packets of it needs no sink.
    let hasSound = isHeard || !media.sounds.isEmpty
    player = KitePlayer(
      backend: backend, sinks: hasSound ? sinks : nil, texts: texts, configuration: configuration, time: time)
    if attaches { player.attach(renderer) }
  }

  /// Opens the film; the threads rest on return.
  func open(playsWhenReady: Bool = false) {
    player.startOpening("film", playsWhenReady: playsWhenReady)
    rest()
  }

  /// Waits until no thread has anything to do at this time. False after 10 s: one is held up.
  @discardableResult
  func rest() -> Bool {
    var rounds = 0
    while !isAtRest {
      rounds += 1
      if rounds < 200 { sched_yield() } else { usleep(50) }
      if rounds > 200_000 { return false }
    }
    return true
  }

  private var isAtRest: Bool { isAtRest(except: 0) }

  private func isAtRest(except held: Int) -> Bool {
    guard let monitor = player.engine?.monitor else { return true }
    return monitor.withLock { monitor.sleepingThreads + time.restingThreads + held >= $0.threads }
  }

  /// Waits until the demuxer hangs in the source and the other threads rest.
  func restExceptDemuxer() async -> Bool {
    await eventually { backend.counts.waiting > 0 && isAtRest(except: 1) }
  }

  /// Lets `duration` pass, alarm by alarm.
  func pass(_ duration: MediaTime) {
    let end = time.now + duration.nanoseconds
    rest()
    while let alarm = time.nextAlarm, alarm <= end {
      time.advance(to: alarm)
      rest()
    }
    time.advance(to: end)
    rest()
  }

  /// Lets time pass until `condition` holds. False when nothing more is going to happen, or after `limit`.
  @discardableResult
  func pass(limit: MediaTime = MediaTime(seconds: 36_000), until condition: () -> Bool) -> Bool {
    let end = time.now + limit.nanoseconds
    rest()
    while !condition() {
      guard let alarm = time.nextAlarm, alarm <= end else { return condition() }
      time.advance(to: alarm)
      rest()
    }
    return true
  }
}

/// Waits in real time for what other threads do, at most 10 s. Leaves its thread to other tests meanwhile.
func eventually(_ condition: () -> Bool) async -> Bool {
  for _ in 0..<10_000 {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return condition()
}

extension MediaTime {
  static func ms(_ milliseconds: Int64) -> MediaTime { MediaTime(nanoseconds: milliseconds * 1_000_000) }
}

extension MonotonicTime {
  static func ms(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }
}
