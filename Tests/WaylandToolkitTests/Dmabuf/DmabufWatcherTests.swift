import Glibc
import KiteSystem
import TestCompositor
import Testing
import Wayland
import WaylandToolkit

/// The watcher against a compositor that is stepped by hand.
@Suite struct DmabufWatcherTests {
  private final class Client {
    let compositor: ScriptedCompositor
    let queue: EventQueue
    let global: ZwpLinuxDmabufV1
    let surface: WlSurface

    init(version: UInt32, _ advice: DmabufAdvice) throws {
      compositor = try ScriptedCompositor(
        .standard.with("zwp_linux_dmabuf_v1", version: version).with { $0.dmabuf = advice })
      try compositor.start()
      queue = try Display.connect(descriptor: compositor.connect()).makeQueue()
      let registry = Registry(queue)
      try queue.roundtrip(timeout: .seconds(60))
      global = try #require(registry.bind(ZwpLinuxDmabufV1.self, versions: DmabufWatcher.versions))
      let factory = try #require(registry.bind(WlCompositor.self, versions: 1...4))
      surface = factory.createSurface()
    }

    deinit { queue.close() }

    func settle() throws { try queue.roundtrip(timeout: .seconds(60)) }
  }

  private static let advice = DmabufAdvice(tranches: [
    .init([.init(.nv12)], isScanout: true),
    .init([.init(.nv12, modifier: DmabufFormat.implicit), .init(.xrgb8888)]),
  ])

  @Test(arguments: [true, false])
  func adviceArrivesWhole(isForSurface: Bool) throws {
    let client = try Client(version: 5, Self.advice)
    let watcher = DmabufWatcher(client.global, surface: isForSurface ? client.surface : nil)
    try client.settle()
    let offer = try #require(watcher.offer)
    #expect(offer.mainDevice == DmabufAdvice.device)
    #expect(offer.tranches.map(\.isScanout) == [true, false])
    #expect(offer.tranches[0].formats == [DmabufFormat(fourcc: ShmFormat.nv12.fourcc, modifier: 0)])
    #expect(offer.modifiers(of: ShmFormat.nv12.fourcc) == [DmabufFormat.linear, DmabufFormat.implicit])
    let name = isForSurface ? "get_surface_feedback" : "get_default_feedback"
    #expect(client.compositor.requests("zwp_linux_dmabuf_v1", name).count == 1)
    watcher.end()
    try client.settle()
    #expect(client.compositor.dmabufListeners == 0)
  }

  @Test func beforeVersionFourTheListIsTheOffer() throws {
    let client = try Client(version: 3, Self.advice)
    let watcher = DmabufWatcher(client.global, surface: client.surface)
    try client.settle()
    let offer = try #require(watcher.offer)
    #expect(offer.tranches.count == 1 && offer.mainDevice == nil && offer.tranches[0].device == nil)
    #expect(offer.modifiers(of: ShmFormat.nv12.fourcc) == [DmabufFormat.linear, DmabufFormat.implicit])
    watcher.end()
  }

  @Test func beforeVersionThreeNobodyNamesALayout() throws {
    let client = try Client(version: 2, .linear([.nv12]))
    let watcher = DmabufWatcher(client.global, surface: nil)
    try client.settle()
    #expect(watcher.offer?.modifiers(of: ShmFormat.nv12.fourcc) == [DmabufFormat.implicit])
    watcher.end()
  }

  @Test func tenThousandRepetitionsChangeNothingAndLeaveNoDescriptor() throws {
    let client = try Client(version: 4, Self.advice)
    let watcher = DmabufWatcher(client.global, surface: client.surface)
    try client.settle()
    var changes = 0
    watcher.onChange = { changes += 1 }
    let before = openDescriptors()
    for _ in 0..<500 {
      for _ in 0..<20 { client.compositor.repeatDmabufAdvice() }
      try client.settle()
    }
    #expect(changes == 0)
    // Ten thousand would be left; other tests of this process have a few tables of their own under way.
    #expect(openDescriptors() <= before + 64)
    client.compositor.dmabufAdvice = .linear([.p010])
    try client.settle()
    #expect(changes == 1)
    #expect(watcher.offer?.modifiers(of: ShmFormat.p010.fourcc) == [DmabufFormat.linear])
    watcher.end()
  }

  /// Other tests of this process run beside this one: what is counted is what a format table is called.
  private func openDescriptors() -> Int {
    (0..<4096).count { number in
      var buffer = [CChar](repeating: 0, count: 64)
      let length = readlink("/proc/self/fd/\(number)", &buffer, 63)
      let name = buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
      return String(decoding: name, as: UTF8.self).contains("test-formats")
    }
  }
}
