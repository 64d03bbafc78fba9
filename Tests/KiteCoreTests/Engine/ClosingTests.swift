import Glibc
import KiteSystem
import Testing

@testable import KiteCore

/// One after the other: they count the threads and descriptors of the process by name.
@Suite(.serialized) struct ClosingTests {
  @Test func closingEndsTheThreads() async throws {
    let backend = FakeBackend()
    // So patient that the machine's load makes no difference.
    let player = KitePlayer(backend: backend, time: KernelTime.shared, patience: 60_000_000_000)
    try await player.open("film", playsWhenReady: true)
    let engine = try #require(player.engine)
    #expect(engine.monitor.withLock { $0.threads } == 3)
    player.close()
    #expect(engine.monitor.withLock { $0.threads } == 0)
    #expect(await eventually { backend.counts.living == 0 })
    player.close()
    #expect(player.status == .idle)
  }

  @Test func theLastReferenceCloses() async throws {
    let backend = FakeBackend()
    var player: KitePlayer? = KitePlayer(backend: backend)
    try await player?.open("film", playsWhenReady: true)
    weak let engine = player?.engine
    player = nil
    #expect(await eventually { engine == nil && backend.counts.living == 0 })
  }

  @Test(arguments: [true, false])
  func closingDoesNotWaitForASourceThatHangs(inOpen: Bool) async throws {
    let gate = Gate()
    var media = FakeMedia.video(count: 100)
    media.heedsInterrupt = false
    if inOpen { media.openGate = gate } else { media.readGates[20] = gate }
    let backend = FakeBackend(media)
    var player: KitePlayer? = KitePlayer(backend: backend)
    if inOpen {
      player?.startOpening("film")
    } else {
      try await player?.open("film", playsWhenReady: true)
    }
    weak let engine = player?.engine
    // It returns though the gate is shut: that is the test.
    player?.close()
    #expect(player?.status == .idle)
    #expect(!gate.isOpen)
    player = nil
    gate.open()
    #expect(await eventually { engine == nil && backend.counts.living == 0 })
  }

  @Test(arguments: [true, false])
  func closingInterruptsASourceThatBlocks(inOpen: Bool) async throws {
    let gate = Gate()
    var media = FakeMedia.video(count: 100)
    if inOpen { media.openGate = gate } else { media.readGates[20] = gate }
    let backend = FakeBackend(media)
    let player = KitePlayer(backend: backend)
    player.startOpening("film", playsWhenReady: true)
    #expect(await eventually { player.status == (inOpen ? .opening : .buffering) })
    player.close()
    #expect(await eventually { backend.counts.living == 0 })
  }

  @Test func nothingIsLeftAfterManyItems() async throws {
    let descriptors = try countOfDescriptors()
    let backend = FakeBackend(.video(count: 100, rate: 500))
    var engines: [WeakEngine] = []
    for round in 0..<50 {
      let player = KitePlayer(backend: backend)
      let renderer = FakeRenderer()
      player.attach(renderer)
      try await player.open("film", playsWhenReady: round.isMultiple(of: 2))
      engines.append(WeakEngine(engine: player.engine))
      if round.isMultiple(of: 3) { try await player.open("film") }
      player.close()
      renderer.close()
    }
    #expect(await eventually { engines.allSatisfy { $0.engine == nil } })
    #expect(await eventually { backend.counts.living == 0 })
    // Other suites run beside this one and open a few.
    #expect(await eventually { (try? countOfDescriptors()) ?? .max < descriptors + 40 })
  }

  private struct WeakEngine {
    weak var engine: Engine?
  }

  private func countOfDescriptors() throws -> Int {
    let directory = try #require(opendir("/proc/self/fd"))
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
  }
}
