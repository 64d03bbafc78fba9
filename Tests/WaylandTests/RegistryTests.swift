import TestCompositor
import Testing
import Wayland

@Suite struct RegistryTests {
  @Test func aMissingGlobalAndOneThatIsTooOldAreNil() throws {
    let pair = try Pair { try $0.addGlobal(WlOutputResource.self, version: 2) { _ in } }
    #expect(pair.registry.bind(WlCompositor.self, versions: 1...6) == nil)
    #expect(pair.registry.bind(WlOutput.self, versions: 3...4) == nil)
    #expect(pair.registry.bind(WlOutput.self, versions: 1...4)?.version == 2)
  }

  @Test func theVersionIsTheNewestThatAllSidesHave() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    #expect(pair.registry.bind(WlOutput.self, versions: 1...3)?.version == 3)
    #expect(pair.registry.bind(WlOutput.self, versions: 1...99)?.version == 4)
  }

  @Test func globalsComeAndGo() throws {
    let pair = try Pair()
    var log: [String] = []
    pair.registry.onAdded = { log.append("+\($0.interface)@\($0.version)") }
    pair.registry.onRemoved = { log.append("-\($0.interface)") }
    let output = try pair.server.addGlobal(WlOutputResource.self, version: 4) { _ in }
    try pair.settle()
    output.withdraw()
    try pair.settle()
    #expect(log == ["+wl_output@4", "-wl_output"])
    #expect(pair.registry.globals.isEmpty)
  }
}
