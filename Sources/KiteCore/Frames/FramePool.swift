public import KiteSystem

/// A bounded pool of memory that decoders write into and compositors read from: memfds, or what the renderer in front
/// wishes for.
///
/// A slot goes back to the pool when its last reference ends, wherever that is: in the decoder, in the engine, or in a
/// renderer that waited for `wl_buffer.release`. Thread-safe; allocation takes a lock for the search of a list.
public final class FramePool: Sendable {
  /// One memory of the pool, on loan. Ends by being released.
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
    var wish = FrameMemoryWish()

    /// Whether memory fits what is asked for now.
    func isWanted(_ memory: SharedMemory) -> Bool {
      memory.byteCount == byteCount && memory.backing == wish.backing
    }
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
    let found: (memory: SharedMemory?, isFull: Bool, backing: SharedMemory.Backing) = state.withLock {
      state in
      if state.byteCount != byteCount {
        state.byteCount = byteCount
        state.free.removeAll()
      }
      guard state.onLoan < limit else { return (nil, true, .memfd) }
      state.onLoan += 1
      return (state.free.popLast(), false, state.wish.backing)
    }
    if found.isFull { return nil }
    if let memory = found.memory { return Slot(memory: memory, pool: self) }
    do {
      return Slot(memory: try Self.make(byteCount: byteCount, backing: found.backing), pool: self)
    } catch {
      state.withLock { $0.onLoan -= 1 }
      throw error
    }
  }

  /// What the renderer in front would like. New memory is of that kind; memory of another kind is let go when it comes
  /// back.
  public var wish: FrameMemoryWish {
    get { state.withLock { $0.wish } }
    set {
      state.withLock { state in
        guard state.wish != newValue else { return }
        state.wish = newValue
        state.free.removeAll { $0.backing != newValue.backing }
      }
    }
  }

  /// Slots on loan now.
  public var slotsOnLoan: Int { state.withLock { $0.onLoan } }

  private func takeBack(_ memory: SharedMemory) {
    state.withLock { state in
      state.onLoan -= 1
      if state.isWanted(memory) { state.free.append(memory) }
    }
  }

  /// A heap that fails is no reason to have no memory at all.
  private static func make(
    byteCount: Int, backing: SharedMemory.Backing
  ) throws(SystemError) -> SharedMemory {
    if backing == .dmaHeap, let memory = try? SharedMemory(heapByteCount: byteCount) { return memory }
    return try SharedMemory(byteCount: byteCount, name: "kite-frame")
  }
}
