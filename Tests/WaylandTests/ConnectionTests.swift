import CWayland
import TestCompositor
import Testing
import Wayland

@Suite struct ConnectionTests {
  @Test func aProtocolErrorSaysObjectCodeAndMessage() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let surface = try pair.bind(WlCompositor.self).createSurface()
    try pair.settle()
    kept.surfaces[0].postError(code: WlSurface.Error.invalidSize.rawValue, "size 3 is odd")
    let error = pair.settleUntilError()
    let expected = ProtocolError(
      interface: "wl_surface", object: surface.id, code: 2, message: "size 3 is odd")
    #expect(error == .protocolError(expected))
    #expect(pair.connection.lastError == error)
    #expect(error?.description.contains("wl_surface#\(surface.id), code 2: size 3 is odd") == true)
  }

  /// One queue brings the error and the other one reads the end of the socket before anything is dispatched.
  @Test func whoReadsTheEndBeforeTheErrorWasDispatchedStillHearsOfTheError() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let surface = try pair.bind(WlCompositor.self).createSurface()
    try pair.settle()
    let other = try pair.connection.makeQueue()
    kept.surfaces[0].postError(code: 2, "size 4 is odd")
    pair.server.dispatch()
    pair.peer.disconnect()
    let error = WaylandError.protocolError(
      ProtocolError(interface: "wl_surface", object: surface.id, code: 2, message: "size 4 is odd"))
    #expect(throws: error) {
      try pair.queue.prepareRead()?.read()
      try other.prepareRead()?.read()
    }
    #expect(throws: error) { try other.dispatchPending() }
    #expect(throws: error) { try pair.queue.dispatchPending() }
    #expect(pair.connection.lastError == error)
    other.close()
  }

  /// As above, but it is a toolkit in the same process that brings the error.
  @Test func anErrorThatOtherCodeHasReadComesBeforeTheEnd() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let surface = try pair.bind(WlCompositor.self).createSurface()
    try pair.settle()
    kept.surfaces[0].postError(code: 2, "size 5 is odd")
    pair.server.dispatch()
    pair.peer.disconnect()
    let display = OpaquePointer(pair.connection.rawPointer)
    try #require(wl_display_prepare_read(display) == 0)
    try #require(wl_display_read_events(display) == 0)
    let error = WaylandError.protocolError(
      ProtocolError(interface: "wl_surface", object: surface.id, code: 2, message: "size 5 is odd"))
    #expect(throws: error) { try pair.queue.prepareRead()?.read() }
  }

  @Test func aDroppedSocketIsOneErrorAndLaterRequestsAreIgnored() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let compositor = try pair.bind(WlCompositor.self)
    let surface = compositor.createSurface()
    try pair.settle()
    pair.peer.disconnect()
    guard case .disconnected = pair.settleUntilError() else {
      Issue.record("expected a broken connection, got \(String(describing: pair.connection.lastError))")
      return
    }
    // Far more than any buffer holds.
    for _ in 0..<10_000 {
      surface.attach(nil, x: 0, y: 0)
      surface.commit()
    }
    compositor.createSurface().destroy()
    surface.destroy()
    #expect(!surface.isAlive)
    #expect(throws: WaylandError.self) { try pair.queue.dispatchPending() }
    #expect(throws: WaylandError.self) { try pair.queue.roundtrip(timeout: .seconds(5)) }
  }

  @Test func aRoundtripGivesUpOnASilentCompositor() throws {
    let pair = try Pair()
    #expect(throws: WaylandError.timedOut(.milliseconds(20))) {
      try pair.queue.roundtrip(timeout: .milliseconds(20))
    }
    #expect(pair.connection.lastError == nil)
    try pair.settle()
  }

  @Test func aFullSocketIsReportedAndDrainsLater() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let surface = try pair.bind(WlCompositor.self).createSurface()
    var sent = 0
    var outcome = try pair.connection.flush()
    while outcome == .done, sent < 1_000_000 {
      surface.commit()
      sent += 1
      outcome = try pair.connection.flush()
    }
    #expect(outcome == .blocked)
    while outcome == .blocked {
      pair.server.dispatch()
      outcome = try pair.connection.flush()
    }
    try pair.settle()
    for _ in 0..<1000 where kept.requests.count < sent { pair.server.dispatch() }
    #expect(kept.requests.count == sent)
  }

  @Test func closingTheQueueEndsItsObjectsAndLetsTheConnectionGo() throws {
    let kept = Kept()
    weak var connection: Display?
    var surface: WlSurface?
    var lost = false
    var server: ServerDisplay?
    do {
      let pair = try Pair(kept.offer)
      server = pair.server
      connection = pair.connection
      pair.peer.onDestroyed = { lost = true }
      surface = try pair.bind(WlCompositor.self).createSurface()
      surface?.onEvent = { [pair] _ in _ = pair.queue }
      try pair.settle()
      pair.queue.close()
      #expect(throws: WaylandError.closed) { try pair.queue.dispatchPending() }
      #expect(pair.queue.display.isAlive == false)
    }
    #expect(surface?.isAlive == false)
    surface?.commit()
    surface?.destroy()
    #expect(connection == nil)
    server?.dispatch()
    #expect(lost)
  }

  @Test func aQueueMayBeClosedInsideAnEvent() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let output = try pair.bind(WlOutput.self)
    var heard = 0
    output.onEvent = { _ in
      heard += 1
      pair.queue.close()
    }
    try pair.settle()
    kept.outputs[0].sendScale(1)
    kept.outputs[0].sendScale(2)
    kept.outputs[0].sendDone()
    #expect(pair.settleUntilError() == .closed)
    #expect(heard == 1)
    #expect(!output.isAlive)
  }

  @Test func aHandlerMayDispatchItsOwnQueue() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let output = try pair.bind(WlOutput.self)
    var scales: [Int32] = []
    var inner = 0
    output.onEvent = {
      guard case .scale(let scale) = $0 else { return }
      scales.append(scale)
      if scale == 1 { inner = (try? pair.queue.dispatchPending()) ?? -1 }
    }
    try pair.settle()
    kept.outputs[0].sendScale(1)
    kept.outputs[0].sendScale(2)
    try pair.settle()
    #expect(scales == [1, 2])
    #expect(inner == 1)
    pair.queue.close()
  }

  @Test func anOverflowThatKilledTheConnectionIsNotTakenForAFullSocket() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let surface = try pair.bind(WlCompositor.self).createSurface()
    // What a careless program does: it goes on sending to a compositor that doesn't read.
    for _ in 0..<200_000 where pair.connection.lastError == nil { surface.commit() }
    guard pair.connection.lastError != nil else {
      // Since 1.23 libwayland's buffer grows instead.
      #expect(try pair.connection.flush() == .blocked)
      return
    }
    #expect(throws: WaylandError.self) { try pair.connection.flush() }
    #expect(throws: WaylandError.self) { try pair.queue.dispatch(timeout: .seconds(5)) }
  }

  @Test func aPreparedReadThatIsDroppedHoldsNobodyUp() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let other = try pair.connection.makeQueue()
    do { _ = other.prepareRead() }
    _ = try pair.bind(WlOutput.self)
    // Would wait for the other reader for ever.
    try pair.settle()
    other.close()
  }
}
