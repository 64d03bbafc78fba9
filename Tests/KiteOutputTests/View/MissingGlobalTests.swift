import KiteCore
import KiteOutput
import KiteSystem
import KiteViews
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

extension ViewTests {
  /// Each global may be missing: a picture all the same, or one error that names it.
  @MainActor struct MissingGlobalTests {
    @Test(arguments: [
      "wp_viewporter", "wp_presentation", "wp_fractional_scale_manager_v1",
      "wp_single_pixel_buffer_manager_v1", "zwp_idle_inhibit_manager_v1", "wp_content_type_manager_v1",
      "zxdg_decoration_manager_v1", "wl_output",
    ])
    func thePictureIsShownWithout(interface: String) async throws {
      let show = try await Show(.standard.without(interface))
      try await show.show(FramePainter(width: 64, height: 36).quarters())
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      try await show.wait(forPixel: 60, 30, toBe: .white)
      try await show.waitUntilSettled()
      #expect(show.view.presentedFrames == 1)
      #expect(show.compositor.sentErrors == [])
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func aSeatWithoutDevicesIsNoMatter() async throws {
      let show = try await Show(.standard.with("wl_seat", version: 7))
      try await show.stage.wait(for: "the seat") { show.stage.connection.seats.first?.name == "seat0" }
      try await show.show(FramePainter(width: 64, height: 36).quarters())
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      #expect(show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func theOldestVersionsOfAllGlobalsAreEnough() async throws {
      let oldest = CompositorConfiguration(globals: [
        "wl_compositor": 1, "wl_subcompositor": 1, "wl_shm": 1, "xdg_wm_base": 1, "wl_output": 1,
      ])
      let show = try await Show(oldest)
      try await show.show(FramePainter(width: 64, height: 36).quarters())
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      show.compositor.resizeWindows(width: 128, height: 72)
      try await show.wait(forPixel: 120, 5, toBe: .pureGreen)
      #expect(show.compositor.sentErrors == [])
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test(arguments: 1...6) func everyVersionOfTheCompositorServes(version: Int) async throws {
      let show = try await Show(
        .standard.with("wl_compositor", version: UInt32(version))
          .with("xdg_wm_base", version: UInt32(version)))
      try await show.show(FramePainter(width: 64, height: 36).quarters())
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      try await show.end()
    }

    @Test(arguments: ["wl_compositor", "xdg_wm_base"])
    func aWindowNeeds(interface: String) async throws {
      let stage = try Stage(.standard.without(interface))
      #expect {
        _ = try Window(
          stage.connection, title: "", appID: "", size: LogicalSize(width: 64, height: 36))
      } throws: {
        Self.isMissing(interface, $0)
      }
      stage.connection.close()
    }

    @Test func aViewNeedsASubcompositor() async throws {
      let stage = try Stage(.standard.without("wl_subcompositor"))
      let window = try Window(
        stage.connection, title: "", appID: "", size: LogicalSize(width: 64, height: 36))
      #expect {
        _ = try KitePlayerView(in: window)
      } throws: {
        Self.isMissing("wl_subcompositor", $0)
      }
      window.close()
      stage.connection.close()
    }

    @Test func withoutSharedMemoryTheViewSaysSo() async throws {
      // Once in full, and then so often that what each leaves behind is more than other suites have open meanwhile.
      try await showWithoutSharedMemory()
      let sockets = ProcessFacts.openFiles["socket:"] ?? 0
      for _ in 0..<60 { try await showWithoutSharedMemory() }
      // The renderer that could not start keeps nothing, the connection least of all.
      let deadline = MonotonicTime.now + 30_000_000_000
      while ProcessFacts.openFiles["socket:"] ?? 0 > sockets + 40, .now < deadline {
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(ProcessFacts.openFiles["socket:"] ?? 0 <= sockets + 40)
    }

    private func showWithoutSharedMemory() async throws {
      let stage = try Stage(.standard.without("wl_shm"))
      let window = try Window(
        stage.connection, title: "", appID: "", size: LogicalSize(width: 64, height: 36))
      let view = try KitePlayerView(in: window)
      view.rendererFactory = StandardRendererFactory()
      let player = FakePlayer()
      view.player = player
      try window.show()
      try await stage.wait(for: "the window") { stage.compositor.window?.surface.isMapped == true }
      try player.show(FramePainter(width: 64, height: 36).frame(.white))
      try await stage.wait(for: "the reason", detail: "\(view.diagnostics)") {
        view.diagnostics.reason.contains("wl_shm")
      }
      try await stage.wait(for: "the frame's fate") { view.framesInFlight == 0 }
      view.close()
      window.close()
      stage.connection.close()
    }

    /// Whether an error is the typed one for a global that is not there.
    private static func isMissing(_ interface: String, _ error: any Error) -> Bool {
      if case .missingGlobal(interface, _) = error as? ToolkitError { true } else { false }
    }
  }
}
