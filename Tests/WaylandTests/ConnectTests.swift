import Glibc
import Testing
import Wayland

@Suite struct ConnectTests {
  @Test func aMissingCompositorSaysWhereItLookedAndWhatToDo() throws {
    let error = #expect(throws: WaylandError.self) { _ = try Display.connect(to: "/nowhere/wayland-7") }
    let text = try #require(error).description
    #expect(text.contains("no Wayland compositor at /nowhere/wayland-7"))
    #expect(text.contains("WAYLAND_DISPLAY"))
  }
}
