import Glibc

/// What the threads of a program used between two instants of a film that plays: neither start nor end are in it.
struct SteadyAccount {
  /// A thread's CPU time in nanoseconds, and how often it went to sleep.
  struct Use {
    var cpu: Int64 = 0
    var sleeps = 0
  }

  /// From when to when after exec, in nanoseconds. Two seconds are enough for every player to be in its stride, and the
  /// bench's films last eight.
  static let window: Range<Int64> = 2_000_000_000..<7_000_000_000

  /// By the name of the threads; those of one name together.
  private(set) var threads: [String: Use] = [:]
  private var before: [Int32: Use]?
  private(set) var isComplete = false

  /// The use of all threads together.
  var total: Use {
    threads.values.reduce(into: Use()) {
      $0.cpu += $1.cpu
      $0.sleeps += $1.sleeps
    }
  }

  /// When the next look is due, in nanoseconds after exec; nil when there is none any more.
  var nextLook: Int64? {
    isComplete ? nil : before == nil ? Self.window.lowerBound : Self.window.upperBound
  }

  /// Looks at the threads of `pid`; a thread that ended between the two looks is not counted.
  mutating func look(at pid: pid_t) {
    let now = Self.uses(of: pid)
    guard let before else {
      before = now.mapValues(\.use)
      return
    }
    isComplete = true
    for (thread, (name, use)) in now {
      let earlier = before[thread] ?? Use()
      threads[name, default: Use()].cpu += use.cpu - earlier.cpu
      threads[name, default: Use()].sleeps += use.sleeps - earlier.sleeps
    }
  }

  private static func uses(of pid: pid_t) -> [Int32: (name: String, use: Use)] {
    var result: [Int32: (name: String, use: Use)] = [:]
    for task in Kernel.entries(of: "/proc/\(pid)/task") {
      let files = "/proc/\(pid)/task/\(task)"
      guard let thread = Int32(task),
        let cpu = Kernel.text(of: "\(files)/schedstat").split(separator: " ").first,
        let nanoseconds = Int64(cpu)
      else { continue }
      let name = Kernel.text(of: "\(files)/comm").filter { $0 != "\n" }
      let sleeps = Kernel.field("voluntary_ctxt_switches:", of: "\(files)/status")
      result[thread] = (name, Use(cpu: nanoseconds, sleeps: sleeps))
    }
    return result
  }
}
