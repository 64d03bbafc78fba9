internal import KiteSystem
public import Wayland

/// Follows what dmabufs a compositor takes. Belongs to the thread of its global's queue.
///
/// From version 4 on the compositor advises, for one surface or for all, and again whenever its advice changes. Before,
/// it lists formats, since version 3 with modifiers, once after the binding.
public final class DmabufWatcher {
  /// What is on offer now; nil before the compositor has said it.
  public var offer: DmabufOffer? {
    if advised == nil, !listed.isEmpty {
      advised = DmabufOffer(mainDevice: nil, tranches: [.init(device: nil, formats: listed)])
    }
    return advised
  }
  /// Called when `offer` is another one; an offer that is told again and is the same changes nothing.
  public var onChange: (() -> Void)?

  private let global: ZwpLinuxDmabufV1
  private var feedback: ZwpLinuxDmabufFeedbackV1?
  private var parser = DmabufFeedbackParser()
  private var advised: DmabufOffer?
  /// Formats of a compositor that only lists them.
  private var listed: [DmabufFormat] = []

  /// Versions that are understood. Version 6 names devices in another way.
  public static let versions: ClosedRange<UInt32> = 1...5

  /// Asks for the advice for `surface`, or for any surface when it is nil. `global` stays the caller's.
  public init(_ global: ZwpLinuxDmabufV1, surface: WlSurface?) {
    self.global = global
    if global.supports(4) {
      let feedback = surface.map { global.getSurfaceFeedback($0) } ?? global.getDefaultFeedback()
      feedback.onEvent = { [weak self] in self?.received($0) }
      self.feedback = feedback
    } else {
      global.onEvent = { [weak self] in self?.list($0) }
    }
  }

  deinit { end() }

  /// Ends the advice. Idempotent.
  public func end() {
    if let feedback, feedback.isAlive { feedback.destroy() }
    feedback = nil
    if global.isAlive { global.onEvent = nil }
    onChange = nil
  }

  private func list(_ event: ZwpLinuxDmabufV1.Event) {
    let format: DmabufFormat
    switch event {
    case .format(let fourcc):
      // Sent for the sake of old clients too, where a modifier follows.
      guard !global.supports(3) else { return }
      format = DmabufFormat(fourcc: fourcc, modifier: DmabufFormat.implicit)
    case .modifier(let fourcc, let high, let low):
      format = DmabufFormat(fourcc: fourcc, modifier: UInt64(high) << 32 | UInt64(low))
    }
    listed.append(format)
    advised = nil
    onChange?()
  }

  private func received(_ event: ZwpLinuxDmabufFeedbackV1.Event) {
    switch event {
    case .formatTable(let file, let size):
      parser.formatTable(
        DmabufFormatTable.read(FileDescriptor(owning: file.take()), byteCount: Int(size)))
    case .mainDevice(let bytes): parser.mainDevice(bytes)
    case .trancheTargetDevice(let bytes): parser.trancheTargetDevice(bytes)
    case .trancheFormats(let bytes): parser.trancheFormats(bytes)
    case .trancheFlags(let flags): parser.trancheFlags(isScanout: flags.contains(.scanout))
    case .trancheDone: parser.trancheDone()
    case .done: change(to: parser.done())
    }
  }

  private func change(to new: DmabufOffer) {
    guard new != advised else { return }
    advised = new
    onChange?()
  }
}
