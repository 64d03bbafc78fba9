import KiteCore
import KiteOutput
import KiteSystem
import KiteViews
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

extension Show {
  /// The surface of the subtitles: inside of the one that shows the pictures.
  var subtitles: SurfaceSnapshot? {
    let surfaces = compositor.surfaces
    guard let root = compositor.window?.surface else { return nil }
    func parent(of surface: SurfaceSnapshot) -> Int? {
      if case .subsurface(let parent, _, _, _) = surface.role { parent } else { nil }
    }
    return surfaces.first { surface in
      surfaces.contains { $0.number == parent(of: surface) && parent(of: $0) == root.number }
    }
  }

  /// The surface that shows the pictures, also where subtitles are over it.
  var picture: SurfaceSnapshot? {
    guard let root = compositor.window?.surface.number else { return nil }
    return compositor.surfaces.first { surface in
      if case .subsurface(root, _, _, _) = surface.role { true } else { false }
    }
  }

  /// Shows a grey frame of the media time `seconds`, and waits until the compositor has it.
  func show(at seconds: Double, level: Int = 60, width: Int = 64, height: Int = 36) async throws {
    let before = picture?.counters.bufferCommits ?? 0
    let painter = FramePainter(width: width, height: height, pts: MediaTime(seconds: seconds))
    player.show(try painter.frame(.gray(level)))
    try await stage.wait(for: "a commit of the frame", detail: detail()) {
      (self.picture?.counters.bufferCommits ?? 0) > before
    }
  }

  func waitForSubtitles(_ areThere: Bool) async throws {
    try await stage.wait(for: areThere ? "subtitles" : "no subtitles", detail: detail()) {
      (self.subtitles?.buffer != nil) == areThere
    }
  }
}

extension ViewTests {
  /// Subtitles are over the picture that they belong to, and keep nothing waiting.
  @MainActor struct SubtitleViewTests {
    private let place = PixelRect(x: 20, y: 24, width: 24, height: 8)

    @Test func aSurfaceExistsOnlyWhileThereIsText() async throws {
      let show = try await Show()
      let plane = FakePlane([FakePlane.Line(1, from: 1, to: 2, place: place)])
      show.player.show(subtitles: plane)
      try await show.show(at: 0)
      let before = show.compositor.surfaces.count
      #expect(show.subtitles == nil)
      try await show.show(at: 1)
      try await show.wait(forPixel: 30, 28, toBe: .white)
      let subtitles = try #require(show.subtitles)
      #expect(show.compositor.surfaces.count == before + 1)
      #expect(subtitles.inputRegion == [])
      #expect(subtitles.buffer?.memory?.format == .argb8888)
      guard case .subsurface(_, isSynchronized: true, _, _) = subtitles.role else {
        Issue.record("its commits are those of the picture, not \(subtitles.role)")
        return
      }
      try await show.show(at: 1.5)
      #expect(show.subtitles?.counters.bufferCommits == 1)
      try await show.show(at: 2)
      try await show.stage.wait(for: "the surface to go") { show.compositor.surfaces.count == before }
      #expect(plane.draws == [MediaTime(seconds: 1)])
      #expect(show.compositor.violations == [])
      #expect(show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func withoutSubtitlesThereIsNothing() async throws {
      let show = try await Show()
      show.compositor.clearMessages()
      for index in 0..<3 { try await show.show(at: Double(index), level: 60 + index) }
      #expect(show.compositor.requests("wl_subcompositor", "get_subsurface").isEmpty)
      #expect(show.subtitles == nil)
      try await show.end()
    }

    @Test func textThatIsDrawnInTimeComesWithItsPicture() async throws {
      let show = try await Show()
      let plane = FakePlane([FakePlane.Line(1, from: 1, to: 2, place: place)])
      show.player.show(subtitles: plane)
      try await show.show(at: 0)
      show.compositor.clearMessages()
      // Its time is far: whatever the machine does meanwhile, the text is there first.
      let painter = FramePainter(width: 64, height: 36, pts: MediaTime(seconds: 1))
      let frame = try painter.frame(.gray(90))
      show.player.show(frame, at: .now + 1_000_000_000)
      try await show.stage.wait(for: "the drawing") { plane.draws == [MediaTime(seconds: 1)] }
      try await show.waitForSubtitles(true)
      let subtitles = try #require(show.subtitles).id
      let picture = try #require(show.picture).id
      let requests = show.compositor.requests("wl_surface")
      let commit = try #require(requests.firstIndex { $0.object == subtitles && $0.name == "commit" })
      // Before it the picture's buffer was attached, and it is committed next.
      let attach = requests.firstIndex { $0.object == picture && $0.name == "attach" }
      let next = requests[commit...].firstIndex { $0.object == picture && $0.name == "commit" }
      #expect(attach.map { $0 < commit } == true)
      #expect(next.map { requests[commit + 1..<$0].isEmpty } == true)
      #expect(requests.count { $0.object == picture && $0.name == "commit" } == 1)
      try await show.end()
    }

    @Test func noPictureWaitsForText() async throws {
      let show = try await Show()
      let plane = FakePlane([FakePlane.Line(1, from: 0, to: 100, place: place)])
      plane.isHeld = true
      show.player.show(subtitles: plane)
      for index in 0..<8 { try await show.show(at: Double(index), level: 60 + index) }
      #expect(show.subtitles == nil)
      plane.isHeld = false
      try await show.wait(forPixel: 30, 28, toBe: .white)
      #expect(show.picture?.counters.bufferCommits == 8)
      try await show.waitUntilSettled()
      #expect(show.view.failedFrames == 0)
      try await show.end()
    }

    @Test func textThatComesLateTakesNoFrameFromTheLedger() async throws {
      let show = try await Show()
      try await show.show(at: 0)
      try await show.waitUntilSettled()
      let plane = FakePlane([FakePlane.Line(1, from: 1, to: 100, place: place)])
      plane.isHeld = true
      show.player.show(subtitles: plane)
      for index in 1..<6 {
        let before = show.view.frameCounts.accepted
        try await show.show(at: Double(index), level: 60 + index)
        #expect(show.view.frameCounts.accepted == before + 1)
        plane.isHeld = false
        try await show.waitForSubtitles(true)
        plane.isHeld = true
        plane.lines = [FakePlane.Line(index + 1, from: Double(index) + 1, to: 100, place: place)]
        try await show.waitForSubtitles(false)
      }
      try await show.waitUntilSettled()
      let counts = show.view.frameCounts
      #expect(counts.failed == 0 && counts.accepted == 6, "\(counts)")
      plane.isHeld = false
      try await show.end()
    }

    @Test func whilePausedTextFollowsWhatChanges() async throws {
      let show = try await Show()
      let plane = FakePlane([FakePlane.Line(1, from: 1, to: 2, place: place)])
      try await show.show(at: 1)
      show.player.show(subtitles: plane)
      try await show.wait(forPixel: 30, 28, toBe: .white)
      // Another time, as by a delay.
      plane.lines = [FakePlane.Line(1, from: 3, to: 4, place: place)]
      try await show.waitForSubtitles(false)
      plane.lines = [FakePlane.Line(2, from: 1, to: 2, place: place, color: 0xFFFF_0000)]
      try await show.wait(forPixel: 30, 28, toBe: .pureRed)
      // Another track, and none.
      let other = FakePlane([FakePlane.Line(2, from: 1, to: 2, place: place, color: 0xFF00_00FF)])
      show.player.show(subtitles: other)
      try await show.wait(forPixel: 30, 28, toBe: .pureBlue)
      #expect(!plane.isWatched)
      show.player.show(subtitles: nil)
      try await show.waitForSubtitles(false)
      #expect(!other.isWatched)
      show.player.show(subtitles: other)
      try await show.wait(forPixel: 30, 28, toBe: .pureBlue)
      // All that with one picture.
      #expect(show.picture?.counters.bufferCommits == 1)
      #expect(show.view.frameCounts.accepted == 1)
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func textComesAndGoesAtItsTimeThoughNoPictureComes() async throws {
      let show = try await Show()
      let plane = FakePlane([
        FakePlane.Line(1, from: 1.3, to: 1.6, place: place),
        FakePlane.Line(2, from: 1.9, to: 100, place: place, color: 0xFFFF_0000),
      ])
      show.player.show(subtitles: plane)
      try await show.show(at: 1)
      plane.run(from: 1)
      // Nothing happens from here on but that time passes.
      try await show.wait(forPixel: 30, 28, toBe: .pureRed)
      #expect(plane.draws.contains { $0 >= MediaTime(seconds: 1.9) })
      #expect(plane.draws.allSatisfy { $0 >= MediaTime(seconds: 1.3) })
      #expect(show.picture?.counters.bufferCommits == 1)
      // With an end, and nothing behind it, it goes.
      plane.lines = [FakePlane.Line(3, from: 0, to: 3, place: place, color: 0xFF00_00FF)]
      try await show.waitForSubtitles(false)
      try await show.waitUntilSettled()
      #expect(show.view.frameCounts.accepted == 1 && show.view.failedFrames == 0)
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func damageIsWhatChanged() async throws {
      let show = try await Show(width: 320, height: 180)
      let plane = FakePlane([
        FakePlane.Line(1, from: 1, to: 2, place: PixelRect(x: 100, y: 130, width: 60, height: 10)),
        FakePlane.Line(2, from: 2, to: 3, place: PixelRect(x: 110, y: 140, width: 30, height: 10)),
      ])
      show.player.show(subtitles: plane)
      try await show.show(at: 1)
      try await show.waitForSubtitles(true)
      let subtitles = try #require(show.subtitles)
      show.compositor.clearMessages()
      // Both in one box: the first line's is kept where the second is inside. It is hidden first only when it is late.
      let painter = FramePainter(width: 64, height: 36, pts: MediaTime(seconds: 2))
      show.player.show(try painter.frame(.gray(90)), at: .now + 1_000_000_000)
      try await show.stage.wait(for: "the second line") { show.subtitles?.counters.bufferCommits == 2 }
      let damage = show.compositor.requests("wl_surface", "damage_buffer").filter {
        $0.object == subtitles.id
      }
      // The box begins at (96, 128).
      #expect(
        damage.map(\.arguments) == [
          [.int(4), .int(2), .int(60), .int(10)], [.int(14), .int(12), .int(30), .int(10)],
        ])
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test(arguments: [120, 150, 180, 240, 133], [true, false])
    func textIsSharpAndAtItsPlaceAtEveryScale(scale: Int, hasViewport: Bool) async throws {
      let size = (width: 333, height: 187)
      let configuration = CompositorConfiguration.standard.with { $0.scale120 = scale }
      let show = try await Show(
        hasViewport
          ? configuration : configuration.without("wp_viewporter", "wp_fractional_scale_manager_v1"),
        width: size.width, height: size.height)
      let physical = (
        width: (size.width * scale + 60) / 120, height: (size.height * scale + 60) / 120
      )
      // Without a viewport buffers have a whole scale, and the compositor makes them smaller.
      guard hasViewport || scale % 120 == 0 else { return try await show.end() }
      let place = PixelRect(x: 41, y: physical.height - 23, width: physical.width - 41, height: 23)
      let plane = FakePlane([FakePlane.Line(1, from: 0, to: 9, place: place)])
      show.player.show(subtitles: plane)
      try await show.show(at: 1, level: 0, width: size.width, height: size.height)
      try await show.wait(forPixel: place.x, place.y, toBe: .white)
      #expect(plane.canvas?.size == PixelSize(width: physical.width, height: physical.height))
      for (x, y) in [
        (place.x, place.y), (physical.width - 1, place.y), (physical.width - 1, physical.height - 1),
      ] {
        #expect(show.compositor.pixel(x, y) == .white, "at \(x), \(y)")
      }
      for (x, y) in [(place.x - 1, place.y), (place.x, place.y - 1), (physical.width - 1, place.y - 1)] {
        #expect(show.compositor.pixel(x, y) == .black, "at \(x), \(y)")
      }
      #expect(show.compositor.sentErrors == [])
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func aResizeWhilePausedDrawsAnew() async throws {
      let show = try await Show(.yuv)
      let plane = FakePlane([FakePlane.Line(1, from: 0, to: 9, place: place)])
      show.player.show(subtitles: plane)
      try await show.show(at: 1)
      try await show.wait(forPixel: 30, 28, toBe: .white)
      #expect(plane.canvas?.picture == PixelRect(x: 0, y: 0, width: 64, height: 36))
      show.compositor.resizeWindows(width: 200, height: 80)
      try await show.stage.wait(for: "a drawing of the new size") {
        plane.canvas?.size == PixelSize(width: 200, height: 80)
      }
      #expect(plane.canvas?.picture == PixelRect(x: 29, y: 0, width: 142, height: 80))
      // At its place of the view, though the picture's surface begins elsewhere.
      try await show.wait(forPixel: 30, 28, toBe: .white)
      try await show.wait(forPixel: 20, 24, toBe: .white)
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func aViewThatLetsGoOfItsPlayerShowsNoText() async throws {
      let show = try await Show()
      let plane = FakePlane([FakePlane.Line(1, from: 0, to: 9, place: place)])
      show.player.show(subtitles: plane)
      try await show.show(at: 1)
      try await show.wait(forPixel: 30, 28, toBe: .white)
      try await show.stage.wait(for: "hasPicture") { show.view.hasPicture }
      show.view.player = nil
      try await show.stage.wait(for: "the surface to go") { show.subtitles == nil }
      // The picture stays.
      #expect(show.picture?.buffer != nil && show.view.hasPicture)
      show.view.player = show.player
      try await show.wait(forPixel: 30, 28, toBe: .white)
      try await show.end()
    }

    @Test func aViewMayBeClosedWhileTextIsDrawn() async throws {
      let show = try await Show()
      let plane = FakePlane([FakePlane.Line(1, from: 0, to: 9, place: place)])
      plane.isHeld = true
      show.player.show(subtitles: plane)
      try await show.show(at: 1)
      try await show.stage.wait(for: "the drawing to begin") { plane.waiting == 1 }
      show.view.close()
      try await show.stage.wait(for: "the surfaces to go") { show.compositor.surfaces.count <= 1 }
      plane.isHeld = false
      try await show.stage.wait(for: "the drawing to end") { plane.waiting == 0 }
      #expect(show.compositor.sentErrors == [])
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func memoryIsBoundedWhenTheCompositorKeepsIt() async throws {
      let show = try await Show(.standard.with { $0.releases = .withheld })
      // A new colour for every picture; all in one box.
      let plane = FakePlane(
        (0..<12).map {
          FakePlane.Line(
            $0 + 1, from: Double($0), to: Double($0) + 1, place: place, color: 0xFF00_0000 + UInt32($0))
        })
      show.player.show(subtitles: plane)
      try await show.show(at: 0)
      try await show.waitForSubtitles(true)
      for index in 1..<12 {
        plane.lines = [
          FakePlane.Line(100, from: 0, to: 1, place: place),
          FakePlane.Line(index, from: 0, to: 1, place: place, color: 0xFF00_0000 + UInt32(index)),
        ]
        try await show.stage.play(milliseconds: 5)
      }
      let memories = Set(
        show.compositor.requests("wl_shm_pool", "create_buffer").map { $0.object })
      #expect(memories.count <= 8)
      show.compositor.releases = .whenReplaced
      show.compositor.releaseBuffers()
      plane.lines = [FakePlane.Line(200, from: 0, to: 1, place: place, color: 0xFF00_FF00)]
      try await show.wait(forPixel: 30, 28, toBe: .pureGreen)
      #expect(show.compositor.violations == [])
      try await show.end()
    }
  }
}
