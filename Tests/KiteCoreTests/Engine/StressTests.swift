import Glibc
import KiteSystem
import Synchronization
import Testing

@testable import KiteCore

@Suite struct StressTests {
  /// The same sequence for the same seed (SplitMix64).
  private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private static func makeBackend() -> FakeBackend {
    let backend = FakeBackend(.video(count: 200, rate: 500))
    backend["short"] = .video(count: 3, rate: 1000)
    backend["damaged"] = .video(count: 50, rate: 500) { $1.isDamaged = $0 % 3 == 0 }
    var broken = FakeMedia.video(count: 5, rate: 1000)
    broken.readError = MediaError(kind: .unreadable, subject: "broken", reason: "broke")
    backend["broken"] = broken
    var sound = FakeMedia()
    sound.hasVideo = false
    sound.hasAudio = true
    sound.duration = .ms(20)
    backend["sound"] = sound
    var hanging = FakeMedia.video(count: 10)
    hanging.readGates[5] = Gate()
    backend["hanging"] = hanging
    return backend
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64]) func randomUseFromTwoThreads(seed: UInt64) async {
    let backend = Self.makeBackend()
    let player = KitePlayer(backend: backend)
    let log = StateLog(player)
    let renderers = (0..<4).map { _ in FakeRenderer() }
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<2 as Range<UInt64> {
        group.addTask {
          var dice = Dice(state: seed * 2 + worker)
          for _ in 0..<50 {
            Self.step(player, renderers: renderers, &dice)
            if Int.random(in: 0..<4, using: &dice) == 0 { try? await Task.sleep(for: .milliseconds(2)) }
          }
        }
      }
    }
    for renderer in renderers { player.detach(renderer) }
    for renderer in renderers { renderer.isDetached.store(true, ordering: .releasing) }
    player.startOpening("film", playsWhenReady: true)
    #expect(await eventually { player.status == .playing || player.status == .ended })
    player.close()
    #expect(player.status == .idle)
    #expect(await eventually { backend.counts.living == 0 })
    #expect(renderers.allSatisfy { $0.violations.load(ordering: .relaxed) == 0 })
    log.check()
  }

  private static func step(_ player: KitePlayer, renderers: [FakeRenderer], _ dice: inout Dice) {
    let renderer = renderers[Int.random(in: 0..<renderers.count, using: &dice)]
    switch Int.random(in: 0..<12, using: &dice) {
    case 0: player.startOpening("film", playsWhenReady: Bool.random(using: &dice))
    case 1:
      let all: [MediaLocation] = ["film", "short", "damaged", "broken", "sound", "hanging", "none"]
      player.startOpening(all[Int.random(in: 0..<all.count, using: &dice)], playsWhenReady: true)
    case 2, 3: player.play()
    case 4: player.pause()
    case 5, 6: player.attach(renderer)
    case 7, 8: player.detach(renderer)
    case 9: player.close()
    case 10: _ = (player.position, player.statistics, player.tracks, player.state)
    default:
      let stream = player.stateChanges()
      Task { for await _ in stream { break } }
    }
  }
}
