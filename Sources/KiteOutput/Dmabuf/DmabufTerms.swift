import KiteCore
import KiteSystem
import WaylandToolkit

/// How a frame becomes a dmabuf.
struct DmabufChoice: Hashable, Sendable {
  /// The layout that the compositor is given.
  let layout: DmabufFormat
  /// Whether the compositor says that it can go to the screen without being composed; nil where it does not say.
  let isScanout: Bool?
  /// The format into which this process has to copy the frame first; nil when its memory is taken as it is.
  let copy: PixelFormat?
}

/// What decides whether frames can be dmabufs, beside the frame itself. A value, so that tests can ask anything of it.
struct DmabufTerms: Hashable, Sendable {
  /// What the compositor takes; nil without `linux-dmabuf`, or before it has said so.
  var offer: DmabufOffer?
  /// Why there is no offer, as a sentence.
  var absence = "The compositor has no linux-dmabuf."
  /// How memory of this process becomes a dmabuf, the better way first.
  var exporters: [DmabufExporter] = []
  /// Why there is no such way, as a sentence.
  var exportProblem = ""
  /// Layouts that the compositor has refused to import, although it offers them, by the device it draws with.
  var refused: Set<Refusal> = []

  /// A layout, and for which device it was refused.
  struct Refusal: Hashable, Sendable {
    let format: DmabufFormat
    let device: UInt64?
  }

  /// What came out.
  enum Verdict: Hashable {
    case take(DmabufChoice)
    /// No dmabuf, for this reason, as a sentence.
    case refuse(String)
  }

  /// A frame that memory of a device holds.
  private typealias Device = DmabufDescriptor

  /// Takes note of a refusal. A long list is of no use to anybody.
  mutating func refuse(_ format: DmabufFormat) {
    if refused.count < 64 { refused.insert(Refusal(format: format, device: offer?.mainDevice)) }
  }

  /// Whether frames of this format in this memory can be dmabufs, and how.
  ///
  /// - Parameter isSameDevice: whether two `dev_t` name nodes of one device.
  func verdict(
    for format: PixelFormat, memory: FrameMemory,
    isSameDevice: (UInt64, UInt64) -> Bool = DeviceNodes.areOfOneDevice
  ) -> Verdict {
    guard let offer else { return .refuse(absence) }
    switch memory {
    case .dmabuf(let device): return verdict(for: device, offer: offer, isSameDevice: isSameDevice)
    case .shared(let memory):
      let isExportable = exporters.contains { $0.backing == memory.backing }
      return verdict(for: format, isExportable: isExportable, offer: offer)
    case .heap: return verdict(for: format, isExportable: false, offer: offer)
    }
  }

  private func verdict(
    for device: Device, offer: DmabufOffer, isSameDevice: (UInt64, UInt64) -> Bool
  ) -> Verdict {
    let layout = DmabufFormat(fourcc: device.fourcc, modifier: device.modifier)
    let name = Self.name(of: layout.fourcc)
    let tranches = offer.tranches.filter { $0.contains(layout) }
    guard !tranches.isEmpty else {
      return .refuse(
        Self.notTaken(name, modifier: device.modifier, offered: offer.modifiers(of: device.fourcc)))
    }
    guard !isRefused(layout) else { return .refuse(Self.importRefused(name)) }
    // A tiling means something on one device only; rows are rows everywhere.
    let fitting = tranches.first { tranche in
      guard let there = tranche.device ?? offer.mainDevice, let here = device.device else { return true }
      return layout.modifier == DmabufFormat.linear || there == here || isSameDevice(there, here)
    }
    guard let fitting else {
      return .refuse(
        "The frames were decoded on another device (\(Self.text(of: device.device))) than the one that the compositor "
          + "draws with (\(Self.text(of: offer.mainDevice))).")
    }
    return .take(DmabufChoice(layout: layout, isScanout: Self.scanout(fitting), copy: nil))
  }

  private func verdict(for format: PixelFormat, isExportable: Bool, offer: DmabufOffer) -> Verdict {
    guard !exporters.isEmpty else { return .refuse(exportProblem) }
    let own = DmabufFormat(fourcc: format.fourcc, modifier: DmabufFormat.linear)
    if isExportable, format.fourcc != 0, let tranche = taken(own, by: offer) {
      return .take(DmabufChoice(layout: own, isScanout: Self.scanout(tranche), copy: nil))
    }
    for copy in PlaneCopy.targets(of: format) where copy != format || !isExportable {
      let layout = DmabufFormat(fourcc: copy.fourcc, modifier: DmabufFormat.linear)
      guard let tranche = taken(layout, by: offer) else { continue }
      return .take(DmabufChoice(layout: layout, isScanout: Self.scanout(tranche), copy: copy))
    }
    let name = format.rawValue
    if offer.tranche(for: own) != nil { return .refuse(Self.importRefused(name)) }
    return .refuse(
      Self.notTaken(
        name, modifier: DmabufFormat.linear,
        offered: format.fourcc == 0 ? [] : offer.modifiers(of: format.fourcc)))
  }

  private func taken(_ format: DmabufFormat, by offer: DmabufOffer) -> DmabufOffer.Tranche? {
    isRefused(format) ? nil : offer.tranche(for: format)
  }

  private func isRefused(_ format: DmabufFormat) -> Bool {
    refused.contains(Refusal(format: format, device: offer?.mainDevice))
  }

  /// Compositors that name no devices say nothing of scan-out either.
  private static func scanout(_ tranche: DmabufOffer.Tranche) -> Bool? {
    tranche.device == nil ? nil : tranche.isScanout
  }
}

// MARK: - Words

extension DmabufTerms {
  private static func importRefused(_ name: String) -> String {
    "The compositor offers to take \(name) dmabufs, but refused to import them."
  }

  private static func notTaken(_ name: String, modifier: UInt64, offered: [UInt64]) -> String {
    if offered.isEmpty { return "The compositor does not take \(name) dmabufs." }
    if modifier == DmabufFormat.implicit {
      return
        "The decoder does not say how its \(name) frames lie in memory, and the compositor wants to know it."
    }
    if modifier != DmabufFormat.linear {
      return
        "The compositor does not take \(name) dmabufs with the modifier 0x\(String(modifier, radix: 16))."
    }
    if offered == [DmabufFormat.implicit] {
      return
        "The compositor takes \(name) dmabufs only as its own driver lays them out, and these are linear."
    }
    return "The compositor takes \(name) dmabufs only in layouts of its device's own, and these are linear."
  }

  /// A fourcc as its four characters.
  static func name(of fourcc: UInt32) -> String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: fourcc >> (8 * UInt32($0))) }
    return String(decoding: bytes.map { (32..<127).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }

  private static func text(of device: UInt64?) -> String {
    device.map { DeviceNodes.name(of: $0) } ?? "unknown"
  }
}
