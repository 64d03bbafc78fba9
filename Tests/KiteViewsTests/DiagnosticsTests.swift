import KiteViews
import Testing

@Suite struct DiagnosticsTests {
  @Test func formatAndModifierHaveTheNamesThatToolsPrint() {
    var diagnostics = RendererDiagnostics(reason: "")
    #expect(diagnostics.formatName == nil && diagnostics.modifierName == nil)
    diagnostics.fourcc = 0x3231_564e
    diagnostics.modifier = 0
    #expect(diagnostics.formatName == "NV12" && diagnostics.modifierName == "linear")
    diagnostics.modifier = 0x0100_0000_0000_0002
    #expect(diagnostics.modifierName == "modifier 0x100000000000002")
    diagnostics.fourcc = 0x0100_ff41
    #expect(diagnostics.formatName == "A???")
  }
}
