/// A client's mistake that the protocol has no error for, or none that every compositor sends.
public struct Violation: Hashable, Sendable, CustomStringConvertible {
  /// What kind of a mistake.
  public enum Kind: Hashable, Sendable {
    /// Memory was written between its commit and its release.
    case writtenWhileHeld
    /// A buffer was attached and committed again before its release.
    case attachedWhileHeld
    /// A buffer's object ended while a surface showed it.
    case destroyedWhileShown
    /// The pool's memory is shorter than its size says.
    case poolTooShort
    /// A dmabuf was to be a buffer without asking whether it can be.
    case unverifiedImport
    /// A dmabuf of a layout that the compositor does not take was to be imported.
    case unadvisedImport
    /// A buffer that was released by a point was committed without points: a `wl_buffer.release` that comes then may be
    /// about the commit before.
    case mixedSynchronization
    /// A serial was never acked, or acks went backwards.
    case serial
    /// An idle inhibitor on a surface that has one or is not mapped, or one that outlives its surface.
    case inhibitor
  }

  /// What kind of a mistake.
  public let kind: Kind
  /// The surface's number, if there is one to blame.
  public let surface: Int?
  /// The story.
  public let text: String

  public var description: String { "\(kind): \(text)" }
}

/// A protocol error that was sent, by this compositor or by libwayland.
public struct SentError: Hashable, Sendable {
  /// The interface of the object.
  public let interface: String
  /// The object's number.
  public let object: UInt32
  /// The error's number.
  public let code: UInt32
  /// The text.
  public let message: String
}

/// What has happened so far.
public struct Counts: Hashable, Sendable {
  /// Buffers that were made, of every kind.
  public var buffersMade = 0
  /// Buffers whose objects ended.
  public var buffersDestroyed = 0
  /// Dmabufs that were to be imported.
  public var importsAsked = 0
  /// Dmabufs that were refused.
  public var importsFailed = 0
  /// Timelines that were imported.
  public var timelinesImported = 0
  /// Pools that were made.
  public var poolsMade = 0
  /// Pools whose objects ended.
  public var poolsDestroyed = 0
  /// Releases that were sent.
  public var releases = 0
  /// Frame callbacks that were answered.
  public var frameCallbacks = 0
  /// Feedback that said presented.
  public var presented = 0
  /// Feedback that said discarded.
  public var discarded = 0
  /// Surfaces that were made.
  public var surfacesMade = 0
  /// Surfaces that ended.
  public var surfacesDestroyed = 0
  /// Idle inhibitors that were made.
  public var inhibitorsMade = 0
  /// Vblanks.
  public var vblanks = 0
}
