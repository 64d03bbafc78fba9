import Foundation
import KiteCore
import KiteFFmpeg
import KiteSystem
import TestMedia
import Testing

/// Prints what opening and decoding cost on this machine; asserts nothing about time. docs/decoding.md has its numbers.
@Suite(
  .serialized,
  .enabled(
    if: ProcessInfo.processInfo.environment["KITE_MEASURE"] != nil,
    "Measures only when KITE_MEASURE is set: the numbers need a machine that does nothing else."))
struct DecodingCostTests {
  @Test(arguments: [TestClip.h2641080p30, .h2641080p60, .h2642160p30, .hevc10, .vp9, .av1], [1, 2, 3, 4])
  func decoding(clip: TestClip, threads: Int) throws {
    let path = try clip.path()
    let pool = FramePool(limit: 64)
    let source = try FFmpegBackend().open(MediaLocation(path), interrupt: InterruptFlag())
    let track = try Decoding.videoTrack(of: source)
    source.select([track.id])
    let decoder = try source.makeVideoDecoder(
      for: track.id, options: VideoDecoderOptions(pool: pool, threadCount: threads))
    let (wall, cpu) = (nanoseconds(CLOCK_MONOTONIC), nanoseconds(CLOCK_PROCESS_CPUTIME_ID))
    var count = 0
    var firstFrame = 0.0
    var slots = 0
    reading: while true {
      switch try decoder.receive() {
      case .frame(let frame):
        count += 1
        if count == 1 { firstFrame = Double(nanoseconds(CLOCK_MONOTONIC) - wall) / 1e6 }
        slots = max(slots, pool.slotsOnLoan)
        _ = frame.properties
      case .needsInput: try decoder.send(try source.readPacket())
      case .ended: break reading
      }
    }
    let frames = Double(max(1, count))
    let wallMS = Double(nanoseconds(CLOCK_MONOTONIC) - wall) / 1e6 / frames
    let cpuMS = Double(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) / 1e6 / frames
    print(
      String(
        format: "MEASURED %@ threads %d: %.2f ms CPU, %.2f ms wall a frame; first after %.1f ms; %d slots",
        clip.fileName, threads, cpuMS, wallMS, firstFrame, slots))
    #expect(count > 0)
  }

  @Test(arguments: [
    TestClip.h2641080p30, .h264Matroska, .h264TransportStream, .hevc10, .vp9, .av1, .mpeg4, .fragmented,
  ])
  func opening(clip: TestClip) throws {
    let path = try clip.path()
    var times: [Double] = []
    for _ in 0..<15 {
      let start = nanoseconds(CLOCK_MONOTONIC)
      let source = try FFmpegBackend().open(MediaLocation(path), interrupt: InterruptFlag())
      times.append(Double(nanoseconds(CLOCK_MONOTONIC) - start) / 1e6)
      #expect(!source.tracks.isEmpty)
    }
    times.sort()
    print(
      String(
        format: "MEASURED opening %@: median %.2f ms, best %.2f ms", clip.fileName, times[times.count / 2],
        times[0]))
  }
}

private func nanoseconds(_ clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
