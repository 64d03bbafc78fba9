import Glibc
import KiteSystem
import TestCompositor
import Testing
import Wayland

@testable import WaylandToolkit

/// A connection and a compositor in this process and on this thread, stepped by hand.
@MainActor
final class Stage {
  let server: ServerDisplay
  let peer: ServerClient
  let connection: Connection
  let actors = Actors()
  private(set) var errors: [ToolkitError] = []

  init(_ offer: Offer = Offer()) throws {
    server = try ServerDisplay()
    try actors.offer(offer, on: server)
    let (peer, descriptor) = try server.connectClient()
    self.peer = peer
    connection = try Connection(Display.connect(descriptor: descriptor), sharing: .alone)
    connection.onError = { [weak self] in self?.errors.append($0) }
    settle()
  }

  /// Lets both sides talk until they have nothing more to say.
  func settle() {
    for _ in 0..<4 { turn() }
  }

  /// One turn of the loop, and the compositor's answers.
  func turn() {
    let events = connection.prepare()
    server.dispatch()
    var descriptor = pollfd(fd: connection.descriptor, events: events.rawValue, revents: 0)
    let ready = poll(&descriptor, 1, 0)
    connection.process(PollEvents(rawValue: ready > 0 ? descriptor.revents : 0))
  }

  /// A window that the compositor has configured.
  func openWindow(_ content: Painter? = nil, width: Int32 = 0, height: Int32 = 0) throws -> Window {
    let window = try Window(
      connection, title: "Stage", appID: "kite.stage", size: LogicalSize(width: 640, height: 360))
    window.content = content
    try window.show()
    settle()
    try actors.configure(width: width, height: height, serial: server.nextSerial)
    settle()
    return window
  }
}

/// Which globals a compositor offers, by version; 0 is none.
struct Offer {
  var compositor: UInt32 = 6
  var shell: UInt32 = 6
  var output: UInt32 = 4
  var seat: UInt32 = 8
  var subcompositor: UInt32 = 1
  var shm: UInt32 = 1
  var singlePixel: UInt32 = 0
  var decoration: UInt32 = 0
  var cursorShape: UInt32 = 0
}
