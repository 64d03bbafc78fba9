import CLinux
public import Synchronization

/// A value that only the holder of its lock reaches: `Synchronization.Mutex`, made visible to ThreadSanitizer.
///
/// The futex inside `Mutex` lies in a library that the sanitizer doesn't see into, so that it reports every use as a race.
/// Here it is told of each lock and unlock. In other builds that costs two calls that return at once.
public struct Locked<Value: ~Copyable>: ~Copyable {
  @usableFromInline let mutex: Mutex<Value>

  /// A value behind a lock of its own.
  @inlinable public init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  /// Runs `body` with the value, alone; waits until it is free. Not to be called again from within `body`.
  @inlinable public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    // A mutex can't be copied or moved while it is borrowed: this is its own address, for its whole life.
    let address = withUnsafePointer(to: mutex) { UnsafeRawPointer($0) }
    return try mutex.withLock { (value) throws(Failure) -> sending Result in
      tellOfLock(address)
      defer { tellOfUnlock(address) }
      return try body(&value)
    }
  }
}

extension Locked: Sendable where Value: ~Copyable {}

@usableFromInline func tellOfLock(_ address: UnsafeRawPointer) { kite_tsan_acquire(address) }
@usableFromInline func tellOfUnlock(_ address: UnsafeRawPointer) { kite_tsan_release(address) }
