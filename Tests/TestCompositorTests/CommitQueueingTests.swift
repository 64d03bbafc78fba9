import KiteSystem
import TestCompositor
import Testing
import Wayland

/// Commits wait for barriers and times as `fifo-v1` and `commit-timing-v1` say. The clock is the test's.
@Suite struct CommitQueueingTests {
  private struct Stage {
    let client: RawClient
    let surface: WlSurface
    let fifo: WpFifoV1
    let timer: WpCommitTimerV1
    var compositor: ScriptedCompositor { client.compositor }

    init() throws {
      client = try RawClient(.queueing)
      surface = try client.window().surface
      fifo = try client.bind(WpFifoManagerV1.self).getFifo(surface)
      timer = try client.bind(WpCommitTimingManagerV1.self).getTimer(surface)
    }

    func commit(_ rgb: UInt32, waits: Bool = false, milliseconds: Int64? = nil) throws {
      surface.attach(try client.buffer(4, 4, rgb: rgb).buffer, x: 0, y: 0)
      if waits { fifo.waitBarrier() }
      fifo.setBarrier()
      if let milliseconds { setTime(milliseconds * 1_000_000) }
      surface.commit()
      try client.settle()
    }

    func setTime(_ nanoseconds: Int64) {
      timer.setTimestamp(
        tvSecHi: 0, tvSecLo: UInt32(nanoseconds / 1_000_000_000), tvNsec: UInt32(nanoseconds % 1_000_000_000))
    }

    /// Refreshes the screen. Returns what it shows.
    func refresh(milliseconds: Int64) throws -> UInt32? {
      compositor.vblank(at: MonotonicTime(nanoseconds: milliseconds * 1_000_000))
      try client.settle()
      return compositor.screenshot().map { picture in
        let pixel = picture[0, 0]
        return [0xFF0000, 0x00FF00, 0x0000FF].first { pixel.distance(to: Picture.Pixel(rgb: $0)) == 0 } ?? 0
      }
    }
  }

  private static let (red, green, blue): (UInt32, UInt32, UInt32) = (0xFF0000, 0x00FF00, 0x0000FF)

  @Test func aBarrierGivesEachCommitARefresh() throws {
    let stage = try Stage()
    try stage.commit(Self.red, waits: true)
    try stage.commit(Self.green, waits: true)
    try stage.commit(Self.blue, waits: true)
    #expect(stage.compositor.window?.surface.waitingCommits == 2)
    #expect(try stage.refresh(milliseconds: 10) == Self.red)
    #expect(try stage.refresh(milliseconds: 20) == Self.green)
    #expect(try stage.refresh(milliseconds: 30) == Self.blue)
    #expect(stage.compositor.window?.surface.waitingCommits == 0)
  }

  @Test func aCommitThatDoesNotWaitTakesThePlaceOfTheOneBefore() throws {
    let stage = try Stage()
    try stage.commit(Self.red)
    try stage.commit(Self.green, waits: true)
    try stage.commit(Self.blue)
    #expect(try stage.refresh(milliseconds: 10) == Self.red)
    // The one that waited lets both through.
    #expect(try stage.refresh(milliseconds: 20) == Self.blue)
  }

  @Test func noCommitIsTakenBeforeItsTimeNorBeforeThoseAhead() throws {
    let stage = try Stage()
    try stage.commit(Self.red)
    try stage.commit(Self.green, milliseconds: 30)
    try stage.commit(Self.blue)
    #expect(try stage.refresh(milliseconds: 10) == Self.red)
    #expect(try stage.refresh(milliseconds: 20) == Self.red)
    #expect(try stage.refresh(milliseconds: 30) == Self.blue)
  }

  /// A window's new size waits for what its part has in the queue, so that both change in one step.
  @Test func aParentWaitsForTheQueueOfItsSynchronizedPart() throws {
    let stage = try Stage()
    try stage.commit(Self.red)
    let child = stage.client.wlCompositor.createSurface()
    let part = try stage.client.bind(WlSubcompositor.self).getSubsurface(child, parent: stage.surface)
    part.setDesync()
    let timer = try stage.client.bind(WpCommitTimingManagerV1.self).getTimer(child)
    stage.surface.commit()
    timer.setTimestamp(tvSecHi: 0, tvSecLo: 0, tvNsec: 30_000_000)
    child.commit()
    part.setSync()
    child.commit()
    try stage.commit(Self.green)
    #expect(try stage.refresh(milliseconds: 20) == Self.red)
    #expect(try stage.refresh(milliseconds: 30) == Self.green)
  }

  enum Mistake: CaseIterable, Sendable {
    case secondFifo, secondTimer, barrierWithoutSurface, timeWithoutSurface, twoTimes, longNanoseconds
  }

  @Test(arguments: Mistake.allCases) func mistakesEndTheClient(_ mistake: Mistake) throws {
    let stage = try Stage()
    let expected: (interface: String, code: UInt32)
    switch mistake {
    case .secondFifo:
      _ = try stage.client.bind(WpFifoManagerV1.self).getFifo(stage.surface)
      expected = ("wp_fifo_manager_v1", WpFifoManagerV1.Error.alreadyExists.rawValue)
    case .secondTimer:
      _ = try stage.client.bind(WpCommitTimingManagerV1.self).getTimer(stage.surface)
      expected = ("wp_commit_timing_manager_v1", WpCommitTimingManagerV1.Error.commitTimerExists.rawValue)
    case .barrierWithoutSurface, .timeWithoutSurface:
      let other = stage.client.wlCompositor.createSurface()
      let fifo = try stage.client.bind(WpFifoManagerV1.self).getFifo(other)
      let timer = try stage.client.bind(WpCommitTimingManagerV1.self).getTimer(other)
      other.destroy()
      if mistake == .barrierWithoutSurface {
        fifo.setBarrier()
        expected = ("wp_fifo_v1", WpFifoV1.Error.surfaceDestroyed.rawValue)
      } else {
        timer.setTimestamp(tvSecHi: 0, tvSecLo: 1, tvNsec: 0)
        expected = ("wp_commit_timer_v1", WpCommitTimerV1.Error.surfaceDestroyed.rawValue)
      }
    case .twoTimes:
      stage.setTime(1_000_000_000)
      stage.setTime(2_000_000_000)
      expected = ("wp_commit_timer_v1", WpCommitTimerV1.Error.timestampExists.rawValue)
    case .longNanoseconds:
      stage.timer.setTimestamp(tvSecHi: 0, tvSecLo: 1, tvNsec: 1_000_000_000)
      expected = ("wp_commit_timer_v1", WpCommitTimerV1.Error.invalidTimestamp.rawValue)
    }
    let error = try #require(stage.client.protocolError())
    #expect(error.interface == expected.interface && error.code == expected.code)
  }

  /// What was committed stays timed, and the next object may be made.
  @Test func theObjectsMayEndBeforeTheirCommits() throws {
    let stage = try Stage()
    try stage.commit(Self.red)
    try stage.commit(Self.green, waits: true, milliseconds: 30)
    stage.fifo.destroy()
    stage.timer.destroy()
    _ = try stage.client.bind(WpFifoManagerV1.self).getFifo(stage.surface)
    _ = try stage.client.bind(WpCommitTimingManagerV1.self).getTimer(stage.surface)
    #expect(try stage.refresh(milliseconds: 10) == Self.red)
    #expect(try stage.refresh(milliseconds: 30) == Self.green)
    #expect(stage.client.protocolError() == nil)
  }
}
