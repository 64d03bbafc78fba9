/// A queue of fixed capacity for values that may not be copied. Not thread-safe: guard it with a lock.
public struct RingBuffer<Element: ~Copyable>: ~Copyable {
  private let storage: UnsafeMutablePointer<Element>
  private var head = 0
  /// How many elements wait.
  public private(set) var count = 0
  /// How many elements fit.
  public let capacity: Int

  /// An empty queue for `capacity` elements, at least one.
  public init(capacity: Int) {
    self.capacity = max(1, capacity)
    storage = .allocate(capacity: self.capacity)
  }

  deinit {
    for offset in 0..<count { (storage + (head + offset) % capacity).deinitialize(count: 1) }
    storage.deallocate()
  }

  /// Whether no element waits.
  public var isEmpty: Bool { count == 0 }
  /// Whether no further element fits.
  public var isFull: Bool { count == capacity }

  /// Adds an element at the end; hands it back when the queue is full.
  public mutating func append(_ element: consuming Element) -> Element? {
    guard count < capacity else { return element }
    (storage + (head + count) % capacity).initialize(to: element)
    count += 1
    return nil
  }

  /// Adds an element before the oldest one; hands it back when the queue is full.
  public mutating func prepend(_ element: consuming Element) -> Element? {
    guard count < capacity else { return element }
    head = (head + capacity - 1) % capacity
    (storage + head).initialize(to: element)
    count += 1
    return nil
  }

  /// Removes the oldest element.
  public mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = (storage + head).move()
    head = (head + 1) % capacity
    count -= 1
    return element
  }

  /// Removes the newest element.
  public mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return (storage + (head + count) % capacity).move()
  }

  /// Lets `body` look at the element at `index` (0 is the oldest); nil when there is none.
  public borrowing func withElement<Result: ~Copyable>(
    at index: Int, _ body: (borrowing Element) -> Result
  ) -> Result? {
    guard index >= 0, index < count else { return nil }
    return body((storage + (head + index) % capacity).pointee)
  }

  /// Ends every waiting element.
  public mutating func removeAll() {
    while popFirst() != nil {}
  }
}

/// The elements are owned by the buffer alone, which moves as a whole.
extension RingBuffer: @unchecked Sendable where Element: Sendable & ~Copyable {}
