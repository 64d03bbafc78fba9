import CWayland
import TestCompositor
import Testing
import Wayland

/// A protocol that this module has emitted for itself by the plugin, beside those of the library.
@Suite struct OtherModuleTests {
  @Test func aProtocolOfAnotherModuleRefersToTheLibrarysInterfaces() throws {
    let interface = WpTearingControlManagerV1.interface
    let facts = interface.rawPointer.assumingMemoryBound(to: wl_interface.self).pointee
    #expect(interface.name == "wp_tearing_control_manager_v1")
    #expect(facts.method_count == 2 && facts.event_count == 0)
    let message = facts.methods[1]
    #expect(String(cString: message.name) == "get_tearing_control")
    #expect(String(cString: message.signature) == "no")
    #expect(message.types[0].map { UnsafeRawPointer($0) } == WpTearingControlV1.interface.rawPointer)
    #expect(message.types[1].map { UnsafeRawPointer($0) } == WlSurface.interface.rawPointer)
  }

  @Test func itsObjectsWorkWithTheLibrarysRuntime() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    #expect(pair.registry.bind(WpTearingControlManagerV1.self, versions: 1...1) == nil)
    let surface = try pair.bind(WlCompositor.self).createSurface()
    let absent = WpTearingControlManagerV1.inert()
    let control = absent.getTearingControl(surface)
    control.setPresentationHint(.async)
    #expect(!control.isAlive && !absent.isAlive)
  }
}
