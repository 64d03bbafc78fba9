import KiteCore
import KiteSystem
import Testing
import Wayland
import WaylandToolkit

@testable import KiteOutput

@Suite struct FramePathTests {
  /// The path of a frame in memory that a compositor can map.
  private func path(
    of format: PixelFormat, _ color: ColorDescription = ColorDescription(matrix: .smpte170m, range: .limited),
    _ change: (inout FramePath.Compositor) -> Void = { _ in },
    frame: (inout VideoFrame.Properties) -> Void = { _ in }
  ) throws -> FramePath {
    var compositor = FramePath.Compositor(
      formats: Set([PixelFormat.bgrx8888, .xrgb2101010, .yuv420p].map(\.fourcc)), reading: .bt601,
      hasViewport: true, isAccelerated: true)
    change(&compositor)
    var properties = VideoFrame.Properties(
      format: format, codedSize: PixelSize(width: 64, height: 48), color: color)
    frame(&properties)
    let memory = try SharedMemory(byteCount: 4096, name: "kite-test")
    return FramePath(for: properties, memory: .shared(memory), compositor: compositor)
  }

  @Test func aFrameInTheCompositorsFormatAndReadingIsTheBuffer() throws {
    #expect(try path(of: .yuv420p).kind == .direct)
    #expect(try path(of: .yuv420p).reason == "The compositor has no linux-dmabuf.")
  }

  @Test func aDmabufThatIsTakenAsItIsComesFirst() throws {
    let path = try path(of: .yuv420p) { $0.dmabuf = Self.terms(.yuv420p, isScanout: true) }
    guard case .dmabuf(let choice) = path.kind else { throw Unexpected(kind: path.kind) }
    #expect(choice.copy == nil && path.reason.isEmpty)
  }

  @Test func aDmabufThatIsOnlyDrawnSaysSo() throws {
    let path = try path(of: .yuv420p) { $0.dmabuf = Self.terms(.yuv420p) }
    #expect(path.reason.contains("nothing scans out YU12"))
  }

  @Test func memoryThatIsSharedComesBeforeACopy() throws {
    #expect(try path(of: .yuv420p) { $0.dmabuf = Self.terms(.nv12) }.kind == .direct)
    let copied = try path(of: .yuv420p) {
      $0.dmabuf = Self.terms(.nv12)
      $0.formats.remove(PixelFormat.yuv420p.fourcc)
    }
    guard case .dmabuf(let choice) = copied.kind else { throw Unexpected(kind: copied.kind) }
    #expect(choice.copy == .nv12 && copied.reason.contains("copied once, into NV12"))
  }

  @Test func picturesThatWereReadBackFromADeviceAreToldOf() throws {
    let path = try path(of: .yuv420p) {
      $0.dmabuf = Self.terms(.yuv420p, isScanout: true)
    } frame: {
      $0.isReadBack = true
    }
    #expect(path.reason.contains("copied once, out of its memory"))
    let shared = try self.path(of: .yuv420p) { _ in
    } frame: {
      $0.isReadBack = true
    }
    #expect(shared.kind == .direct && shared.reason.contains("copied once, out of its memory"))
  }

  @Test func coloursAreHeldToForDmabufsToo() throws {
    let path = try path(of: .yuv420p, ColorDescription(matrix: .bt709, range: .limited)) {
      $0.dmabuf = Self.terms(.yuv420p)
    }
    #expect(path.kind == .xrgb8888 && path.reason.contains("wrong colours"))
  }

  private struct Unexpected: Error { let kind: FramePath.Kind }

  private static func terms(_ format: PixelFormat, isScanout: Bool = false) -> DmabufTerms {
    let layout = DmabufFormat(fourcc: format.fourcc, modifier: DmabufFormat.linear)
    return DmabufTerms(
      offer: DmabufOffer(
        mainDevice: 1, tranches: [.init(device: 1, isScanout: isScanout, formats: [layout])]),
      exporters: [.udmabuf])
  }

  @Test func aFrameThatWouldComeOutInWrongColoursIsConverted() throws {
    let colors = [
      ColorDescription(matrix: .bt709, range: .limited), ColorDescription(matrix: .smpte170m, range: .full),
    ]
    for color in colors {
      let path = try path(of: .yuv420p, color)
      #expect(path.kind == .xrgb8888)
      #expect(path.reason.contains("wrong colours"))
    }
  }

  @Test func coloursThatCanBeToldAreTold() throws {
    let hd = ColorDescription(matrix: .bt709, range: .limited, chromaLocation: .left)
    let told = try path(of: .yuv420p, hd) { $0.tellable = [.init(coefficients: .bt709, range: .limited)] }
    #expect(told.kind == .direct)
    #expect(told.colors?.numbers == .init(coefficients: .bt709, range: .limited))
    #expect(told.colors?.chroma == .type0)
    // To one that doesn't listen nothing is said, and one that listens is not trusted with what it can't be told.
    #expect(try path(of: .yuv420p).colors == nil)
    let untold = try path(of: .yuv420p) { $0.tellable = [.init(coefficients: .bt709, range: .limited)] }
    #expect(untold.kind == .xrgb8888 && untold.colors == nil)
    #expect(untold.reason.contains("can't be told") && untold.reason.contains("limited range"))
  }

  @Test(
    arguments: [
      (.smpte170m, .bt601), (.bt470bg, .bt601), (.bt709, .bt709), (.fcc, .fcc), (.smpte240m, .smpte240),
      (.bt2020, .bt2020), (.bt2020ConstantLuminance, .bt2020Cl), (.ictcp, .ictcp), (.ycgco, nil),
      (.unspecified, nil),
    ] as [(ColorDescription.Matrix, WpColorRepresentationSurfaceV1.Coefficients?)])
  func eachMatrixHasItsName(
    matrix: ColorDescription.Matrix, name: WpColorRepresentationSurfaceV1.Coefficients?
  ) {
    #expect(ColorReading.Numbers(ColorDescription(matrix: matrix, range: .full))?.coefficients == name)
    #expect(ColorReading.Numbers(ColorDescription(matrix: matrix)) == nil)
  }

  @Test func chromaIsPlacedOnlyWhereFourPixelsShareIt() {
    for format in PixelFormat.allCases {
      let properties = VideoFrame.Properties(
        format: format, codedSize: PixelSize(width: 64, height: 48),
        color: ColorDescription(matrix: .bt709, range: .limited, chromaLocation: .topLeft))
      let reading = ColorReading(properties)
      #expect((reading != nil) == (format.model == .yuv))
      #expect((reading?.chroma == .type2) == (format.chromaShift == (1, 1) && format.model == .yuv))
    }
  }

  @Test func aFormatThatTheCompositorDoesNotTakeIsConverted() throws {
    let path = try path(of: .yuv422p)
    #expect(path.kind == .xrgb8888)
    #expect(path.reason.contains("yuv422p"))
  }

  @Test func withoutAViewportFramesAreConverted() throws {
    #expect(try path(of: .yuv420p) { $0.hasViewport = false }.kind == .xrgb8888)
  }

  @Test func tenBitFramesKeepTheirDepthWhereAGPUComposes() throws {
    #expect(try path(of: .yuv420p10).kind == .xrgb2101010)
    #expect(try path(of: .yuv420p10) { $0.formats.remove(PixelFormat.xrgb2101010.fourcc) }.kind == .xrgb8888)
  }

  @Test func tenBitFramesBecomeEightBitsForASoftwareCompositor() throws {
    #expect(try path(of: .yuv420p10) { $0.isAccelerated = false }.kind == .xrgb8888)
  }
}
