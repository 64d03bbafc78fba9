import KiteCore
import KiteOutput
import KiteViews
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

extension ViewTests {
  /// What is where no picture is.
  @MainActor struct BackgroundTests {
    private static let violet = Picture.Pixel(90, 20, 200)
    private let violet = SolidColor(red: 90, green: 20, blue: 200)

    @Test(arguments: [false, true]) func theBackgroundIsLiveAlsoUnderAPausedPicture(isDirect: Bool)
      async throws
    {
      let show = try await Show(isDirect ? .yuv : .standard, width: 120, height: 60)
      show.view.background = violet
      try await show.wait(forPixel: 60, 30, toBe: Self.violet)
      try await show.show(FramePainter(color: .sd, width: 60, height: 20).frame(.pureGreen))
      try await show.wait(forPixel: 60, 30, toBe: .pureGreen)
      try await show.wait(forPixel: 60, 5, toBe: Self.violet)
      try await show.wait(forPixel: 60, 55, toBe: Self.violet)
      show.view.background = .black
      try await show.wait(forPixel: 60, 5, toBe: .black)
      try await show.wait(forPixel: 60, 30, toBe: .pureGreen)
      show.view.background = SolidColor(red: 0, green: 0, blue: 0, alpha: 0)
      show.view.background = violet
      try await show.wait(forPixel: 60, 55, toBe: Self.violet)
      #expect(show.player.calls == ["attach"])
      try await show.waitUntilSettled()
      #expect(show.compositor.violations == [])
      #expect(show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func theBackgroundGoesWithTheViewToAnotherWindow() async throws {
      let show = try await Show()
      show.view.background = violet
      let target = try await show.stage.openWindow(width: 100, height: 50)
      try show.view.move(to: target)
      try await show.stage.wait(for: "the second window") { show.compositor.windows.count == 2 }
      let number = try #require(show.compositor.windows.last).surface.number
      try await show.stage.wait(for: "its colour") {
        show.compositor.pixel(50, 25, ofWindow: number) == Self.violet
      }
      show.view.close()
      show.view.background = .black
      target.close()
      #expect(show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func withoutAViewportItIsPaintedInFull() async throws {
      let show = try await Show(.standard.without("wp_viewporter"))
      show.view.background = violet
      try await show.wait(forPixel: 60, 30, toBe: Self.violet)
      show.compositor.resizeWindows(width: 90, height: 70)
      try await show.wait(forPixel: 88, 68, toBe: Self.violet)
      #expect(show.compositor.violations == [])
      #expect(show.compositor.sentErrors == [])
      try await show.end()
    }
  }
}
