import KiteCore
import KiteViews
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

extension ViewTests {
  /// What is on the screen is the picture, at its place, with exact edges.
  @MainActor struct PictureTests {
    @Test func aConvertedFrameIsOnTheScreenAndCounted() async throws {
      let show = try await Show()
      let painter = FramePainter(width: 64, height: 36)
      try await show.show(painter.quarters())
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      let picture = try #require(show.compositor.screenshot())
      #expect(picture[60, 5].distance(to: .pureGreen) <= 8)
      #expect(picture[5, 30].distance(to: .pureBlue) <= 8)
      #expect(picture[60, 30].distance(to: .white) <= 8)
      try await show.waitUntilSettled()
      #expect(show.view.presentedFrames == 1)
      try await show.stage.wait(for: "hasPicture") { show.view.hasPicture }
      #expect(show.view.diagnostics.path == .shmConverted)
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test(arguments: [120, 150, 180, 240], [(64, 36), (853, 479), (101, 67)])
    func edgesAreExactAtEveryScale(scale: Int, size: (Int, Int)) async throws {
      let show = try await Show(.standard.with { $0.scale120 = scale }, width: size.0, height: size.1)
      let painter = FramePainter(width: 160, height: 90)
      try await show.show(painter.frame(.white))
      try await show.wait(forPixel: size.0 * scale / 240, size.1 * scale / 240, toBe: .white)
      let physical = PixelSize(
        width: (size.0 * scale + 60) / 120, height: (size.1 * scale + 60) / 120)
      let expected = try #require(
        PictureLayout(picture: PixelSize(width: 160, height: 90), in: physical, scaleMode: .fit)
      ).destination
      let video = try #require(show.stage.video)
      #expect(video.buffer?.width == physical.width && video.buffer?.height == physical.height)
      #expect(video.size == SurfaceSize(size.0, size.1))
      #expect(video.scale == 1)
      let (right, bottom) = (expected.x + expected.width, expected.y + expected.height)
      for (x, y) in [(expected.x, expected.y), (right - 1, expected.y), (right - 1, bottom - 1)] {
        #expect((show.compositor.pixel(x, y) ?? .black).distance(to: .white) <= 8, "at \(x), \(y)")
      }
      // One further out are the bars, or nothing at all.
      for (x, y) in [
        (expected.x - 1, expected.y), (right, bottom - 1), (expected.x, expected.y - 1), (right - 1, bottom),
      ] {
        #expect((show.compositor.pixel(x, y) ?? .black) == .black, "at \(x), \(y)")
      }
      #expect(show.compositor.sentErrors == [])
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test(arguments: [180, 240])
    func withoutAViewportTheBufferHasAWholeScale(scale: Int) async throws {
      let show = try await Show(
        .standard.without("wp_viewporter", "wp_fractional_scale_manager_v1").with { $0.scale120 = scale })
      try await show.show(FramePainter(width: 64, height: 36).quarters())
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      let video = try #require(show.stage.video)
      #expect(video.scale == 2)
      #expect(video.buffer?.width == 128 && video.buffer?.height == 72)
      #expect(video.size == SurfaceSize(64, 36))
      try await show.end()
    }

    @Test(arguments: [ScaleMode.fit, .fill, .stretch])
    func aPictureIsFittedAsAsked(mode: ScaleMode) async throws {
      let show = try await Show(width: 80, height: 40)
      show.view.scaleMode = mode
      // Square: half of the view when it is fitted, cut above and below when it fills.
      try await show.show(FramePainter(width: 40, height: 40).quarters())
      try await show.wait(forPixel: 28, 8, toBe: .pureRed)
      let picture = try #require(show.compositor.screenshot())
      let bounds = try #require(picture.bounds())
      #expect(bounds == (mode == .fit ? (20, 0, 60, 40) : (0, 0, 80, 40)))
      #expect(picture[45, 35].distance(to: .white) <= 8)
      try await show.end()
    }

    @Test func theBackgroundIsOneBlackPixelAndTheSurfacesAreOpaque() async throws {
      let show = try await Show(width: 320, height: 200)
      try await show.show(FramePainter(width: 32, height: 20).frame(.white))
      try await show.stage.play(milliseconds: 10)
      let background = try #require(show.compositor.window?.surface)
      #expect(background.buffer?.width == 1 && background.buffer?.memory == nil)
      #expect(background.opaqueRegion.contains { $0.covers(background.size) })
      let video = try #require(show.stage.video)
      #expect(video.opaqueRegion.contains { $0.covers(video.size) })
      #expect(video.inputRegion == [])
      try await show.end()
    }

    @Test(arguments: [PixelFormat.yuv420p, .nv12, .yuv422p, .yuv444p, .yuv420p10, .p010])
    func everyFormatComesOutInItsColours(format: PixelFormat) async throws {
      // A compositor that knows dmabufs draws with a GPU, which takes 10 bits as easily as 8.
      let show = try await Show(
        .standard.with {
          $0.shmFormats.append(ShmFormat.xrgb2101010.fourcc)
          $0.namesOnly = ["zwp_linux_dmabuf_v1"]
        })
      try await show.show(FramePainter(format, width: 64, height: 36, padding: 4).quarters())
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      let picture = try #require(show.compositor.screenshot())
      #expect(picture[54, 5].distance(to: .pureGreen) <= 8)
      #expect(picture[10, 30].distance(to: .pureBlue) <= 8)
      #expect(picture[63, 35].distance(to: .white) <= 8 && picture[63, 0].distance(to: .pureGreen) <= 8)
      let isDeep = format.bitDepth > 8
      #expect(show.stage.video?.buffer?.memory?.format == (isDeep ? .xrgb2101010 : .xrgb8888))
      try await show.end()
    }
  }
}
