public import Foundation

/// How a server answers at one path.
public struct Answer: Sendable {
  /// The whole of what is there.
  public var body: Data
  /// Another status than 200 and 206.
  public var status: Int?
  /// Further lines of the header, such as `Location: /other`.
  public var headers: [String] = []
  /// Whether parts are given out; else every answer is the whole.
  public var givesRanges = true
  /// Bytes a second; nil: as fast as they go.
  public var speed: Int?
  /// Nothing is answered before it is open.
  public var headerGate: ServerGate?
  /// Bytes from this one on are sent when the gate is open.
  public var stall: (offset: Int, gate: ServerGate)?
  /// So many connections end after so many bytes each.
  public var breaks: (byteCount: Int, times: Int)?

  /// The whole of `body`, as fast as it goes.
  public init(_ body: Data = Data()) { self.body = body }

  /// A status alone, such as 404.
  public static func status(_ status: Int, headers: [String] = []) -> Answer {
    var answer = Answer()
    answer.status = status
    answer.headers = headers
    return answer
  }
}

/// Holds a server up until it is opened.
public final class ServerGate: Sendable {
  private let box = ServerBox(false)
  /// A shut gate.
  public init() {}
  /// Lets all through, now and later.
  public func open() { box.withLock { $0 = true } }
  /// Whether it was opened.
  public var isOpen: Bool { box.withLock { $0 } }
}
