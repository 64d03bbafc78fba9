/// What decodes a video, and why nothing better does.
public struct DecoderReport: Hashable, Sendable {
  /// The way of a device, such as `VAAPI`; empty for the processor.
  public var hardware: String
  /// Why no device decodes, as a sentence; empty when one does.
  public var reason: String

  /// A report; by default of a decoder that says nothing of devices.
  public init(hardware: String = "", reason: String = "") {
    self.hardware = hardware
    self.reason = reason
  }
}
