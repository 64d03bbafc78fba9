internal import Wayland

/// Collects what a monitor says until it says that this was all.
struct OutputState {
  /// What is in force; nil until the first description is complete.
  private(set) var info: OutputInfo?
  private var pending = OutputInfo()
  private var hasDone: Bool

  /// Version 1 has no `done`: each of its events counts by itself.
  init(version: UInt32) { hasDone = version >= 2 }

  /// Takes an event. Returns whether `info` changed.
  mutating func receive(_ event: WlOutput.Event) -> Bool {
    switch event {
    case .geometry(_, _, let width, let height, _, let make, let model, let transform):
      pending.physicalWidth = Int(max(0, width))
      pending.physicalHeight = Int(max(0, height))
      pending.make = make
      pending.model = model
      pending.transform = OutputTransform(rawValue: Int(transform.rawValue & 7))
    case .mode(let flags, let width, let height, let refresh):
      guard flags.contains(.current) else { return false }
      pending.modeWidth = Int(max(0, width))
      pending.modeHeight = Int(max(0, height))
      pending.refresh = Int(max(0, refresh))
    case .scale(let factor): pending.scale = Int(max(1, factor))
    case .name(let name): pending.name = name
    case .description(let text): pending.description = text
    case .done: return apply()
    }
    return hasDone ? false : apply()
  }

  private mutating func apply() -> Bool {
    guard info != pending else { return false }
    info = pending
    return true
  }
}
