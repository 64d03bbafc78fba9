import KiteSystem
import Testing

/// Counts its lives; can't be copied.
private struct Token: ~Copyable {
  final class Counter { var living = 0 }
  let number: Int
  private let counter: Counter

  init(_ number: Int, _ counter: Counter) {
    self.number = number
    self.counter = counter
    counter.living += 1
  }

  deinit { counter.living -= 1 }
}

/// The number of a token that thereby ends; nil for none.
private func number(_ token: consuming Token?) -> Int? {
  switch consume token {
  case .some(let token): token.number
  case .none: nil
  }
}

@Suite struct RingBufferTests {
  @Test func givesBackInOrderAroundItsEnd() {
    let counter = Token.Counter()
    var ring = RingBuffer<Token>(capacity: 3)
    var (next, expected) = (0, 0)
    for _ in 0..<20 {
      while !ring.isFull {
        let got = number(ring.append(Token(next, counter)))
        #expect(got == nil)
        next += 1
      }
      for _ in 0..<2 {
        let got = number(ring.popFirst())
        #expect(got == expected)
        expected += 1
      }
    }
    let count = ring.count
    #expect(counter.living == count)
  }

  @Test func handsBackWhatDoesNotFit() {
    let counter = Token.Counter()
    var ring = RingBuffer<Token>(capacity: 1)
    _ = ring.append(Token(1, counter))
    let got = number(ring.append(Token(2, counter)))
    #expect(got == 2)
    let first = ring.withElement(at: 0) { $0.number }
    #expect(first == 1)
  }

  @Test func looksAtElementsWithoutTakingThem() {
    let counter = Token.Counter()
    var ring = RingBuffer<Token>(capacity: 3)
    for number in 0..<3 { _ = ring.append(Token(number, counter)) }
    _ = ring.popFirst()
    _ = ring.append(Token(3, counter))
    let seen = (-1...3).map { index in ring.withElement(at: index) { $0.number } }
    #expect(seen == [nil, 1, 2, 3, nil])
    let count = ring.count
    #expect(count == 3)
  }

  @Test func endsItsElementsWithItself() {
    let counter = Token.Counter()
    do {
      var ring = RingBuffer<Token>(capacity: 4)
      for number in 0..<4 { _ = ring.append(Token(number, counter)) }
      _ = ring.popFirst()
      _ = ring.append(Token(9, counter))
      #expect(counter.living == 4)
    }
    #expect(counter.living == 0)
  }

  @Test func removingAllEndsAll() {
    let counter = Token.Counter()
    var ring = RingBuffer<Token>(capacity: 4)
    for number in 0..<3 { _ = ring.append(Token(number, counter)) }
    ring.removeAll()
    let isEmpty = ring.isEmpty
    #expect(isEmpty && counter.living == 0)
  }

  @Test(arguments: [0, -7]) func holdsAtLeastOne(capacity: Int) {
    let counter = Token.Counter()
    var ring = RingBuffer<Token>(capacity: capacity)
    let got = number(ring.append(Token(1, counter)))
    #expect(got == nil)
  }

  @Test func theNewestCanBeTakenBack() {
    let counter = Token.Counter()
    var ring = RingBuffer<Token>(capacity: 3)
    for next in 0..<3 { _ = ring.append(Token(next, counter)) }
    let first = number(ring.popFirst())
    #expect(first == 0)
    _ = ring.append(Token(3, counter))
    for expected in [3, 2, 1] {
      let got = number(ring.popLast())
      #expect(got == expected)
    }
    let none = number(ring.popLast())
    #expect(none == nil && ring.isEmpty && counter.living == 0)
  }
}
