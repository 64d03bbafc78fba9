import KiteOutput
import KiteViews
import TestCompositor
import Testing
import ViewStage

extension ViewTests {
  /// The compositor hears that the video surface shows a video, and nothing that would have it tear.
  @MainActor struct ContentTypeTests {
    /// `wp_content_type_v1.type.video`.
    private static let video: UInt32 = 2

    @Test func theVideoSurfaceAndNoOtherIsSaidToShowVideo() async throws {
      let show = try await Show(.standard.with { $0.namesOnly.append("wp_tearing_control_manager_v1") })
      let painter = FramePainter(width: 64, height: 36)
      for _ in 0..<3 {
        try await show.show(painter.quarters())
        #expect(show.stage.video?.contentType == Self.video)
      }
      let others = show.compositor.surfaces.filter { $0.number != show.stage.video?.number }
      #expect(!others.isEmpty && others.allSatisfy { $0.contentType == 0 })
      #expect(show.compositor.requests("wp_content_type_v1", "set_content_type").count == 1)
      let bound = show.compositor.requests("wl_registry", "bind").flatMap(\.arguments)
      #expect(!bound.contains { "\($0)".contains("wp_tearing_control") })
      #expect(show.compositor.sentErrors == [])
      try await show.end()
    }

    /// A surface has one such object: the next renderer would find the former's.
    @Test func theEndOfARendererTakesItBackBeforeTheNextOneAndTheSurfacesEnd() async throws {
      let show = try await Show()
      let painter = FramePainter(width: 64, height: 36)
      for _ in 0..<3 {
        try await show.show(painter.quarters())
        show.view.player = nil
        show.view.player = show.player
      }
      try await show.show(painter.quarters())
      #expect(show.stage.video?.contentType == Self.video)
      let id = try #require(show.stage.video).id
      show.view.close()
      try await show.stage.wait(for: "the end of the surface") { show.stage.video == nil }
      let ends = show.compositor.messages.filter { $0.isRequest && $0.name == "destroy" }
      let content = try #require(ends.lastIndex { $0.interface == "wp_content_type_v1" })
      let surface = try #require(ends.lastIndex { $0.interface == "wl_surface" && $0.object == id })
      #expect(content < surface)
      #expect(ends.count { $0.interface == "wp_content_type_v1" } == 4)
      #expect(show.compositor.sentErrors == [] && show.stage.errors.isEmpty)
      try await show.end()
    }

    @Test func withoutTheProtocolNothingIsSaid() async throws {
      let show = try await Show(.standard.without("wp_content_type_manager_v1"))
      try await show.show(FramePainter(width: 64, height: 36).quarters())
      #expect(show.stage.video?.contentType == 0)
      try await show.end()
    }
  }
}
