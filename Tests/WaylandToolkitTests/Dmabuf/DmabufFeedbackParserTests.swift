import Testing
import WaylandToolkit

@Suite struct DmabufFeedbackParserTests {
  private let nv12 = DmabufFormat(fourcc: 1, modifier: DmabufFormat.linear)
  private let tiled = DmabufFormat(fourcc: 1, modifier: 0x0100_0000_0000_0002)
  private let implicit = DmabufFormat(fourcc: 1, modifier: DmabufFormat.implicit)
  private let rgb = DmabufFormat(fourcc: 2, modifier: DmabufFormat.linear)

  private func parser() -> DmabufFeedbackParser {
    var parser = DmabufFeedbackParser()
    parser.formatTable([nv12, tiled, implicit, rgb])
    return parser
  }

  private static func bytes(_ device: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: device >> (8 * UInt64($0))) }
  }

  @Test func tranchesComeInTheCompositorsOrderWithTheirDevicesAndUse() {
    var parser = parser()
    parser.mainDevice(Self.bytes(0xE280))
    parser.trancheTargetDevice(Self.bytes(0xE200))
    parser.trancheFlags(isScanout: true)
    parser.trancheFormats([3, 0])
    parser.trancheDone()
    parser.trancheTargetDevice(Self.bytes(0xE280))
    parser.trancheFormats([1, 0, 0, 0])
    parser.trancheFormats([3, 0])
    parser.trancheDone()
    let offer = parser.done()
    #expect(offer.mainDevice == 0xE280)
    #expect(
      offer.tranches == [
        .init(device: 0xE200, isScanout: true, formats: [rgb]),
        .init(device: 0xE280, isScanout: false, formats: [tiled, nv12, rgb]),
      ])
    #expect(offer.tranche(for: rgb)?.isScanout == true)
    #expect(offer.modifiers(of: 1) == [tiled.modifier, DmabufFormat.linear])
  }

  @Test func aLayoutThatNobodyNamesIsNotALinearOne() {
    var parser = parser()
    parser.trancheFormats([2, 0])
    parser.trancheDone()
    let offer = parser.done()
    #expect(offer.tranche(for: implicit) != nil)
    #expect(offer.tranche(for: nv12) == nil)
  }

  @Test func nothingIsOfferedTwiceAndNothingBeyondTheTable() {
    var parser = parser()
    parser.trancheFormats([0, 0, 0, 0, 9, 0, 255, 255, 3])
    parser.trancheDone()
    #expect(parser.done().tranches.first?.formats == [nv12])
  }

  @Test func whatComesAgainTakesThePlaceOfAllOfIt() {
    var parser = parser()
    parser.mainDevice(Self.bytes(7))
    parser.trancheFormats([0, 0, 1, 0])
    parser.trancheDone()
    _ = parser.done()
    // The table stays as long as no other one comes.
    parser.trancheFormats([3, 0])
    parser.trancheDone()
    let offer = parser.done()
    #expect(offer.mainDevice == nil)
    #expect(offer.tranches == [.init(device: nil, formats: [rgb])])
    parser.formatTable([])
    parser.trancheFormats([0, 0])
    parser.trancheDone()
    #expect(parser.done().isEmpty)
  }

  @Test func aDeviceOfTheWrongLengthIsNone() {
    var parser = parser()
    parser.mainDevice([1, 2, 3])
    parser.trancheTargetDevice([])
    parser.trancheDone()
    let offer = parser.done()
    #expect(offer.mainDevice == nil && offer.tranches.first?.device == nil)
  }
}
