import KiteCore
import KiteSystem
import KiteViews
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

@testable import KiteOutput

extension CompositorConfiguration {
  /// One that reads YUV as BT.601 by itself and can be told these colours.
  fileprivate func told(_ numbers: RepresentedColors.Numbers...) -> CompositorConfiguration {
    with("wp_color_representation_manager_v1", version: 1).with { $0.representable = numbers }
  }
}

extension ColorDescription {
  fileprivate static let hd = ColorDescription(matrix: .bt709, range: .limited)
}

extension ViewTests {
  /// Colours are told with the buffer that they are for, and only where the compositor has said that it understands them.
  @MainActor struct ColorRepresentationTests {
    @Test(arguments: [true, false])
    func highDefinitionIsTakenAsItIsWhereItsColoursCanBeTold(isDmabuf: Bool) async throws {
      let configuration = isDmabuf ? CompositorConfiguration.dmabuf([.yuv420]) : .yuv
      let show = try await Show.dmabuf(configuration.told(.bt601, .bt709))
      try await show.show(FramePainter(color: .hd, width: 64, height: 36).quarters())
      // Read as BT.601 it would be another red.
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      try await show.wait(forPixel: 50, 30, toBe: .white)
      #expect(show.stage.video?.colors == RepresentedColors(numbers: .bt709, chromaLocation: 1))
      #expect(show.view.diagnostics.path == (isDmabuf ? .dmabuf : .shmDirect))
      #expect(show.view.diagnostics.isColorTold)
      #expect(show.compositor.violations == [] && show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func theRangeIsTold() async throws {
      let show = try await Show(.yuv.told(.bt601, .bt601Full))
      let color = ColorDescription(matrix: .smpte170m, range: .full, chromaLocation: .center)
      try await show.show(FramePainter(color: color, width: 64, height: 36).quarters())
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      #expect(show.stage.video?.colors == RepresentedColors(numbers: .bt601Full, chromaLocation: 2))
      #expect(show.view.diagnostics.path == .shmDirect)
      #expect(show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func whatWasNotAnnouncedIsConvertedAndSaid() async throws {
      let show = try await Show(.yuv.told(.bt709Full))
      try await show.show(FramePainter(color: .hd, width: 64, height: 36).quarters())
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      #expect(show.view.diagnostics.path == .shmConverted && !show.view.diagnostics.isColorTold)
      #expect(show.view.diagnostics.reason.contains("can't be told how to read the colours"))
      #expect(show.stage.video?.colors == RepresentedColors())
      // One that listens is not trusted to go on reading as before.
      try await show.show(FramePainter(color: .sd, width: 64, height: 36).quarters())
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      #expect(show.view.diagnostics.path == .shmConverted)
      #expect(show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func coloursChangeWithTheFrameThatTheyAreOf() async throws {
      let show = try await Show.dmabuf(.dmabuf([.yuv420]).told(.bt601, .bt709))
      let painters = [
        FramePainter(color: .hd, width: 64, height: 36), FramePainter(color: .sd, width: 64, height: 36),
      ]
      // No refresh and so no second commit can make good what came late.
      for round in 0..<6 {
        try await show.show(painters[round % 2].frame(round % 3 == 0 ? .pureRed : .pureGreen))
        try await show.wait(forPixel: 10, 5, toBe: round % 3 == 0 ? .pureRed : .pureGreen)
        #expect(show.stage.video?.colors.numbers == (round % 2 == 0 ? .bt709 : .bt601))
      }
      #expect(show.compositor.violations == [] && show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func whatDoesNotSuitABufferIsTakenBackBeforeIt() async throws {
      let configuration = CompositorConfiguration.dmabuf([.yuv420, .yuv444, .xrgb8888])
      let show = try await Show.dmabuf(configuration.told(.bt601, .bt709))
      let formats: [PixelFormat] = [.yuv420p, .yuv444p, .bgrx8888, .yuv420p, .bgrx8888, .yuv444p, .yuv420p]
      for format in formats {
        try await show.show(FramePainter(format, width: 64, height: 36, color: .hd).quarters())
        try await show.wait(forPixel: 10, 5, toBe: .pureRed)
        let colors = try #require(show.stage.video).colors
        #expect(colors.numbers == (format == .bgrx8888 ? nil : .bt709))
        #expect(colors.chromaLocation == (format == .yuv420p ? 1 : nil))
        #expect(show.view.diagnostics.isColorTold == (format != .bgrx8888))
      }
      #expect(show.compositor.violations == [] && show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func convertedPicturesAreNotSaidToBeYUV() async throws {
      let show = try await Show(.yuv.told(.bt709))
      for format in [PixelFormat.yuv420p, .yuv440p, .yuv420p] {
        try await show.show(FramePainter(format, width: 64, height: 36, color: .hd).quarters())
        try await show.wait(forPixel: 10, 5, toBe: .pureRed)
        #expect(show.view.diagnostics.path == (format == .yuv420p ? .shmDirect : .shmConverted))
      }
      #expect(show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func theNextRendererFindsNothingSaid() async throws {
      let show = try await Show.dmabuf(.dmabuf([.yuv420]).told(.bt709))
      let painter = FramePainter(color: .hd, width: 64, height: 36)
      for _ in 0..<4 {
        try await show.show(painter.quarters())
        try await show.wait(forPixel: 10, 5, toBe: .pureRed)
        // The old renderer still waits for its buffers when the new one commits.
        show.view.player = nil
        show.view.player = show.player
      }
      try await show.show(FramePainter(.yuv440p, width: 64, height: 36, color: .hd).quarters())
      try await show.stage.wait(for: "nothing said") { show.stage.video?.colors == RepresentedColors() }
      #expect(show.compositor.violations == [] && show.compositor.sentErrors == [])
      #expect(show.stage.errors.isEmpty)
      try await show.end()
    }

    @Test func theSurfaceMayEndFirst() async throws {
      let show = try await Show.dmabuf(.dmabuf([.yuv420]).told(.bt709))
      let painter = FramePainter(color: .hd, width: 64, height: 36)
      for _ in 0..<4 {
        try await show.show(painter.quarters())
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
