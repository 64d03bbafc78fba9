import Testing

@testable import WaylandScanner

@Suite struct SwiftNamesTests {
  @Test(arguments: [
    ("wl_surface", "WlSurface"), ("zwp_linux_dmabuf_v1", "ZwpLinuxDmabufV1"), ("type", "Kind"),
    ("error", "Error"),
  ])
  func aTypeIsTheWholeNameInUpperCamelCase(wire: String, swift: String) {
    #expect(SwiftNames.type(wire) == swift)
  }

  @Test(arguments: [("damage_buffer", "damageBuffer"), ("commit", "commit"), ("default", "`default`")])
  func aMemberKeepsItsWordsAndReservedOnesStandInBackticks(wire: String, swift: String) {
    #expect(SwiftNames.member(wire) == swift)
  }

  @Test func anEntryThatStartsWithADigitGetsItsEnumsNameInFront() {
    #expect(SwiftNames.entry("90", of: "transform") == "transform90")
    #expect(SwiftNames.entry("flipped_90", of: "transform") == "flipped90")
  }
}
