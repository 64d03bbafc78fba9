import KiteSystem
import Testing

@testable import KiteCore

@Suite struct PlaybackTests {
  @Test func openingShowsTheFirstFrameAndPauses() {
    let simulation = Simulation(.video(count: 10))
    simulation.open()
    #expect(simulation.player.status == .paused)
    #expect(simulation.renderer.times == [.zero])
    #expect(simulation.player.position == .zero)
    #expect(simulation.player.duration == .ms(400))
    #expect(simulation.player.videoSize == PixelSize(width: 64, height: 36))
    simulation.pass(.ms(1000))
    #expect(simulation.renderer.times == [.zero])
  }

  @Test(arguments: [1.0, 24, 30, 60, 240], [0, 12_000_000, 300_000_000] as [Int64])
  func twoThousandFramesComeInTimeAndEnd(rate: Double, lead: Int64) {
    let count = 2000
    let simulation = Simulation(.video(count: count, rate: rate), lead: lead)
    simulation.open(playsWhenReady: true)
    let start = simulation.time.now
    #expect(simulation.pass { simulation.player.status == .ended })
    let shown = simulation.renderer.shown
    #expect(shown.count == count)
    for (index, frame) in shown.enumerated() {
      let pts = MediaTime(seconds: Double(index) / rate)
      #expect(frame.pts == pts)
      #expect(frame.target == start + pts.nanoseconds)
      #expect(frame.time == max(start, frame.target - lead))
      if frame.pts != pts { break }
    }
    #expect(simulation.player.droppedFrames == 0)
    #expect(simulation.player.position == simulation.player.duration)
    #expect(simulation.time.now - start == simulation.player.duration?.nanoseconds)
  }
}
