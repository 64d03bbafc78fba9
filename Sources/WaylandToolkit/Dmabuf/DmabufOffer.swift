/// A layout of dmabufs: which samples, and how the device orders them.
public struct DmabufFormat: Hashable, Sendable {
  /// DRM fourcc.
  public let fourcc: UInt32
  /// DRM format modifier: `linear`, `implicit`, or a tiling of some device's.
  public let modifier: UInt64

  /// Row after row: what a processor writes.
  public static let linear: UInt64 = 0
  /// `DRM_FORMAT_MOD_INVALID`: the driver knows the layout by itself, nobody says which it is. Not the same as linear.
  public static let implicit: UInt64 = 0x00ff_ffff_ffff_ffff

  /// A layout.
  public init(fourcc: UInt32, modifier: UInt64) {
    self.fourcc = fourcc
    self.modifier = modifier
  }
}

/// What dmabufs a compositor takes: all of it, or all for one surface. A value that any thread may look at.
public struct DmabufOffer: Hashable, Sendable {
  /// Layouts that one device takes for one purpose.
  public struct Tranche: Hashable, Sendable {
    /// `dev_t` of the device that is to read the memory; nil where the compositor does not say (before version 4).
    public let device: UInt64?
    /// Whether such buffers may go to the screen without being composed.
    public let isScanout: Bool
    /// The layouts, best first, each once.
    public let formats: [DmabufFormat]
    private let known: Set<DmabufFormat>

    /// A tranche of layouts.
    public init(device: UInt64?, isScanout: Bool = false, formats: [DmabufFormat]) {
      self.device = device
      self.isScanout = isScanout
      var known: Set<DmabufFormat> = []
      self.formats = formats.filter { known.insert($0).inserted }
      self.known = known
    }

    /// Whether the tranche has this layout.
    public func contains(_ format: DmabufFormat) -> Bool { known.contains(format) }
  }

  /// `dev_t` of the device that the compositor draws with; nil where it does not say.
  public let mainDevice: UInt64?
  /// The tranches in the compositor's order, best first.
  public let tranches: [Tranche]

  /// An offer of tranches, the best first.
  public init(mainDevice: UInt64?, tranches: [Tranche]) {
    self.mainDevice = mainDevice
    self.tranches = tranches
  }

  /// The first tranche, and so the best, that has this layout; nil when none has.
  public func tranche(for format: DmabufFormat) -> Tranche? {
    tranches.first { $0.contains(format) }
  }

  /// Every modifier with which a format is taken, the best first.
  public func modifiers(of fourcc: UInt32) -> [UInt64] {
    var found: [UInt64] = []
    for tranche in tranches {
      for format in tranche.formats where format.fourcc == fourcc && !found.contains(format.modifier) {
        found.append(format.modifier)
      }
    }
    return found
  }

  /// Whether there is nothing on offer.
  public var isEmpty: Bool { tranches.allSatisfy(\.formats.isEmpty) }
}
