extension MonitorRecorder.Recording {
  /// When each beep of the film of flashes begins, in nanoseconds of CLOCK_MONOTONIC, by the middle of its energy: what is
  /// stretched in time has no sharp edge. Those that were cut are left out.
  func beeps(rate: Double = 1) -> [Int64] {
    var loud: [ClosedRange<Int>] = []
    for (index, sample) in samples.enumerated() where abs(sample) > 0.02 {
      if let last = loud.last, index - last.upperBound < 2400 {
        loud[loud.count - 1] = last.lowerBound...index
      } else {
        loud.append(index...index)
      }
    }
    let length = 4800 / rate
    return loud.compactMap { range in
      guard abs(Double(range.count) - length) < 0.2 * length + 3000 else { return nil }
      var energy = 0.0
      var moment = 0.0
      for index in range {
        let square = Double(samples[index] * samples[index])
        energy += square
        moment += square * Double(index)
      }
      return time(of: Int(moment / energy - length / 2))
    }
  }
}
