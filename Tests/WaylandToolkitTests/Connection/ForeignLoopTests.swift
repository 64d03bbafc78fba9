import Glibc
import KiteSystem
import TestCompositor
import Testing
import Wayland

@testable import WaylandToolkit

/// A connection on the `wl_display *` of other code on the same thread.
@MainActor
@Suite struct ForeignLoopTests {
  /// The other code: a display and a queue that a loop of its own reads.
  @MainActor
  private final class Host {
    let server: ServerDisplay
    let actors = Actors()
    let display: Display
    let queue: EventQueue
    let connection: Connection

    init() throws {
      server = try ServerDisplay()
      try actors.offer(Offer(), on: server)
      display = try Display.connect(descriptor: try server.connectClient().descriptor)
      queue = try display.makeQueue()
      connection = try Connection(Display(foreign: display.rawPointer), sharing: .withForeignLoop)
    }

    // What is ours goes before what it stands on.
    isolated deinit {
      connection.close()
      queue.close()
    }

    /// One turn in which the other code reads too, or leaves it all to us.
    func turn(hostReads: Bool) throws {
      try queue.dispatchPending()
      var read = hostReads ? queue.prepareRead() : nil
      let wanted = connection.prepare()
      try display.flush()
      server.dispatch()
      var descriptor = pollfd(fd: display.descriptor, events: wanted.union(.read).rawValue, revents: 0)
      let ready = poll(&descriptor, 1, 0)
      if let read = read.take(), ready > 0 { try read.read() }
      connection.process(PollEvents(rawValue: ready > 0 ? descriptor.revents : 0))
    }
  }

  @Test(arguments: [true, false])
  func bothLoopsReadOneSocketWithoutWaitingForEachOther(hostReads: Bool) throws {
    let host = try Host()
    for _ in 0..<4 { try host.turn(hostReads: hostReads) }
    #expect(host.connection.shmFormats.count == 3)
    let window = try Window(
      host.connection, title: "", appID: "", size: LogicalSize(width: 64, height: 64))
    let painter = Painter()
    window.content = painter
    try window.show()
    for _ in 0..<2 { try host.turn(hostReads: hostReads) }
    try host.actors.configure(width: 100, height: 50, serial: 3)
    for _ in 0..<3 { try host.turn(hostReads: hostReads) }
    #expect(painter.drawn.map(\.size) == [LogicalSize(width: 100, height: 50)])
    #expect(host.actors.log.contains("ack 3"))
  }

  @Test func closingLeavesTheOtherCodesConnectionAlone() throws {
    let host = try Host()
    for _ in 0..<4 { try host.turn(hostReads: true) }
    host.connection.close()
    #expect(host.connection.descriptor == -1)
    var answered = false
    host.queue.display.sync().onEvent = { _ in answered = true }
    for _ in 0..<3 { try host.turn(hostReads: true) }
    try host.queue.dispatchPending()
    #expect(answered)
    #expect(host.display.lastError == nil)
    host.queue.close()
  }
}
