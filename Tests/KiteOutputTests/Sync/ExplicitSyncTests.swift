import KiteCore
import KiteSystem
import KiteViews
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

@testable import KiteOutput

extension CompositorConfiguration {
  /// One with `linux-drm-syncobj-v1`, which says something meaningless with `wl_buffer.release`.
  fileprivate static func synced(_ formats: [ShmFormat] = [.yuv420]) -> CompositorConfiguration {
    .dmabuf(formats).with("wp_linux_drm_syncobj_manager_v1", version: 1).with {
      $0.sendsMeaninglessReleases = true
    }
  }
}

extension ViewTests {
  /// Points of timelines order the work: both with every dmabuf, none with anything else, and only a release point gives
  /// memory back.
  @MainActor struct ExplicitSyncTests {
    @Test func everyBufferHasItsPointsAndIsGivenBackByThem() async throws {
      let sync = TestSync()
      let show = try await Show.dmabuf(.synced(), sync: sync)
      let painter = FramePainter(color: .sd, width: 64, height: 36)
      try await show.play(60, of: painter)
      try await show.waitUntilSettled()
      #expect(show.view.diagnostics.path == .dmabuf && show.view.diagnostics.isExplicitlySynchronized)
      #expect(show.view.diagnostics.synchronizationProblem.isEmpty)
      #expect(show.stage.video?.isExplicitlySynchronized == true)
      let counts = show.compositor.counts
      #expect(show.view.failedFrames == 0)
      #expect((1...counts.importsAsked).contains(counts.timelinesImported))
      // The processor has written everything that it commits, and the device is asked for by the compositor's number.
      #expect(sync.state.withLock { $0.awaitedWrites } == 0)
      #expect(sync.state.withLock { $0.asked } == [DmabufAdvice.device])
      try await show.stage.wait(for: "the memory") { painter.pool.slotsOnLoan <= 1 }
      #expect(show.compositor.violations == [] && show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func whatIsNotReleasedByItsPointIsNotWrittenAgain() async throws {
      let show = try await Show.dmabuf(.synced().with { $0.releases = .withheld }, sync: TestSync())
      let painter = FramePainter(color: .sd, width: 64, height: 36)
      for level in [40, 80, 120] {
        try await show.show(painter.frame(.gray(level)))
        try await show.wait(forPixel: 30, 18, toBe: .gray(level))
      }
      #expect(painter.pool.slotsOnLoan == 3)
      // The later one first: each gives back what it is for.
      show.compositor.releaseBuffers(reversed: true)
      try await show.stage.wait(for: "the releases") { painter.pool.slotsOnLoan == 1 }
      show.compositor.releases = .whenReplaced
      try await show.play(20, of: painter)
      try await show.waitUntilSettled()
      #expect(show.view.failedFrames == 0)
      #expect(show.compositor.violations == [] && show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func pointsThatAreNeverSignalledDoNotStopThePicture() async throws {
      let show = try await Show.dmabuf(.synced().with { $0.releases = .withheld }, sync: TestSync())
      let painter = FramePainter(color: .sd, width: 64, height: 36)
      for level in [40, 80, 120, 160, 200] {
        try show.player.show(painter.frame(.gray(level)))
        try await show.wait(forPixel: 30, 18, toBe: .gray(level))
      }
      #expect(show.view.failedFrames == 0)
      #expect(show.compositor.violations == [] && show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func theCompositorWaitsForADevicesWriting() async throws {
      let tiling: UInt64 = 0x0100_0000_0000_0002
      let configuration = CompositorConfiguration.synced([]).with {
        $0.dmabuf = DmabufAdvice(tranches: [.init([.init(.nv12, modifier: tiling)], isScanout: true)])
      }
      let sync = TestSync()
      let show = try await Show.dmabuf(configuration, sync: sync)
      let painter = FramePainter(.nv12, width: 64, height: 36, color: .sd)
      try await show.show(painter.deviceFrame(60, modifier: tiling, device: DmabufAdvice.device))
      try await show.wait(forPixel: 30, 18, toBe: .gray(60))
      sync.state.withLock { $0.areDevicesBusy = true }
      try await show.show(painter.deviceFrame(160, modifier: tiling, device: DmabufAdvice.device))
      #expect(show.stage.video?.waitingCommits == 1)
      #expect(try #require(show.stage.pixel(30, 18)).distance(to: .gray(60)) <= 8)
      sync.finishWrites()
      try await show.wait(forPixel: 30, 18, toBe: .gray(160))
      #expect(sync.state.withLock { $0.awaitedWrites } == 2)
      #expect(show.compositor.violations == [] && show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func otherBuffersGoWithoutPoints() async throws {
      let show = try await Show.dmabuf(
        .synced().with { $0.shmFormats.append(ShmFormat.yuv444.fourcc) }, sync: TestSync())
      // As a dmabuf, over wl_shm as it is, converted.
      let formats: [PixelFormat] = [.yuv420p, .yuv444p, .yuv420p, .yuv440p, .yuv444p, .yuv420p]
      for format in formats {
        try await show.show(FramePainter(format, width: 64, height: 36, color: .sd).quarters())
        try await show.wait(forPixel: 10, 5, toBe: .pureRed)
        let isDmabuf = format == .yuv420p
        #expect(show.stage.video?.isExplicitlySynchronized == isDmabuf)
        #expect(show.view.diagnostics.isExplicitlySynchronized == isDmabuf)
      }
      #expect(show.compositor.violations == [] && show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func aBufferThatStaysHasNoNewPoints() async throws {
      let show = try await Show.dmabuf(.synced(), sync: TestSync())
      try await show.show(FramePainter(color: .sd, width: 64, height: 36).quarters())
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      show.compositor.resizeWindows(width: 128, height: 72)
      try await show.wait(forPixel: 120, 70, toBe: .white)
      #expect(show.compositor.violations == [] && show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func withoutADeviceTheMemorysOwnFencesOrderTheWork() async throws {
      let show = try await Show.dmabuf(.synced(), sync: TestSync(failure: 1))
      let painter = FramePainter(color: .sd, width: 64, height: 36)
      try await show.play(30, of: painter)
      try await show.waitUntilSettled()
      #expect(show.view.diagnostics.path == .dmabuf && !show.view.diagnostics.isExplicitlySynchronized)
      #expect(show.view.diagnostics.synchronizationProblem.contains("testing: Input/output error (open"))
      #expect(show.compositor.requests("wp_linux_drm_syncobj_manager_v1").isEmpty)
      #expect(show.view.failedFrames == 0)
      #expect(show.compositor.violations == [] && show.compositor.sentErrors == [])
      try await show.end()
    }

    /// Each call that the first frames make, and some of later ones, of buffers that have been committed with points.
    @Test(arguments: [2, 3, 4, 5, 6, 7, 8, 13, 14, 25])
    func whateverFailsThePictureGoesOn(failure: Int) async throws {
      let show = try await Show.dmabuf(.synced(), sync: TestSync(failure: failure))
      let painter = FramePainter(color: .sd, width: 64, height: 36)
      try await show.play(30, of: painter)
      try await show.wait(forPixel: 30, 18, toBe: .gray(40 + 29))
      try await show.waitUntilSettled()
      #expect(show.view.diagnostics.path == .dmabuf && !show.view.diagnostics.isExplicitlySynchronized)
      #expect(!show.view.diagnostics.synchronizationProblem.isEmpty)
      #expect(show.stage.video?.isExplicitlySynchronized == false)
      #expect(show.view.failedFrames == 0)
      #expect(show.compositor.violations == [] && show.compositor.sentErrors == [])
      try await show.stage.wait(for: "the memory") { painter.pool.slotsOnLoan <= 1 }
      try await show.end()
    }

    @Test func theNextRendererFindsASurfaceWithoutPoints() async throws {
      let show = try await Show.dmabuf(.synced(), sync: TestSync())
      let painter = FramePainter(color: .sd, width: 64, height: 36)
      for round in 0..<5 {
        try await show.show(painter.quarters())
        try await show.wait(forPixel: 10, 5, toBe: .pureRed)
        show.view.player = nil
        // The second one takes no dmabufs at all.
        show.view.prefersDmabuf = round % 2 == 1
        show.view.player = show.player
      }
      #expect(show.compositor.violations == [] && show.compositor.sentErrors == [])
      #expect(show.stage.errors.isEmpty)
      try await show.end()
    }

    @Test func theSurfaceMayEndFirst() async throws {
      let show = try await Show.dmabuf(.synced(), sync: TestSync())
      let painter = FramePainter(color: .sd, width: 64, height: 36)
      try await show.play(12, of: painter)
      for _ in 0..<4 {
        show.window.hide()
        try await show.stage.wait(for: "the end of the window") { show.compositor.windows.isEmpty }
        try show.window.show()
        try await show.stage.wait(for: "the picture") { show.stage.video?.isMapped == true }
      }
      #expect(show.compositor.violations == [] && show.compositor.sentErrors == [])
      try await show.end()
    }
  }
}
