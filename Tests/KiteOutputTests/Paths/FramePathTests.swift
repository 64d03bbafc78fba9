import KiteCore
import KiteSystem
import Testing

@testable import KiteOutput

@Suite struct FramePathTests {
  /// The path of a frame in memory that a compositor can map.
  private func path(
    of format: PixelFormat, _ color: ColorDescription = ColorDescription(matrix: .smpte170m, range: .limited),
    _ change: (inout FramePath.Compositor) -> Void = { _ in }
  ) throws -> FramePath {
    var compositor = FramePath.Compositor(
      formats: Set([PixelFormat.bgrx8888, .xrgb2101010, .yuv420p].map(\.fourcc)), reading: .bt601,
      hasViewport: true, isAccelerated: true)
    change(&compositor)
    let properties = VideoFrame.Properties(
      format: format, codedSize: PixelSize(width: 64, height: 48), color: color)
    let memory = try SharedMemory(byteCount: 4096, name: "kite-test")
    return FramePath(for: properties, memory: .shared(memory), compositor: compositor)
  }

  @Test func aFrameInTheCompositorsFormatAndReadingIsTheBuffer() throws {
    #expect(try path(of: .yuv420p).kind == .direct)
    #expect(try path(of: .yuv420p).reason.isEmpty)
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
