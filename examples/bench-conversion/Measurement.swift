import Glibc

/// Milliseconds of CPU that the process has used.
func cpuMilliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// CPU time of one call in milliseconds: the best of several rounds, since whatever else runs only ever adds.
func measure(rounds: Int = 5, _ work: () -> Void) -> Double {
  work()
  var best = Double.infinity
  for _ in 0..<rounds {
    let start = cpuMilliseconds()
    for _ in 0..<4 { work() }
    best = min(best, (cpuMilliseconds() - start) / 4)
  }
  return best
}

/// `value` with so many decimals, without the locale's help.
func fixed(_ value: Double, _ decimals: Int) -> String {
  let scale = pow(10, Double(decimals))
  let scaled = Int((value * scale).rounded())
  let digits = String(abs(scaled))
  let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
  return (scaled < 0 ? "-" : "") + padded.dropLast(decimals) + (decimals > 0 ? "." : "")
    + padded.suffix(decimals)
}

/// `text` in a column so wide.
func column(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}
