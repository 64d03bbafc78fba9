public import KiteSystem

/// A bounded pool of memfds that decoders write into and compositors read from.
///
/// A slot goes back to the pool when its last reference ends, wherever that is: in the decoder, in the engine, or in a
/// renderer that waited for `wl_buffer.release`. Thread-safe; allocation takes a lock for the search of a list.
public final class FramePool: Sendable {
  /// One memfd of the pool, on loan. Ends by being released.
  public final class Slot: Sendable {
    /// The memory on loan.
    public let memory: SharedMemory
    private let pool: FramePool

    fileprivate init(memory: SharedMemory, pool: FramePool) {
      self.memory = memory
      self.pool = pool
    }

    deinit {
      pool.takeBack(memory)
    }
  }

  /// The most slots on loan at once.
  public let limit: Int
  private let state = Locked(State())

  private struct State {
    var free: [SharedMemory] = []
    var onLoan = 0
    /// The size that was asked for last, in whole pages: memory of another size is let go when it comes back.
    var byteCount = 0
  }

  /// A pool that lends at most `limit` slots.
  public init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// Lends memory of at least `byteCount` bytes; its content is whatever was there before.
  ///
  /// - Returns: nil when `limit` slots are on loan: the caller waits or falls back to memory of its own.
  /// - Throws: `SystemError` when the kernel gives no memory.
  public func lend(byteCount: Int) throws(SystemError) -> Slot? {
    let byteCount = SharedMemory.pageAligned(byteCount)
    let found: (memory: SharedMemory?, isFull: Bool) = state.withLock { state in
      if state.byteCount != byteCount {
        state.byteCount = byteCount
        state.free.removeAll()
      }
      guard state.onLoan < limit else { return (nil, true) }
      state.onLoan += 1
      return (state.free.popLast(), false)
    }
    if found.isFull { return nil }
    if let memory = found.memory { return Slot(memory: memory, pool: self) }
    do {
      return Slot(memory: try SharedMemory(byteCount: byteCount, name: "kite-frame"), pool: self)
    } catch {
      state.withLock { $0.onLoan -= 1 }
      throw error
    }
  }

  /// Slots on loan now.
  public var slotsOnLoan: Int { state.withLock { $0.onLoan } }

  private func takeBack(_ memory: SharedMemory) {
    state.withLock { state in
      state.onLoan -= 1
      if memory.byteCount == state.byteCount { state.free.append(memory) }
    }
  }
}
