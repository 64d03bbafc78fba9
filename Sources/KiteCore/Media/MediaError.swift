/// What went wrong with media: what failed, at what, and what to do about it.
public struct MediaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure, for programs to tell apart. Open: new kinds may come.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    /// Wraps a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// There is nothing at that place.
    public static let notFound = Kind(rawValue: "notFound")
    /// The system forbids reading it.
    public static let notPermitted = Kind(rawValue: "notPermitted")
    /// Reading failed half-way.
    public static let unreadable = Kind(rawValue: "unreadable")
    /// A server sent nothing for too long.
    public static let timedOut = Kind(rawValue: "timedOut")
    /// A server can't be reached, or breaks the connection off again and again.
    public static let unreachable = Kind(rawValue: "unreachable")
    /// A server can't prove that it is the one that was asked.
    public static let notTrusted = Kind(rawValue: "notTrusted")
    /// It is not media, or damaged beyond use.
    public static let notMedia = Kind(rawValue: "notMedia")
    /// It holds neither video nor audio.
    public static let noStreams = Kind(rawValue: "noStreams")
    /// No decoder for what it holds.
    public static let unsupported = Kind(rawValue: "unsupported")
    /// The decoder gave up.
    public static let decoding = Kind(rawValue: "decoding")
    /// A device that is required can't decode it, or broke.
    public static let device = Kind(rawValue: "device")
    /// Memory, descriptors or threads ran out.
    public static let resources = Kind(rawValue: "resources")
    /// `close` or another `open` came first.
    public static let cancelled = Kind(rawValue: "cancelled")
  }

  /// The kind of failure.
  public let kind: Kind
  /// What failed: a path, an address, a codec.
  public let subject: String
  /// What happened, as one clause: "is not a media file that FFmpeg knows".
  public let reason: String
  /// What the user can do, as one sentence; empty when there is nothing.
  public let advice: String

  /// An error of `kind` at `subject`.
  public init(kind: Kind, subject: String, reason: String, advice: String = "") {
    self.kind = kind
    self.subject = subject
    self.reason = reason
    self.advice = advice
  }

  /// One readable line.
  public var description: String {
    advice.isEmpty ? "\(subject): \(reason)." : "\(subject): \(reason). \(advice)"
  }
}
