import KiteCore
import KiteSystem
import KiteViews
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

extension CompositorConfiguration {
  /// A compositor that takes YUV memory, and reads it as BT.601 as Weston does.
  static let yuv = CompositorConfiguration.standard.with {
    $0.namesOnly = ["weston_desktop_shell"]
    let formats: [ShmFormat] = [.yuv420, .yuv422, .yuv444, .nv12, .p010]
    $0.shmFormats += formats.map(\.fourcc)
  }
}

extension ColorDescription {
  /// What a compositor that reads BT.601 shows right.
  static let sd = ColorDescription(matrix: .smpte170m, range: .limited)
}

extension FramePainter {
  convenience init(color: ColorDescription, width: Int, height: Int) {
    self.init(.yuv420p, width: width, height: height, color: color)
  }
}

extension ViewTests {
  /// The memory that a decoder wrote is the buffer: nothing is copied, and it is described as it lies.
  @MainActor struct DirectPathTests {
    @Test(arguments: [PixelFormat.yuv420p, .nv12, .yuv422p, .yuv444p, .p010])
    func theBufferIsTheDecodersMemory(format: PixelFormat) async throws {
      let show = try await Show(.yuv)
      let painter = FramePainter(format, width: 70, height: 38, padding: 6, color: .sd)
      let frame = try painter.quarters()
      guard case .shared(let memory) = frame.memory else { return }
      let identity = try #require(MemoryIdentity(descriptor: memory.descriptor))
      show.compositor.resizeWindows(width: 70, height: 38)
      try await show.show(frame)
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      let buffer = try #require(show.stage.video?.buffer)
      let place = try #require(buffer.memory)
      #expect(place.identity == identity)
      #expect(place.offset == 0 && place.stride == painter.stride)
      #expect(place.format.fourcc == format.fourcc)
      #expect(buffer.width == 76 && buffer.height == 44)
      #expect(show.view.diagnostics.path == .shmDirect)
      #expect(show.view.diagnostics.reason == "The compositor has no linux-dmabuf.")
      #expect(show.compositor.sentErrors == [])
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func onlyThePictureIsShownAndFitted() async throws {
      let show = try await Show(.yuv, width: 120, height: 60)
      // Twice as wide as the view's shape: bars above and below. What pads the frame is white.
      try await show.show(FramePainter(width: 60, height: 20, padding: 8, color: .sd).frame(.pureBlue))
      try await show.wait(forPixel: 60, 30, toBe: .pureBlue)
      let video = try #require(show.stage.video)
      #expect(video.source == SourceRect(0, 0, 60, 20))
      #expect(video.destination == SurfaceSize(120, 40))
      try await show.wait(forPixel: 60, 5, toBe: .black)
      let bounds = try #require(show.compositor.screenshot()?.bounds())
      #expect(bounds == (0, 10, 120, 50))
      for (x, y) in [(0, 10), (119, 10), (0, 49), (119, 49)] {
        #expect(try #require(show.stage.pixel(x, y)).distance(to: .pureBlue) <= 8)
      }
      try await show.end()
    }

    @Test func aFilledViewCutsTheSource() async throws {
      let show = try await Show(.yuv, width: 40, height: 40)
      show.view.scaleMode = .fill
      try await show.show(FramePainter(width: 80, height: 40, padding: 8, color: .sd).quarters())
      try await show.wait(forPixel: 10, 10, toBe: .pureRed)
      let video = try #require(show.stage.video)
      #expect(video.source == SourceRect(20, 0, 40, 40))
      #expect(video.destination == SurfaceSize(40, 40))
      #expect(try #require(show.stage.pixel(30, 30)).distance(to: .white) <= 8)
      try await show.end()
    }

    @Test(arguments: Orientation.Rotation.allCases, [false, true])
    func aTurnedFrameComesOutUpright(rotation: Orientation.Rotation, isMirrored: Bool) async throws {
      let orientation = Orientation(rotation: rotation, isMirrored: isMirrored)
      let direct = try await corners(of: orientation, .yuv)
      let converted = try await corners(of: orientation, .standard)
      #expect(direct == converted)
      #expect(direct == Self.turned(orientation))
    }

    /// The quarters of the screen, by the number of the frame's quarter that they show.
    private func corners(
      of orientation: Orientation, _ configuration: CompositorConfiguration
    ) async throws -> [Int] {
      let size = orientation.swapsAxes ? (width: 36, height: 64) : (width: 64, height: 36)
      let show = try await Show(configuration, width: size.width, height: size.height)
      let colors: [Picture.Pixel] = [.pureRed, .pureGreen, .pureBlue, .white]
      let painter = FramePainter(width: 64, height: 36, padding: 8, color: .sd, orientation: orientation)
      try await show.show(painter.quarters(colors))
      try await show.stage.wait(for: "a picture") { show.stage.pixel(5, 5).map { $0 != .black } == true }
      let places = [(8, 8), (size.width - 8, 8), (8, size.height - 8), (size.width - 8, size.height - 8)]
      let shown = places.map { place in
        colors.firstIndex { (show.stage.pixel(place.0, place.1) ?? .black).distance(to: $0) <= 12 } ?? -1
      }
      #expect(show.compositor.sentErrors == [])
      #expect(show.compositor.violations == [])
      #expect(show.view.diagnostics.path == (configuration.namesOnly.isEmpty ? .shmConverted : .shmDirect))
      try await show.end()
      return shown
    }

    /// Mirrors left to right, then turns clockwise.
    private static func turned(_ orientation: Orientation) -> [Int] {
      var quarters = orientation.isMirrored ? [1, 0, 3, 2] : [0, 1, 2, 3]
      for _ in 0..<(orientation.rotation.rawValue / 90) {
        quarters = [quarters[2], quarters[0], quarters[3], quarters[1]]
      }
      return quarters
    }

    @Test func oneBufferServesAMemoryForEver() async throws {
      let show = try await Show(.yuv, hertz: 240)
      let painter = FramePainter(width: 64, height: 36, color: .sd, limit: 6)
      var shown = 0
      while shown < 60 {
        // A decoder waits for memory to come back.
        if let frame = try? painter.frame(.gray(shown * 4)) {
          show.player.show(frame)
          shown += 1
        }
        try await show.stage.play(milliseconds: 6)
      }
      try await show.waitUntilSettled()
      #expect(show.view.frameCounts.accepted == 60 && show.view.failedFrames == 0)
      // Six memories and the black pixel.
      #expect(show.compositor.counts.buffersMade <= 7)
      #expect(show.compositor.counts.poolsMade <= 6)
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func aFrameThatIsShownIsNotGivenBackToTheDecoder() async throws {
      let show = try await Show(.yuv.with { $0.releases = .withheld }, hertz: 240)
      let painter = FramePainter(width: 64, height: 36, color: .sd, limit: 8)
      for level in [10, 20, 30] {
        try await show.show(painter.frame(.gray(level)))
        try await show.stage.play(milliseconds: 10)
      }
      #expect(painter.pool.slotsOnLoan == 3)
      show.compositor.releases = .whenReplaced
      try await show.stage.wait(for: "the releases") { painter.pool.slotsOnLoan == 1 }
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func coloursThatTheCompositorReadsWrongAreConverted() async throws {
      let show = try await Show(.yuv)
      let painter = FramePainter(
        width: 64, height: 36, color: ColorDescription(matrix: .bt709, range: .limited))
      try await show.show(painter.quarters())
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      #expect(show.view.diagnostics.path == .shmConverted)
      #expect(show.view.diagnostics.reason.contains("wrong colours"))
      try await show.end()
    }

    @Test func theWayIsChosenForEachFrame() async throws {
      let show = try await Show(.yuv, hertz: 240)
      let sd = FramePainter(width: 64, height: 36, color: .sd)
      let hd = FramePainter(width: 128, height: 72, color: ColorDescription(matrix: .bt709, range: .limited))
      for _ in 0..<5 {
        try show.player.show(sd.frame(.pureRed))
        try await show.wait(forPixel: 30, 18, toBe: .pureRed)
        #expect(show.view.diagnostics.path == .shmDirect)
        try show.player.show(hd.frame(.pureGreen))
        try await show.wait(forPixel: 30, 18, toBe: .pureGreen)
        #expect(show.view.diagnostics.path == .shmConverted)
      }
      #expect(show.compositor.sentErrors == [])
      #expect(show.compositor.violations == [])
      try await show.end()
    }
  }
}
