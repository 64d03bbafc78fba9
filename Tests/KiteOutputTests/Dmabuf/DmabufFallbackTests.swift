import KiteCore
import KiteSystem
import KiteViews
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

@testable import KiteOutput

/// Keeps a frame's memory for another frame over the same bytes.
private final class Keeper: Sendable {
  private let frame: Locked<VideoFrame?>
  init(_ frame: consuming sending VideoFrame) { self.frame = Locked(consume frame) }
}

extension FramePainter {
  /// A frame as a decoder makes it that insists on memory of its own.
  fileprivate func heapFrame() throws -> VideoFrame {
    let frame = try quarters()
    let planes = frame.planes.map { VideoPlane(offset: 0, stride: $0.stride, baseAddress: $0.baseAddress) }
    return VideoFrame(
      properties: properties, memory: .heap, planes: planes, owner: Keeper(frame))
  }

  private struct NotShared: Error {}

  /// A frame as a hardware decoder of `device` makes it.
  func deviceFrame(_ level: Int, modifier: UInt64, device: UInt64) throws -> VideoFrame {
    let frame = try frame(.gray(level))
    guard case .shared(let memory) = frame.memory else { throw NotShared() }
    let description = DmabufDescriptor(
      fourcc: properties.format.fourcc, modifier: modifier,
      planes: frame.planes.map {
        .init(descriptor: memory.descriptor, offset: $0.offset, stride: $0.stride)
      }, device: device)
    let planes = frame.planes.map { VideoPlane(offset: $0.offset, stride: $0.stride, baseAddress: nil) }
    return VideoFrame(
      properties: properties, memory: .dmabuf(description), planes: planes, owner: Keeper(frame))
  }
}

extension ViewTests {
  /// What is shown, and said, where memory can't be taken as it is.
  @MainActor struct DmabufFallbackTests {
    @Test func planarFramesAreInterleavedOnce() async throws {
      let show = try await Show.dmabuf(.dmabuf([.nv12]))
      let painter = FramePainter(.yuv420p, width: 66, height: 34, padding: 6, color: .sd)
      for _ in 0..<12 {
        try show.player.show(painter.quarters())
        try await show.stage.play(milliseconds: 8)
      }
      try await show.wait(forPixel: 10, 8, toBe: .pureRed)
      try await show.wait(forPixel: 50, 8, toBe: .pureGreen)
      try await show.wait(forPixel: 10, 28, toBe: .pureBlue)
      try await show.waitUntilSettled()
      let diagnostics = show.view.diagnostics
      #expect(diagnostics.path == .dmabuf && diagnostics.isCopied && diagnostics.isZeroCopy)
      #expect(diagnostics.reason.contains("copied once, into NV12"))
      let stride = try #require(show.stage.video?.buffer?.memory?.stride)
      #expect(stride % 256 == 0)
      #expect(show.compositor.counts.importsAsked <= 4)
      // The frame is copied, so that its memory is free at once: only the player's own is kept, and the repaint's.
      try await show.stage.wait(for: "the memory") { painter.pool.slotsOnLoan <= 1 }
      #expect(show.compositor.violations == [])
      #expect(show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test(arguments: [PixelFormat.yuv420p, .nv12])
    func privateMemoryIsCopied(format: PixelFormat) async throws {
      let show = try await Show.dmabuf(.dmabuf([.yuv420, .nv12]))
      let painter = FramePainter(format, width: 65, height: 35, color: .sd)
      try await show.show(painter.heapFrame())
      try await show.wait(forPixel: 10, 8, toBe: .pureRed)
      try await show.wait(forPixel: 50, 28, toBe: .white)
      #expect(show.stage.video?.buffer?.memory?.format.fourcc == format.fourcc)
      #expect(show.view.diagnostics.isCopied)
      #expect(show.view.diagnostics.reason.contains("memory of its own"))
      #expect(show.compositor.violations == [])
      #expect(show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func copiesThatNeverComeBackDoNotStopThePicture() async throws {
      let show = try await Show.dmabuf(.dmabuf([.nv12]).with { $0.releases = .withheld })
      let painter = FramePainter(color: .sd, width: 64, height: 36)
      for level in [40, 80, 120, 160, 200, 230] {
        try show.player.show(painter.frame(.gray(level)))
        try await show.wait(forPixel: 30, 18, toBe: .gray(level))
      }
      #expect(show.view.failedFrames == 0)
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func aViewThatWantsSharedMemoryGetsIt() async throws {
      let show = try await Show.dmabuf(.dmabuf([.yuv420]), prefersDmabuf: false)
      try await show.show(FramePainter(color: .sd, width: 64, height: 36).quarters())
      try await show.wait(forPixel: 10, 8, toBe: .pureRed)
      #expect(show.view.diagnostics.path == .shmConverted)
      #expect(show.view.diagnostics.reason.contains("prefersDmabuf"))
      #expect(show.compositor.counts.importsAsked == 0 && show.compositor.dmabufListeners == 0)
      try await show.end()
    }

    @Test func aProcessWithoutTheRightSaysWhatIsMissing() async throws {
      let show = try await Show.dmabuf(.dmabuf([.yuv420]), maker: NoDmabufs())
      try await show.show(FramePainter(color: .sd, width: 64, height: 36).quarters())
      try await show.wait(forPixel: 10, 8, toBe: .pureRed)
      #expect(show.view.diagnostics.path == .shmConverted)
      #expect(show.view.diagnostics.reason.contains("opening /dev/udmabuf: Permission denied"))
      try await show.end()
    }

    @Test(arguments: [1, 3, 4, 5] as [UInt32])
    func everyVersionIsUnderstood(version: UInt32) async throws {
      let show = try await Show.dmabuf(.dmabuf([.yuv420], version: version))
      try await show.show(FramePainter(color: .sd, width: 64, height: 36).quarters())
      try await show.wait(forPixel: 10, 8, toBe: .pureRed)
      // Version 1 names no layouts: nothing is taken for linear that nobody calls so.
      #expect(show.view.diagnostics.path == (version == 1 ? .shmConverted : .dmabuf))
      #expect(show.compositor.violations == [])
      #expect(show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func aBufferOnTheScreenIsMovedAndNotAttachedAgain() async throws {
      let show = try await Show.dmabuf(.dmabuf([.yuv420]))
      try await show.show(FramePainter(color: .sd, width: 64, height: 36).quarters())
      try await show.wait(forPixel: 10, 8, toBe: .pureRed)
      let attaches = try #require(show.stage.video).counters.attaches
      show.compositor.resizeWindows(width: 128, height: 72)
      try await show.wait(forPixel: 120, 70, toBe: .white)
      #expect(show.stage.video?.counters.attaches == attaches)
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func theSurfaceEndsBeforeItsBuffers() async throws {
      let show = try await Show.dmabuf(.dmabuf([.yuv420]))
      let painter = FramePainter(color: .sd, width: 64, height: 36)
      try await show.play(12, of: painter)
      for _ in 0..<5 {
        show.window.hide()
        try await show.stage.wait(for: "the end of the window") { show.compositor.windows.isEmpty }
        try show.window.show()
        try await show.stage.wait(for: "the picture") { show.stage.video?.isMapped == true }
      }
      #expect(show.compositor.violations == [])
      #expect(show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func whereOnlyTheHeapMakesDmabufsItsMemoryIsWishedFor() async throws {
      let show = try await Show.dmabuf(.dmabuf([.yuv420]), maker: OnlyHeap())
      try await show.stage.wait(for: "the wish") {
        show.player.front?.memoryWish == FrameMemoryWish(backing: .dmaHeap, takesDeviceFrames: true)
      }
      // What the decoder wrote before is copied.
      try await show.show(FramePainter(color: .sd, width: 64, height: 36).quarters())
      try await show.wait(forPixel: 10, 8, toBe: .pureRed)
      #expect(show.view.diagnostics.isCopied)
      show.compositor.dmabufAdvice = .linear([])
      try await show.stage.wait(for: "the end of the wish") {
        show.player.front?.memoryWish == FrameMemoryWish()
      }
      try await show.end()
    }

    // MARK: Frames of a device

    private static let tiling: UInt64 = 0x0100_0000_0000_0002

    private static var tiled: CompositorConfiguration {
      .dmabuf([]).with {
        $0.dmabuf = DmabufAdvice(tranches: [.init([.init(.nv12, modifier: tiling)], isScanout: true)])
      }
    }

    @Test func framesOfTheCompositorsDeviceAreImportedOnceEach() async throws {
      let show = try await Show.dmabuf(Self.tiled)
      let painter = FramePainter(.nv12, width: 64, height: 36, color: .sd, limit: 4)
      var shown = 0
      while shown < 40 {
        if let frame = try? painter.deviceFrame(
          100 + shown, modifier: Self.tiling, device: DmabufAdvice.device)
        {
          show.player.show(frame)
          shown += 1
        }
        try await show.stage.play(milliseconds: 6)
      }
      try await show.wait(forPixel: 30, 18, toBe: .gray(139))
      try await show.waitUntilSettled()
      #expect(show.view.diagnostics.path == .dmabuf && show.view.diagnostics.modifier == Self.tiling)
      #expect(show.view.failedFrames == 0)
      #expect(show.compositor.counts.importsAsked <= 4)
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func framesOfAnotherDeviceAreAskedForAnew() async throws {
      let show = try await Show.dmabuf(Self.tiled)
      let painter = FramePainter(.nv12, width: 64, height: 36, color: .sd)
      try show.player.show(
        painter.deviceFrame(90, modifier: Self.tiling, device: DmabufAdvice.device + 1))
      try await show.stage.wait(for: "the refusal") {
        show.player.front?.memoryWish.takesDeviceFrames == false
          && show.view.diagnostics.reason.contains("another device")
      }
      #expect(show.compositor.counts.importsAsked == 0)
      // The decoder reads its pictures back from now on.
      try show.player.show(painter.frame(.gray(120)))
      try await show.wait(forPixel: 30, 18, toBe: .gray(120))
      try await show.end()
    }
  }
}
