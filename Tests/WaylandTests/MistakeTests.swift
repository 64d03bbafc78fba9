import TestCompositor
import Testing
import Wayland

/// A program's mistakes stop it in debug builds and do nothing in release builds.
@Suite struct MistakeTests {
  #if DEBUG
    @Test func aRequestToADestroyedObjectStopsADebugBuild() async {
      await #expect(processExitsWith: .failure) {
        let pair = try Pair(Kept().offer)
        let surface = try pair.bind(WlCompositor.self).createSurface()
        surface.destroy()
        surface.commit()
      }
    }

    @Test func aRequestNewerThanTheObjectStopsADebugBuild() async {
      await #expect(processExitsWith: .failure) {
        let pair = try Pair(Kept().offer)
        let compositor = pair.registry.bind(WlCompositor.self, versions: 1...1)
        compositor?.createSurface().damageBuffer(x: 0, y: 0, width: 1, height: 1)
      }
    }

    @Test func destroyingThroughAWrapperStopsADebugBuild() async {
      await #expect(processExitsWith: .failure) {
        let pair = try Pair(Kept().offer)
        let surface = try pair.bind(WlCompositor.self).createSurface()
        if let handle = surface.handle { pair.queue.wrap(handle).destroy() }
      }
    }
  #else
    @Test func mistakesAreIgnoredInAReleaseBuild() throws {
      let kept = Kept()
      let pair = try Pair(kept.offer)
      let old = try #require(pair.registry.bind(WlCompositor.self, versions: 1...1)).createSurface()
      old.damageBuffer(x: 0, y: 0, width: 1, height: 1)
      if let handle = old.handle { pair.queue.wrap(handle).destroy() }
      old.destroy()
      old.commit()
      #expect(!old.frame().isAlive)
      try pair.settle()
      #expect(kept.requests == ["destroy"])
    }
  #endif
}
