/// Which scale a surface should be drawn at, from what the compositor says in its three ways: the fractional
/// scale, the preferred buffer scale of `wl_surface` version 6, the outputs that the surface is on.
///
/// The best one that has spoken counts. A surface that is on no output keeps its scale: that happens on the
/// way from one monitor to another, and when a monitor sleeps.
struct ScaleTracker<Output: Hashable> {
  private var fractional120: Int?
  private var preferred: Int?
  private var scales: [Output: Int] = [:]

  /// Physical pixels per logical pixel in 120ths.
  private(set) var scale120 = 120

  /// The outputs that the surface is on.
  var outputs: Set<Output> { Set(scales.keys) }

  /// `wp_fractional_scale_v1.preferred_scale`. Nonsense counts for nothing.
  mutating func fractional(_ scale120: UInt32) {
    guard scale120 > 0, scale120 <= 120 * 64 else { return }
    fractional120 = Int(scale120)
    update()
  }

  /// `wl_surface.preferred_buffer_scale`.
  mutating func preferred(_ factor: Int32) {
    guard factor > 0, factor <= 64 else { return }
    preferred = Int(factor)
    update()
  }

  /// The surface came to an output of this scale.
  mutating func entered(_ output: Output, scale: Int) {
    scales[output] = max(1, scale)
    update()
  }

  /// The surface left an output, or the output is gone.
  mutating func left(_ output: Output) {
    scales[output] = nil
    update()
  }

  /// An output changed its scale; no matter unless the surface is on it.
  mutating func changed(_ output: Output, scale: Int) {
    guard scales[output] != nil else { return }
    scales[output] = max(1, scale)
    update()
  }

  private mutating func update() {
    if let fractional120 {
      scale120 = fractional120
    } else if let preferred {
      scale120 = preferred * 120
    } else if let largest = scales.values.max() {
      scale120 = largest * 120
    }
  }
}
