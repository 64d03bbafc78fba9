import Foundation
import KiteCore
import KiteSystem
import KiteViews
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

extension ViewTests {
  /// Random events of every kind, one after the other; what must hold at every instant is looked at after each.
  ///
  /// 5,000 with `.setup/test --long`, from a new seed each time; some hundreds else. `KITE_SOAK_SEED` and
  /// `KITE_SOAK_EVENTS` repeat a run.
  @MainActor struct SoakTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let isLong = environment["KITE_LONG_TESTS"] != nil
    private static let events = environment["KITE_SOAK_EVENTS"].flatMap { Int($0) } ?? (isLong ? 5000 : 400)
    private static let seed =
      environment["KITE_SOAK_SEED"].flatMap { UInt64($0) } ?? (isLong ? .random(in: 0...999_999) : 3)

    /// How often each kind of event comes, in parts.
    private enum Kind: CaseIterable {
      case frame, player, hide, show, resize, scale, suspend, factory, mood, failure, move, embed, frameMove
      case replace, looks, feedback, releases, callbacks, stall, discard, status, restart

      var parts: Int {
        switch self {
        case .frame: 30
        case .player, .hide, .show, .move, .embed, .stall: 8
        case .restart, .replace: 1
        default: 4
        }
      }

      static let wheel = allCases.flatMap { Array(repeating: $0, count: $0.parts) }
    }

    @Test func nothingThatHappensBreaksTheRules() async throws {
      var random = SeededRandom(Self.seed)
      let world = try await SoakWorld()
      var log: [String] = []
      for number in 0..<Self.events {
        let kind = Kind.wheel[random.next(below: Kind.wheel.count)]
        log.append("\(kind)")
        let context: Comment =
          "KITE_SOAK_SEED=\(Self.seed) KITE_SOAK_EVENTS=\(Self.events), event \(number): \(log.suffix(12).joined(separator: " "))"
        do {
          try await perform(kind, in: world, &random)
          try await world.stage.play(milliseconds: random.next(below: 4))
          // A compositor that hangs for long may end clients that go on talking.
          if world.stage.compositor.isStalled {
            world.stalledFor += 1
            if world.stalledFor > 6 { world.setStalled(false) }
          }
          world.check(context)
          if number % 100 == 99 { try await world.settle(context) }
        } catch {
          Issue.record(error, context)
          return
        }
      }
      try await world.settle("KITE_SOAK_SEED=\(Self.seed), the end")
      try await world.end()
    }

    private func perform(_ kind: Kind, in world: SoakWorld, _ random: inout SeededRandom) async throws {
      let compositor = world.stage.compositor
      let index = random.next(below: 3)
      let (view, window) = (world.views[index], world.windows[random.next(below: 3)])
      let anyWindow = world.windows[random.next(below: 4)]
      let player = world.players[random.next(below: 2)]
      switch kind {
      case .frame:
        // Some are for later, some late, some come in a burst.
        for _ in 0...random.next(below: 3) {
          guard let frame = try? SoakWorld.painter.frame(.gray(random.next(below: 250))) else { return }
          player.show(frame, at: .now + Int64(random.next(below: 30) - 10) * 1_000_000)
        }
      case .player: view.player = random.next(below: 4) == 0 ? nil : player
      case .hide: anyWindow.hide()
      case .show: try anyWindow.show()
      case .resize:
        compositor.resizeWindows(width: 40 + random.next(below: 80), height: 20 + random.next(below: 60))
      case .scale: compositor.setScale([120, 150, 180, 240][random.next(below: 4)])
      case .suspend: compositor.setSuspended(random.next(below: 2) == 0)
      case .factory:
        view.rendererFactory = random.next(below: 5) == 0 ? nil : world.factories[random.next(below: 2)]
      case .mood:
        let moods: [MoodyFactory.Mood] = [.works, .works, .works, .refuses, .fails]
        world.factories[random.next(below: 2)].mood = moods[random.next(below: moods.count)]
      case .failure: world.factories[random.next(below: 2)].report?(.failed(reason: "made up"))
      case .move: try view.move(to: window)
      case .embed: try world.embed(index)
      case .frameMove:
        let size = random.next(below: 4) == 0 ? 0 : 16 + random.next(below: 40)
        view.move(to: PixelRect(x: random.next(below: 20), y: 3, width: size, height: size))
      case .replace: try world.replaceView(index)
      case .looks:
        view.scaleMode = [.fit, .fill, .stretch][random.next(below: 3)]
        view.background = SolidColor(red: UInt8(random.next(below: 256)), green: 10, blue: 20)
        view.clearsOnPlayerChange = random.next(below: 2) == 0
        view.prefersDmabuf = random.next(below: 2) == 0
        view.keepsDisplayAwake = random.next(below: 2) == 0
      case .feedback:
        compositor.feedback = [.answered, .answered, .discarded, .withheld][random.next(below: 4)]
        if random.next(below: 2) == 0 { compositor.answerFeedback(reversed: random.next(below: 2) == 0) }
      case .releases: compositor.releases = [.whenReplaced, .atOnce, .withheld][random.next(below: 3)]
      case .callbacks: compositor.withholdsFrameCallbacks = random.next(below: 3) == 0
      case .stall: world.setStalled(random.next(below: 3) == 0)
      case .discard: player.discardPending()
      case .status: random.next(below: 2) == 0 ? player.play() : player.pause()
      case .restart: try await world.restartCompositor()
      }
    }
  }
}
