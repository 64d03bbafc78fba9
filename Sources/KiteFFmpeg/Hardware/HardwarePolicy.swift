/// Whether a device decodes.
public enum HardwarePolicy: String, Hashable, Sendable, CaseIterable {
  /// A device where there is one that can, else the processor. A device that fails is given up at once.
  case auto
  /// The processor alone.
  case off
  /// A device, or an error.
  case required
}
