import KiteSystem
import Testing

@testable import KiteCore

@Suite struct StepTests {
  private func film() -> Simulation {
    let simulation = Simulation(.video(count: 250, keyframes: 25))
    simulation.open()
    return simulation
  }

  @Test func eachStepShowsTheNextPicture() {
    let simulation = film()
    for step in 1...30 {
      simulation.player.step(by: 1)
      simulation.rest()
      #expect(simulation.renderer.times.last == .ms(Int64(step) * 40))
      #expect(simulation.player.position == .ms(Int64(step) * 40))
    }
    #expect(simulation.renderer.shown.count == 31)
    expectNothingLost(simulation)
  }

  @Test func aStepBackShowsTheOneBefore() {
    let simulation = film()
    simulation.player.seek(to: .ms(1050))
    simulation.rest()
    for picture in [25, 24, 23] as [Int64] {
      simulation.player.step(by: -1)
      simulation.rest()
      #expect(simulation.renderer.times.last == .ms(picture * 40))
    }
    simulation.player.step(by: 1)
    simulation.rest()
    #expect(simulation.renderer.times.last == .ms(24 * 40))
  }

  /// Asked for faster than pictures come, while the one before is looked for, each step counts.
  @Test(arguments: [[-1, -1, -1], [-2, 1, -2], [-3]])
  func stepsDuringASeekCountFromItsPicture(steps: [Int]) {
    let simulation = film()
    simulation.player.seek(to: .ms(1050))
    for step in steps { simulation.player.step(by: step) }
    simulation.rest()
    #expect(simulation.renderer.times.last == .ms(23 * 40))
    #expect(!simulation.player.state.isSeeking && simulation.player.status == .paused)
    for step in steps { simulation.player.step(by: step) }
    simulation.rest()
    #expect(simulation.renderer.times.last == .ms(20 * 40))
  }

  @Test func steppingPauses() {
    let simulation = Simulation(.video(count: 250))
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(500))
    simulation.player.step(by: 1)
    simulation.rest()
    #expect(simulation.player.status == .paused)
    #expect(simulation.renderer.times.last == .ms(520))
    simulation.pass(.ms(500))
    #expect(simulation.renderer.times.last == .ms(520))
    simulation.player.play()
    simulation.pass(.ms(40))
    #expect(simulation.renderer.times.last == .ms(560))
  }

  @Test func thereIsNoStepBeyondTheLastPicture() {
    let simulation = film()
    simulation.player.seek(to: .ms(9950))
    simulation.rest()
    for _ in 0..<3 {
      simulation.player.step(by: 1)
      simulation.rest()
    }
    #expect(simulation.renderer.times.last == .ms(9960))
    #expect(simulation.player.status == .paused)
    simulation.player.step(by: -1)
    simulation.rest()
    #expect(simulation.renderer.times.last == .ms(9920))
  }

  @Test func thereIsNoneBeforeTheFirst() {
    let simulation = film()
    simulation.player.step(by: -1)
    simulation.rest()
    #expect(simulation.renderer.times.last == .zero)
    #expect(simulation.player.position == .zero)
  }
}
