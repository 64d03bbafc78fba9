/// Puts the events of `zwp_linux_dmabuf_feedback_v1` together: what is told becomes an offer as a whole, with `done`.
///
/// A pure value over bytes. What does not make sense (an index beyond the table, a device of the wrong length) is passed
/// over: the offer then holds less, and never something that was not offered.
public struct DmabufFeedbackParser: Sendable {
  private var table: [DmabufFormat] = []
  private var mainDevice: UInt64?
  private var tranches: [DmabufOffer.Tranche] = []
  private var device: UInt64?
  private var isScanout = false
  private var indices: [UInt16] = []

  /// A parser that has heard nothing.
  public init() {}

  /// `format_table`: the rows of the table, which holds until the next one comes, also over several `done`.
  public mutating func formatTable(_ formats: [DmabufFormat]) { table = formats }

  /// `main_device`: the bytes of a `dev_t`.
  public mutating func mainDevice(_ bytes: [UInt8]) { mainDevice = Self.device(bytes) }

  /// `tranche_target_device`: the bytes of a `dev_t`.
  public mutating func trancheTargetDevice(_ bytes: [UInt8]) { device = Self.device(bytes) }

  /// `tranche_formats`: 16-bit places in the table.
  public mutating func trancheFormats(_ bytes: [UInt8]) {
    for at in stride(from: 0, to: bytes.count - 1, by: 2) {
      indices.append(UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8)
    }
  }

  /// `tranche_flags`.
  public mutating func trancheFlags(isScanout: Bool) { self.isScanout = isScanout }

  /// `tranche_done`.
  public mutating func trancheDone() {
    let formats = indices.compactMap { Int($0) < table.count ? table[Int($0)] : nil }
    tranches.append(DmabufOffer.Tranche(device: device, isScanout: isScanout, formats: formats))
    device = nil
    isScanout = false
    indices.removeAll()
  }

  /// `done`: the offer that takes the place of the earlier one.
  public mutating func done() -> DmabufOffer {
    defer {
      tranches.removeAll()
      mainDevice = nil
    }
    return DmabufOffer(mainDevice: mainDevice, tranches: tranches)
  }

  /// A `dev_t` as the kernel of this machine has it: 8 bytes; nil for anything else.
  private static func device(_ bytes: [UInt8]) -> UInt64? {
    guard bytes.count == 8 else { return nil }
    return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
