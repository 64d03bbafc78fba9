import CWayland
import TestCompositor
import Testing
import Wayland

/// Objects that other code in the process made over the same connection.
@Suite struct ForeignTests {
  /// Binds the output as C code would.
  private func bindForeign(_ pair: Pair, listener: UnsafeMutableRawPointer?) throws -> OpaquePointer {
    let global = try #require(pair.registry.globals.first { $0.interface == "wl_output" })
    let display = OpaquePointer(pair.connection.rawPointer)
    let registry = try #require(
      withArguments([wl_argument(o: nil)]) {
        wl_proxy_marshal_array_flags(display, 1, pointer(WlRegistry.interface), 1, 0, $0)
      })
    let facts = pointer(WlOutput.interface)
    let arguments = [
      wl_argument(u: global.name), wl_argument(s: facts.pointee.name), wl_argument(u: 4), wl_argument(o: nil),
    ]
    let output = try #require(
      withArguments(arguments) { wl_proxy_marshal_array_flags(registry, 0, facts, 4, 0, $0) })
    if let listener {
      wl_proxy_add_listener(
        output, listener.assumingMemoryBound(to: Optional<@convention(c) () -> Void>.self), listener)
    }
    wl_proxy_destroy(registry)
    return output
  }

  private func pointer(_ interface: WireInterface) -> UnsafePointer<wl_interface> {
    interface.rawPointer.assumingMemoryBound(to: wl_interface.self)
  }

  private func withArguments<Result>(
    _ arguments: [wl_argument], _ body: (UnsafeMutablePointer<wl_argument>?) -> Result
  ) -> Result {
    var arguments = arguments
    return arguments.withUnsafeMutableBufferPointer { body($0.baseAddress) }
  }

  @Test(arguments: [false, true])
  func aForeignObjectInAnEventIsNeverTakenForOneOfOurs(withListener: Bool) throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let listener = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 16)
    defer { listener.deallocate() }
    let foreign = try bindForeign(pair, listener: withListener ? listener : nil)
    let surface = try pair.bind(WlCompositor.self).createSurface()
    var events: [WlSurface.Event] = []
    surface.onEvent = { events.append($0) }
    try pair.settle()
    kept.surfaces[0].sendEnter(kept.outputs[0])
    try pair.settle()
    guard case .enter(output: nil) = try #require(events.first) else {
      Issue.record("a foreign output was taken for ours: \(events)")
      return
    }
    wl_proxy_destroy(foreign)
  }

  @Test func aForeignObjectCanBeWrappedAndNamed() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let foreign = try bindForeign(pair, listener: nil)
    let output = pair.queue.wrap(foreign: UnsafeMutableRawPointer(foreign), as: WlOutput.self)
    #expect(output.version == 4)
    #expect(output.id == wl_proxy_get_id(foreign))
    pair.queue.close()
    wl_proxy_destroy(foreign)
  }

  @Test func aForeignConnectionIsSharedAndNeverClosed() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    do {
      let shared = Display(foreign: pair.connection.rawPointer)
      let queue = try shared.makeQueue()
      let registry = Registry(queue)
      try pair.settle([queue])
      #expect(registry.bind(WlCompositor.self, versions: 1...1) != nil)
      queue.close()
    }
    try pair.settle()
    #expect(pair.peer.isConnected)
  }
}
