/// What dmabufs the compositor says it takes: the content of `zwp_linux_dmabuf_feedback_v1`.
public struct DmabufAdvice: Hashable, Sendable {
  /// A layout: DRM fourcc and modifier.
  public struct Format: Hashable, Sendable {
    public var fourcc: UInt32
    public var modifier: UInt64

    /// A layout; linear unless it says otherwise.
    public init(_ format: ShmFormat, modifier: UInt64 = 0) {
      fourcc = format.fourcc
      self.modifier = modifier
    }
  }

  /// Layouts for one device and purpose.
  public struct Tranche: Hashable, Sendable {
    public var device: UInt64
    public var isScanout: Bool
    public var formats: [Format]

    /// A tranche of layouts for the main device.
    public init(_ formats: [Format], device: UInt64 = DmabufAdvice.device, isScanout: Bool = false) {
      self.formats = formats
      self.device = device
      self.isScanout = isScanout
    }
  }

  /// `dev_t` of the device that is drawn with.
  public var mainDevice = DmabufAdvice.device
  /// The tranches, best first.
  public var tranches: [Tranche]

  /// A device number that no machine has.
  public static let device: UInt64 = 0xFFF_FF42

  /// Advice of tranches.
  public init(tranches: [Tranche]) { self.tranches = tranches }

  /// Linear layouts of these formats, which can also be scanned out where that is said.
  public static func linear(_ formats: [ShmFormat], isScanout: Bool = false) -> DmabufAdvice {
    DmabufAdvice(tranches: [Tranche(formats.map { Format($0) }, isScanout: isScanout)])
  }

  /// Whether a layout is among them.
  func contains(_ format: Format) -> Bool { tranches.contains { $0.formats.contains(format) } }

  /// Whether buffers of a format go to the screen as they are.
  func scansOut(_ format: Format) -> Bool {
    tranches.contains { $0.isScanout && $0.formats.contains(format) }
  }
}

/// What the compositor answers when it is to import a dmabuf.
public enum ImportPolicy: Hashable, Sendable {
  /// `created`, for what it advises.
  case created
  /// `failed`, for everything.
  case failed
  /// Nothing, until `answerImports` is called.
  case withheld
}
