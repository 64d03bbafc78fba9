import KiteSystem
import Testing

@testable import KiteCore

@Suite struct RateTests {
  @Test(arguments: [0.25, 0.5, 1.5, 2, 4])
  func picturesComeThatMuchFaster(_ rate: Double) {
    let simulation = Simulation(.video(count: 500))
    simulation.player.rate = rate
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(2000))
    #expect(simulation.player.position == MediaTime(seconds: 2 * rate))
    #expect(simulation.renderer.times.last == MediaTime(seconds: (2 * rate * 25).rounded(.down) / 25))
    #expect(simulation.player.state.rate == rate)
    #expect(simulation.player.droppedFrames == 0)
  }

  @Test func aChangeWhilePlayingMakesNoJump() {
    let simulation = Simulation(.video(count: 500))
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(1000))
    simulation.player.rate = 2
    #expect(simulation.player.position == .ms(1000))
    simulation.pass(.ms(1000))
    #expect(simulation.player.position == .ms(3000))
    simulation.player.rate = 0.5
    simulation.pass(.ms(1000))
    #expect(simulation.player.position == .ms(3500))
    #expect(simulation.renderer.shown.count == 88)
  }

  @Test func itIsBroughtWithinItsBoundsAndKept() {
    let simulation = Simulation(.video(count: 10))
    simulation.player.rate = 100
    #expect(simulation.player.rate == 4)
    simulation.player.rate = -1
    #expect(simulation.player.rate == 0.25)
    simulation.player.rate = .nan
    #expect(simulation.player.rate == 0.25)
    simulation.open()
    simulation.player.close()
    #expect(simulation.player.state.rate == 0.25)
    simulation.open()
    #expect(simulation.player.state.rate == 0.25)
  }
}
