import KiteCore
import KiteSystem
import Testing
import WaylandToolkit

@testable import KiteOutput

/// Which memory becomes a dmabuf, and the reason for every one that does not.
@Suite struct DmabufTermsTests {
  private static let card: UInt64 = 0xE200
  private static let render: UInt64 = 0xE280
  private static let other: UInt64 = 0xE281

  private func terms(
    _ formats: [PixelFormat], modifier: UInt64 = DmabufFormat.linear, isScanout: Bool = false,
    device: UInt64? = DmabufTermsTests.render
  ) -> DmabufTerms {
    let layouts = formats.map { DmabufFormat(fourcc: $0.fourcc, modifier: modifier) }
    return DmabufTerms(
      offer: DmabufOffer(
        mainDevice: device, tranches: [.init(device: device, isScanout: isScanout, formats: layouts)]),
      exporters: [.udmabuf])
  }

  private func memory() throws -> FrameMemory {
    .shared(try SharedMemory(byteCount: 1, name: "kite-test"))
  }

  private func verdict(
    _ terms: DmabufTerms, _ format: PixelFormat, _ memory: FrameMemory
  ) -> DmabufTerms.Verdict {
    terms.verdict(for: format, memory: memory) { a, b in
      // The two nodes of one device.
      Set([a, b]) == [Self.card, Self.render] || a == b
    }
  }

  private func reason(_ verdict: DmabufTerms.Verdict) -> String {
    if case .refuse(let reason) = verdict { reason } else { "" }
  }

  private func taken(_ verdict: DmabufTerms.Verdict) -> DmabufChoice? {
    if case .take(let choice) = verdict { choice } else { nil }
  }

  @Test(arguments: [PixelFormat.yuv420p, .nv12, .p010, .bgrx8888, .yuv422p])
  func whatTheDecoderWroteIsTakenAsItIs(format: PixelFormat) throws {
    let choice = try #require(taken(verdict(terms([format, .nv12], isScanout: true), format, try memory())))
    #expect(choice.copy == nil && choice.isScanout == true)
    #expect(choice.layout == DmabufFormat(fourcc: format.fourcc, modifier: DmabufFormat.linear))
  }

  @Test(arguments: [(PixelFormat.yuv420p, PixelFormat.nv12), (.yuv420p10, .p010), (.yuv422p, .nv16)])
  func planarFramesAreInterleavedWhereOnlyThatIsTaken(from: PixelFormat, to: PixelFormat) throws {
    let choice = try #require(taken(verdict(terms([to]), from, try memory())))
    #expect(choice.copy == to && choice.layout.fourcc == to.fourcc)
  }

  @Test func privateMemoryIsCopiedAsItIs() throws {
    let choice = try #require(taken(verdict(terms([.yuv420p, .nv12]), .yuv420p, .heap)))
    #expect(choice.copy == .yuv420p)
  }

  @Test func memfdsAreCopiedWhereOnlyTheHeapMakesDmabufs() throws {
    var terms = terms([.nv12])
    terms.exporters = [.dmaHeap]
    #expect(taken(verdict(terms, .nv12, try memory()))?.copy == .nv12)
  }

  @Test func everyRefusalHasItsReason() throws {
    let memory = try memory()
    #expect(reason(DmabufTerms().verdict(for: .nv12, memory: memory)).contains("no linux-dmabuf"))
    #expect(reason(verdict(terms([.bgrx8888]), .nv12, memory)).contains("does not take nv12"))
    let implicit = terms([.nv12], modifier: DmabufFormat.implicit)
    #expect(reason(verdict(implicit, .nv12, memory)).contains("its own driver"))
    let tiled = terms([.nv12], modifier: 0x0100_0000_0000_0001)
    #expect(reason(verdict(tiled, .nv12, memory)).contains("its device's own"))
    var none = terms([.nv12])
    none.exporters = []
    none.exportProblem = "This process can't make dmabufs: no permission."
    #expect(reason(verdict(none, .nv12, memory)) == none.exportProblem)
    var refused = terms([.nv12])
    refused.refuse(DmabufFormat(fourcc: PixelFormat.nv12.fourcc, modifier: DmabufFormat.linear))
    #expect(reason(verdict(refused, .nv12, memory)).contains("refused to import"))
  }

  @Test func aRefusalIsForgottenWithTheDevice() throws {
    var terms = terms([.nv12])
    terms.refuse(DmabufFormat(fourcc: PixelFormat.nv12.fourcc, modifier: DmabufFormat.linear))
    let memory = try memory()
    #expect(taken(verdict(terms, .nv12, memory)) == nil)
    terms.offer = self.terms([.nv12], device: Self.other).offer
    #expect(taken(verdict(terms, .nv12, memory)) != nil)
  }

  @Test func oldCompositorsSayNothingOfScanout() throws {
    let choice = try #require(taken(verdict(terms([.nv12], device: nil), .nv12, try memory())))
    #expect(choice.isScanout == nil)
  }

  // MARK: Frames of a device

  private func frame(modifier: UInt64, device: UInt64?) -> FrameMemory {
    .dmabuf(
      DmabufDescriptor(
        fourcc: PixelFormat.nv12.fourcc, modifier: modifier,
        planes: [.init(descriptor: -1, offset: 0, stride: 64)], device: device))
  }

  @Test func aDevicesTilingIsTakenByTheSameDeviceAlone() {
    let tiling: UInt64 = 0x0100_0000_0000_0002
    let terms = terms([.nv12], modifier: tiling)
    #expect(taken(verdict(terms, .nv12, frame(modifier: tiling, device: Self.render)))?.copy == nil)
    #expect(taken(verdict(terms, .nv12, frame(modifier: tiling, device: Self.card))) != nil)
    #expect(
      reason(verdict(terms, .nv12, frame(modifier: tiling, device: Self.other))).contains("another device"))
    #expect(reason(verdict(terms, .nv12, frame(modifier: 5, device: Self.render))).contains("modifier 0x5"))
  }

  @Test func rowsOfAnotherDeviceAreRows() {
    #expect(taken(verdict(terms([.nv12]), .nv12, frame(modifier: 0, device: Self.other))) != nil)
  }

  @Test func anUnknownLayoutIsNeverTakenForALinearOne() {
    let unknown = frame(modifier: DmabufFormat.implicit, device: Self.render)
    #expect(reason(verdict(terms([.nv12]), .nv12, unknown)).contains("does not say"))
  }
}
