/// Bytes of media that the app gives: out of an archive, a database, a decryption, a protocol of its own.
///
/// ```swift
/// final class Blob: ByteSource {
///   …
///   func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int { blob.read(buffer, at: offset) }
///   func seek(to offset: Int64) throws { self.offset = offset }
/// }
/// try await player.open(Blob(id), name: "film.mkv")
/// ```
///
/// One thread at a time calls it, never the main thread, and each call may block; `cancel` alone comes from another one.
/// The player keeps it until its reading thread has ended, a moment after `close`.
public protocol ByteSource: AnyObject, Sendable {
  /// Bytes in the whole; nil when unknown. May change while it grows.
  var size: Int64? { get }

  /// Whether `seek` works. By default it does.
  var isSeekable: Bool { get }

  /// Puts the next bytes into `buffer`, as many as there are without a long wait, but at least one. Blocks until then.
  ///
  /// - Returns: How many; 0 at the end.
  /// - Throws: Whatever went wrong. What had been read is played, then the status is `failed`, with this error if it is a
  ///   `MediaError`.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int

  /// Makes `read` go on at the byte `offset`, 0 or more. At or behind the end `read` then returns 0.
  func seek(to offset: Int64) throws

  /// Nothing more is wanted: a `read` that blocks is to return soon, by throwing or with 0. Called once, on any thread, when
  /// the player closes it. By default nothing; then a blocked `read` keeps its thread until it returns.
  func cancel()
}

extension ByteSource {
  public var isSeekable: Bool { true }
  public func cancel() {}
}

/// Where an item's bytes come from.
package enum MediaOrigin: Sendable {
  case location(MediaLocation)
  case bytes(any ByteSource, name: String)

  /// What errors are about.
  package var name: String {
    switch self {
    case .location(let location): location.text
    case .bytes(_, let name): name
    }
  }
}
