import Foundation
import TestDisplay
import TestMedia
import Testing

extension EndToEnd {
  /// Playing on and on. Twenty seconds; ten minutes with `.setup/test --long`.
  @Suite(.needs(.weston), .compositor(.weston, 640, 400)) struct Endurance {
    /// Files of ten seconds, one after the other in one process.
    private static let files = ProcessInfo.processInfo.environment["KITE_LONG_TESTS"] == nil ? 2 : 60

    /// What a process holds, as the kernel counts it.
    private struct Holdings {
      let kilobytes: Int
      let descriptors: Int

      /// Nil once the process has ended.
      init?(of process: ChildProcess) {
        let folder = "/proc/\(process.id)"
        guard let status = try? String(contentsOfFile: "\(folder)/status", encoding: .utf8),
          let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
          let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }),
          let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd").count
        else { return nil }
        self.kilobytes = kilobytes
        self.descriptors = descriptors
      }
    }

    @Test func memoryAndDescriptorsStayFlatOverManyFiles() async throws {
      let session = try #require(CompositorSession.current)
      let clip = try TestClip.tenSeconds.path()
      let player = try PlayerProcess(
        ["--stats"] + Array(repeating: clip, count: Self.files), in: session)
      let end = ContinuousClock.now + .seconds(Self.files * 10 + 60)
      var samples: [Holdings] = []
      while ContinuousClock.now < end, player.process.poll() == nil {
        if let sample = Holdings(of: player.process) { samples.append(sample) }
        try await Task.sleep(for: .milliseconds(500))
      }
      #expect(await player.ending() == .exited(0))
      let ledger = try #require(player.ledger, "\(player.process.errors)")
      #expect(ledger.presented + ledger.superseded + ledger.failed + ledger.inFlight == ledger.accepted)
      #expect(ledger.accepted > Self.files * 100, "\(ledger)")
      // The first file fills pools and caches; two boundaries of files are allowed for in the descriptors.
      let warm = samples.prefix(18)
      let later = samples.dropFirst(18)
      let memory = try #require(warm.map(\.kilobytes).max())
      let descriptors = try #require(warm.map(\.descriptors).max())
      #expect(!later.isEmpty)
      if Sanitizer.hidesGrowth {
        print("memoryAndDescriptorsStayFlatOverManyFiles: under a sanitizer only descriptors are counted")
      } else {
        #expect((later.map(\.kilobytes).max() ?? 0) <= memory + 8 * 1024, "KB at first: \(memory)")
      }
      #expect((later.map(\.descriptors).max() ?? 0) <= descriptors + 16, "at first: \(descriptors)")
      #expect((samples.suffix(4).map(\.descriptors).min() ?? .max) <= descriptors, "at first: \(descriptors)")
    }
  }
}
