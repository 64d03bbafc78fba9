import Foundation
import KiteCore
import KiteFFmpeg
import TestMedia
import Testing

extension SourceTests {
  /// Files that are still being written while they are played.
  @Suite(.timeLimit(.minutes(5))) struct GrowingFileTests {
    @Test func whatIsWrittenLaterIsPlayedToo() async throws {
      let place = try TestPlace()
      let whole = try TestClip.servedTS.data()
      let path = place.folder.appendingPathComponent("growing.ts").path
      #expect(FileManager.default.createFile(atPath: path, contents: whole.prefix(8192)))
      try makeFresh(path)
      let playing = Playing { $0.growthTimeout = MediaTime(seconds: 600) }
      Thread.detachNewThread {
        let writer = FileHandle(forWritingAtPath: path)
        _ = try? writer?.seekToEnd()
        for start in stride(from: 8192, to: whole.count, by: 4096) {
          try? writer?.write(contentsOf: whole[start..<min(start + 4096, whole.count)])
          usleep(5000)
        }
        try? writer?.close()
      }
      try await playing.player.open(MediaLocation(path), playsWhenReady: true)
      #expect(await eventually { playing.isPlayed(75) })
      #expect(playing.player.error == nil)
      // It waits for more still.
      #expect(playing.player.status != .ended)
      playing.player.close()
    }

    @Test func aFileThatGrowsNoMoreEnds() async throws {
      let place = try TestPlace()
      let whole = try TestClip.servedTS.data()
      let path = place.folder.appendingPathComponent("grown.ts").path
      #expect(FileManager.default.createFile(atPath: path, contents: whole))
      try makeFresh(path)
      let playing = Playing { $0.growthTimeout = MediaTime(seconds: 0.2) }
      try await playing.player.open(MediaLocation(path), playsWhenReady: true)
      #expect(await playing.waitsForEnd())
      #expect(playing.player.status == .ended)
      #expect(playing.isPlayed(75))
    }

    /// As if it was written to this moment, however long the test takes to come to its end.
    private func makeFresh(_ path: String) throws {
      let date = Date().addingTimeInterval(3600)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }
  }
}
