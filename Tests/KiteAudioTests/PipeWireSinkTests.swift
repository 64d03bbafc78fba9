import Foundation
import KiteCore
import KiteSystem
import Testing

@testable import KiteAudio

/// Against a real daemon, real session manager and a sink without a device.
@Suite(.serialized, .enabled(if: SoundServer.obstacle == nil, "\(SoundServer.obstacle ?? "")"))
struct PipeWireSinkTests {
  private let format = AudioFormat(sampleRate: 48000, channelCount: 2)

  private func makeSink(_ server: SoundServer) -> any AudioSink {
    PipeWireSinkFactory(socket: server.socket).makeSink(for: format)
  }

  /// Waits at most 20 s.
  private func eventually(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<4000 {
      if condition() { return true }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return false
  }

  /// Keeps `sink` full of a tone, with a click at the start of each half second, until `condition` holds.
  private func play(_ sink: any AudioSink, from frame: inout Int64, until condition: () -> Bool) async -> Bool
  {
    for _ in 0..<4000 {
      if condition() { return true }
      var samples: [Float] = []
      for index in frame..<(frame + 1200) {
        let value = 0.3 * Float(sin(Double(index) * 440 * 2 * .pi / 48000))
        samples += index % 24000 < 240 ? [0.9, 0.9] : [value, value]
      }
      let taken = samples.withUnsafeBufferPointer(sink.write)
      frame += Int64(taken)
      if taken < 1200 { try? await Task.sleep(for: .milliseconds(10)) }
    }
    return false
  }

  @Test func whatIsHeardAndWhenIsWhatTheAnchorsSay() async throws {
    let server = try SoundServer()
    try await server.start()
    let recorder = try #require(MonitorRecorder(socket: server.socket))
    let sink = makeSink(server)
    sink.setRunning(true)
    var frame: Int64 = 0
    var anchors: [AudioAnchor] = []
    let isPlayed = await play(sink, from: &frame) {
      if let anchor = sink.anchor, anchor != anchors.last { anchors.append(anchor) }
      return (sink.anchor?.frame ?? 0) > 96_000
    }
    #expect(isPlayed)
    #expect(sink.status == .sounding)
    sink.close()
    let recording = recorder.stop()
    await server.stop()
    // Each click that was recorded, against when the anchors say that it is heard.
    var offsets: [Double] = []
    var last = -24000
    for (index, sample) in recording.samples.enumerated() where sample > 0.6 && index - last > 12000 {
      last = index
      guard let time = recording.time(of: index) else { continue }
      let due = anchors.flatMap { anchor -> [Int64] in
        let near = (anchor.frame + 12000) / 24000 * 24000
        return abs(near - anchor.frame) < 12000
          ? [anchor.time.nanoseconds + (near - anchor.frame) * 1_000_000_000 / 48000] : []
      }
      if let nearest = due.map({ Double(time - $0) / 1e6 }).min(by: { abs($0) < abs($1) }) {
        offsets.append(nearest)
      }
    }
    print("clicks against anchors, ms:", offsets.map { ($0 * 10).rounded() / 10 })
    #expect(offsets.count >= 3)
    #expect(offsets.sorted()[offsets.count / 2].magnitude < 10)
  }

  @Test func withoutADaemonItIsUnavailableAndSoundsOnceThereIsOne() async throws {
    let server = try SoundServer()
    let sink = makeSink(server)
    defer { sink.close() }
    sink.setRunning(true)
    #expect(await eventually { sink.status == .unavailable })
    try await server.start()
    #expect(await eventually { sink.status == .sounding })
    await server.stop()
    #expect(await eventually { sink.status == .unavailable })
    try await server.start()
    #expect(await eventually { sink.status == .sounding })
    await server.stop()
  }

  @Test func aSinkThatGoesAwayIsNoticedAndSoundsAgainWhenItIsBack() async throws {
    let server = try SoundServer()
    try await server.start()
    let sink = makeSink(server)
    defer { sink.close() }
    sink.setRunning(true)
    #expect(await eventually { sink.status == .sounding })
    try await server.removeSink("test-sink")
    #expect(await eventually { sink.status != .sounding })
    try await server.addSink("test-sink")
    #expect(await eventually { sink.status == .sounding })
    await server.stop()
  }

  @Test func withoutASessionManagerItIsSilent() async throws {
    let server = try SoundServer()
    try await server.start(withManager: false)
    let sink = makeSink(server)
    sink.setRunning(true)
    try await Task.sleep(for: .milliseconds(700))
    #expect(sink.status != .sounding)
    #expect(sink.anchor == nil)
    sink.close()
    sink.close()
    await server.stop()
  }
}
