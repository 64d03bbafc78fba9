import Glibc
import TestCompositor
import Testing
import Wayland

@Suite struct DescriptorTests {
  /// A keyboard on both sides, and a pipe whose reading end tells whether all writing ends are closed.
  private final class Keyboard {
    let pair: Pair
    let keyboard: WlKeyboard
    private var resources: [WlKeyboardResource] = []
    private var ends: [Int32] = [-1, -1]

    init() throws {
      var resources: [WlKeyboardResource] = []
      pair = try Pair { server in
        try server.addGlobal(WlSeatResource.self, version: 7) { seat in
          seat.onRequest = { if case .getKeyboard(let keyboard) = $0 { resources.append(keyboard) } }
        }
      }
      keyboard = try pair.bind(WlSeat.self).getKeyboard()
      try pair.settle()
      self.resources = resources
      #expect(pipe(&ends) == 0)
    }

    deinit { for end in ends where end >= 0 { close(end) } }

    func sendKeymap() throws {
      resources[0].sendKeymap(format: .xkbV1, fd: ends[1], size: 12)
      pair.server.dispatch()
      close(ends[1])
      ends[1] = -1
    }

    var isWritingEndClosed: Bool {
      var descriptor = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      return poll(&descriptor, 1, 0) == 1 && descriptor.revents & Int16(POLLHUP) != 0
    }
  }

  @Test func aDescriptorThatNobodyTakesIsClosed() throws {
    let both = try Keyboard()
    var seen: Int32 = -1
    both.keyboard.onEvent = { if case .keymap(_, let descriptor, _) = $0 { seen = descriptor.rawValue } }
    try both.sendKeymap()
    #expect(!both.isWritingEndClosed)
    try both.pair.settle()
    #expect(seen >= 0)
    #expect(both.isWritingEndClosed)
  }

  @Test func aDescriptorWithoutAHandlerIsClosed() throws {
    let both = try Keyboard()
    try both.sendKeymap()
    try both.pair.settle()
    #expect(both.isWritingEndClosed)
  }

  @Test func aDescriptorToAnObjectThatEndedIsClosed() throws {
    let both = try Keyboard()
    try both.sendKeymap()
    both.keyboard.release()
    try both.pair.settle()
    #expect(both.isWritingEndClosed)
  }

  @Test func aTakenDescriptorIsTheTakers() throws {
    let both = try Keyboard()
    var taken: Int32 = -1
    both.keyboard.onEvent = { if case .keymap(_, let descriptor, _) = $0 { taken = descriptor.take() } }
    try both.sendKeymap()
    try both.pair.settle()
    #expect(!both.isWritingEndClosed)
    close(taken)
    #expect(both.isWritingEndClosed)
  }

  @Test func aSentDescriptorStaysTheSenders() throws {
    var received: [Int32] = []
    let pair = try Pair { server in
      try server.addGlobal(WlShmResource.self, version: 1) { shm in
        shm.onRequest = {
          if case .createPool(_, let descriptor, _) = $0 { received.append(descriptor.take()) }
        }
      }
    }
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    _ = try pair.bind(WlShm.self).createPool(fd: ends[1], size: 4096)
    try pair.settle()
    #expect(fcntl(ends[1], F_GETFD) >= 0)
    #expect(received.count == 1 && received[0] != ends[1])
    for descriptor in received + ends { close(descriptor) }
  }
}
