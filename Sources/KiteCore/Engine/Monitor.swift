import Glibc
import KiteSystem

/// Who sleeps in a monitor, and so who can be woken by name.
enum Sleeper: Int, CaseIterable {
  case demuxer, decoder, delivery, sound
  /// Whoever reads lines of text that began before where the film is read.
  case lookBack
  /// Whoever closes the engine and waits for its threads.
  case closer
}

/// Several sleepers.
struct Sleepers: OptionSet {
  let rawValue: UInt8
  static let demuxer = Sleepers(rawValue: 1 << Sleeper.demuxer.rawValue)
  static let decoder = Sleepers(rawValue: 1 << Sleeper.decoder.rawValue)
  static let delivery = Sleepers(rawValue: 1 << Sleeper.delivery.rawValue)
  static let sound = Sleepers(rawValue: 1 << Sleeper.sound.rawValue)
  static let lookBack = Sleepers(rawValue: 1 << Sleeper.lookBack.rawValue)
  static let closer = Sleepers(rawValue: 1 << Sleeper.closer.rawValue)
  static let all: Sleepers = [.demuxer, .decoder, .delivery, .sound, .lookBack, .closer]
}

/// What a turn under a monitor's lock comes to.
enum Turn<Result: ~Copyable>: ~Copyable {
  /// The turn's result: the lock is left with it.
  case done(Result)
  /// Nothing to do until somebody wakes this sleeper or the time has come (nil: never); then the turn is taken again.
  case sleep(until: MonotonicTime?)
}

/// One lock over the state of an engine, with one condition variable for each of its threads.
///
/// A turn never sleeps while it holds `inout State`: it returns `.sleep`, and the borrow is over before the lock is let
/// go. Sleepers are counted, so that waking nobody costs no system call and a test can tell when all threads rest.
final class Monitor<State: ~Copyable>: @unchecked Sendable {
  // Unchecked, because the pointers never change and what they point to is only touched under `mutex`.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let conditions = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: Sleeper.allCases.count)
  private let sleeps = UnsafeMutablePointer<Sleep>.allocate(capacity: Sleeper.allCases.count)
  private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
  private let time: any TimeSource

  private struct Sleep {
    var sleeping = 0
    /// Counts wake-ups: who finds it unchanged was woken by the time, or by nothing.
    var wakeUps: UInt64 = 0
  }

  init(_ initial: consuming State, time: any TimeSource) {
    self.time = time
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    for index in 0..<Sleeper.allCases.count { pthread_cond_init(conditions + index, &attributes) }
    pthread_condattr_destroy(&attributes)
    sleeps.initialize(repeating: Sleep(), count: Sleeper.allCases.count)
    state.initialize(to: initial)
  }

  deinit {
    state.deinitialize(count: 1)
    for index in 0..<Sleeper.allCases.count { pthread_cond_destroy(conditions + index) }
    pthread_mutex_destroy(mutex)
    state.deallocate()
    sleeps.deallocate()
    conditions.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` under the lock.
  func withLock<Result: ~Copyable>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&state.pointee)
  }

  /// Takes turns under the lock, asleep between them, until one is done.
  func run<Result: ~Copyable>(as sleeper: Sleeper, _ body: (inout State) -> Turn<Result>) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      switch body(&state.pointee) {
      case .done(let result): return result
      case .sleep(let deadline): sleep(as: sleeper, until: deadline)
      }
    }
  }

  /// Wakes all who sleep as one of `sleepers`. Under the lock only.
  func wake(_ sleepers: Sleepers) {
    for sleeper in Sleeper.allCases where sleepers.rawValue & (1 << sleeper.rawValue) != 0 { wake(sleeper) }
  }

  private func wake(_ sleeper: Sleeper) {
    let sleep = sleeps + sleeper.rawValue
    guard sleep.pointee.sleeping > 0 else { return }
    sleep.pointee.sleeping = 0
    sleep.pointee.wakeUps &+= 1
    pthread_cond_broadcast(conditions + sleeper.rawValue)
  }

  /// How many threads of the engine are asleep and not woken yet. Under the lock only.
  var sleepingThreads: Int {
    Sleeper.allCases.reduce(0) { $1 == .closer ? $0 : $0 + sleeps[$1.rawValue].sleeping }
  }

  private func sleep(as sleeper: Sleeper, until deadline: MonotonicTime?) {
    let sleep = sleeps + sleeper.rawValue
    let condition = conditions + sleeper.rawValue
    let wakeUps = sleep.pointee.wakeUps
    var alarm: UInt64?
    // Closing is bounded in the kernel's time, whatever clock the player has.
    let isTimedByKernel = time.isKernelClock || sleeper == .closer
    if let deadline, !isTimedByKernel {
      alarm = time.arm(at: deadline) { [weak self] in self?.withLock { _ in self?.wake(sleeper) } }
      if alarm == nil { return }
    }
    sleep.pointee.sleeping += 1
    if let deadline, isTimedByKernel {
      let nanoseconds = max(0, deadline.nanoseconds)
      var limit = timespec(
        tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
      pthread_cond_timedwait(condition, mutex, &limit)
    } else {
      pthread_cond_wait(condition, mutex)
    }
    if sleep.pointee.wakeUps == wakeUps { sleep.pointee.sleeping -= 1 }
    if let alarm { time.disarm(alarm) }
  }
}
