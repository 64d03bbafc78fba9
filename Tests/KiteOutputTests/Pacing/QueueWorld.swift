import KiteSystem

@testable import KiteOutput

/// A film, a presenter that wakes late, and a compositor that keeps commits until their time: all on a clock of their own.
struct QueueWorld {
  var film: Double
  var hertz: Double
  /// How late the presenter wakes at the most, in nanoseconds.
  var delay: Int64
  var seconds = CadenceTests.seconds
  /// Whether commits with times are ever taken.
  var latches = true
  /// What feedback says of the refresh; nil for what it is.
  var told: Int64?

  struct Outcome {
    var tally = FramePacer.Tally()
    /// Vblanks that each frame stayed, after the clock was known.
    var stays: [Int] = []
    /// Frames that were let go of, or replaced before they were seen.
    var superseded = 0
    var shown = 0
    /// Commits of unknown fate, at the most.
    var mostInFlight = 0
    /// How far ahead of its time a frame was committed at the most, in nanoseconds.
    var farthestAhead: Int64 = 0
    /// Turns of the presenter.
    var turns = 0
    var stuck = 0
  }

  private struct Frame {
    let target: MonotonicTime
    let aim: FramePacer.Aim?
  }

  private struct Commit {
    let number: UInt64
    let frame: Frame
    let time: MonotonicTime
    let terms: CommitQueue.Terms?
  }

  func play() -> Outcome {
    var run = Run(world: self)
    return run.play()
  }

  private struct Run {
    let world: QueueWorld
    var outcome = Outcome()
    var generator = Generator(state: 5)
    var pacer = FramePacer()
    var queue = CommitQueue(isOffered: true)
    var waiting: [Frame] = []
    var commits: [Commit] = []
    var feedback: [(time: MonotonicTime, commit: Commit, vblank: Int, wasShown: Bool)] = []
    var open = 0
    var number: UInt64 = 0
    var lastShown: (vblank: Int, isAimed: Bool)?
    var now = MonotonicTime(nanoseconds: 0)

    init(world: QueueWorld) { self.world = world }

    var period: Double { 1e9 / world.hertz }
    func vblank(_ index: Int) -> MonotonicTime {
      MonotonicTime(nanoseconds: 3_456_789 + Int64(Double(index) * period))
    }
    func target(_ index: Int) -> MonotonicTime {
      MonotonicTime(nanoseconds: 1_000_000_000 + Int64(Double(index) * 1e9 / world.film))
    }
    mutating func late() -> Int64 { world.delay > 0 ? .random(in: 0...world.delay, using: &generator) : 0 }

    mutating func play() -> Outcome {
      let latch = min(7_000_000, Int64(period * 0.4))
      let count = Int(world.film * world.seconds)
      var next = 0
      var refresh = Int(0.9 * world.hertz)
      var arrival = target(0) - 20_000_000
      var timer: MonotonicTime?
      while next < count || !waiting.isEmpty || open > 0 {
        let latching = vblank(refresh) - latch
        let answer = feedback.first?.time ?? .distantFuture
        let wake = timer ?? .distantFuture
        let coming = next < count ? arrival : .distantFuture
        let event = min(latching, min(answer, min(wake, coming)))
        now = max(now, event)
        if event == latching {
          take(at: refresh)
          refresh += 1
          continue
        }
        if event == answer { settle(feedback.removeFirst()) }
        if event == coming {
          let aim = pacer.aim(target: target(next), duration: Int64(1e9 / world.film))
          waiting.append(Frame(target: target(next), aim: aim))
          next += 1
          let lead = queue.lead(for: pacer.frameDuration, at: now) ?? 20_000_000
          arrival = max(now, target(next) - max(20_000_000, lead)) + late()
        }
        timer = turn().map { max($0, now) + late() }
      }
      outcome.tally = pacer.tally
      return outcome
    }

    /// A turn of the presenter. Returns when to wake it.
    mutating func turn() -> MonotonicTime? {
      outcome.turns += 1
      if queue.tick(now) { outcome.stuck += 1 }
      while queue.isWorking(at: now) {
        switch queue.decide(targets: waiting.map(\.target), now: now) {
        case .idle: return queue.deadline
        case .wait(let time): return time
        case .commit(let index):
          drop(index)
          let frame = waiting.removeFirst()
          let terms = queue.terms(
            target: frame.target, aim: frame.aim, vblank: pacer.vblank(of: frame.aim), period: pacer.period,
            duration: pacer.frameDuration, at: now)
          commit(frame, terms)
          if let last = commits.last?.terms {
            queue.committed(number, due: frame.target, terms: last, at: now)
          }
          outcome.mostInFlight = max(outcome.mostInFlight, queue.count)
          outcome.farthestAhead = max(outcome.farthestAhead, frame.target - now)
        }
      }
      let openings = waiting.map { pacer.opening(for: $0.target, aim: $0.aim) }
      switch PresentationLaw.decide(targets: openings, now: now, opening: .distantPast) {
      case .idle: return nil
      case .wait(let time): return time
      case .commit(let index):
        drop(index)
        commit(waiting.removeFirst(), nil)
        return turn()
      }
    }

    private mutating func drop(_ count: Int) {
      outcome.superseded += count
      waiting.removeFirst(count)
    }

    private mutating func commit(_ frame: Frame, _ terms: CommitQueue.Terms?) {
      number += 1
      open += 1
      commits.append(Commit(number: number, frame: frame, time: now, terms: terms))
    }

    /// The compositor takes what is ready for a vblank.
    private mutating func take(at index: Int) {
      var hasBarrier = false
      var shown: Commit?
      while let first = commits.first {
        if let terms = first.terms {
          let mayPass = commits.contains { $0.terms == nil }
          if !world.latches, !mayPass { break }
          if world.latches, terms.waits, hasBarrier { break }
          if world.latches, let time = terms.time, time > vblank(index) { break }
        }
        commits.removeFirst()
        if let shown { answer(shown, at: index, wasShown: false) }
        shown = first
        hasBarrier = hasBarrier || first.terms != nil
      }
      if let shown { answer(shown, at: index, wasShown: true) }
    }

    private mutating func answer(_ commit: Commit, at index: Int, wasShown: Bool) {
      feedback.append((vblank(index) + late(), commit, index, wasShown))
      feedback.sort { $0.time < $1.time }
    }

    private mutating func settle(
      _ answer: (time: MonotonicTime, commit: Commit, vblank: Int, wasShown: Bool)
    ) {
      open -= 1
      if answer.wasShown { queue.presented(answer.commit.number, at: vblank(answer.vblank)) }
      queue.settled(answer.commit.number, wasShown: answer.wasShown)
      guard answer.wasShown else {
        outcome.superseded += 1
        return
      }
      outcome.shown += 1
      pacer.presented(
        at: vblank(answer.vblank), refresh: world.told ?? Int64(period), aim: answer.commit.frame.aim)
      if let lastShown, lastShown.isAimed { outcome.stays.append(answer.vblank - lastShown.vblank) }
      lastShown = (answer.vblank, answer.commit.frame.aim != nil)
    }
  }
}
