import KiteSystem
import Testing

@testable import KiteCore

@Suite struct RendererLineTests {
  @Test func withoutARendererPlaybackGoesOn() {
    let simulation = Simulation(.video(count: 100), attaches: false)
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(2000))
    #expect(simulation.player.position == .ms(2000))
    simulation.player.attach(simulation.renderer)
    #expect(simulation.renderer.times == [.ms(2000)])
    simulation.pass(.ms(80))
    #expect(simulation.renderer.times == [.ms(2000), .ms(2040), .ms(2080)])
  }

  @Test func attachingWhilePausedShowsTheCurrentPictureAndChangesNoState() {
    let simulation = Simulation(.video(count: 300), attaches: false)
    simulation.open()
    let version = simulation.player.state.version
    simulation.player.attach(simulation.renderer)
    #expect(simulation.renderer.times == [.zero])
    simulation.player.play()
    simulation.pass(.ms(5010))
    simulation.player.pause()
    let late = FakeRenderer(time: simulation.time)
    simulation.pass(.ms(1000))
    let state = simulation.player.state
    simulation.player.attach(late)
    #expect(late.times == [.ms(5000)])
    #expect(late.shown.first?.target == simulation.time.now)
    #expect(simulation.player.state == state)
    #expect(state.version == version + 2)
    #expect(simulation.player.position == .ms(5010))
  }

  @Test func theNewestWinsAndTheOthersComeBack() {
    let simulation = Simulation(.video(count: 100))
    let (first, second, third) = (
      simulation.renderer, FakeRenderer(time: simulation.time), FakeRenderer(time: simulation.time)
    )
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(10))
    simulation.player.attach(second)
    simulation.pass(.ms(40))
    simulation.player.attach(third)
    simulation.pass(.ms(40))
    // The middle one leaves: nobody sees anything of it.
    simulation.player.detach(second)
    simulation.player.detach(third)
    simulation.pass(.ms(40))
    #expect(
      first.calls == [
        .present(.zero), .setActive(false), .setActive(true), .present(.ms(80)), .present(.ms(120)),
      ])
    #expect(second.calls == [.present(.zero), .present(.ms(40)), .setActive(false)])
    #expect(third.calls == [.present(.ms(40)), .present(.ms(80))])
  }

  @Test func attachingAWaitingOneMovesItToTheFront() {
    let simulation = Simulation(.video(count: 100))
    let second = FakeRenderer(time: simulation.time)
    simulation.open()
    simulation.player.attach(second)
    simulation.player.attach(simulation.renderer)
    #expect(
      simulation.renderer.calls == [.present(.zero), .setActive(false), .setActive(true), .present(.zero)])
    #expect(second.calls == [.present(.zero), .setActive(false)])
    simulation.player.attach(simulation.renderer)
    #expect(simulation.renderer.calls.count == 4)
    simulation.player.detach(simulation.renderer)
    #expect(second.calls.suffix(2) == [.setActive(true), .present(.zero)])
  }

  @Test func detachingAStrangerOrAStaleOneChangesNothing() {
    let simulation = Simulation(.video(count: 100))
    let stranger = FakeRenderer(time: simulation.time)
    simulation.open(playsWhenReady: true)
    simulation.player.detach(stranger)
    simulation.player.attach(stranger)
    simulation.player.detach(simulation.renderer)
    simulation.player.detach(simulation.renderer)
    simulation.pass(.ms(40))
    #expect(stranger.times == [.zero, .ms(40)])
    #expect(simulation.renderer.times == [.zero])
  }

  @Test func attachedBeforeAnythingIsOpenItGetsTheFirstFrame() {
    let simulation = Simulation(.video(count: 10))
    #expect(simulation.renderer.calls.isEmpty)
    simulation.open()
    #expect(simulation.renderer.times == [.zero])
  }

  @Test func theEndsPictureIsShownToThoseWhoComeLater() {
    let simulation = Simulation(.video(count: 10), attaches: false)
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .ended }
    simulation.player.attach(simulation.renderer)
    #expect(simulation.renderer.times == [.ms(360)])
    #expect(simulation.player.status == .ended)
  }

  @Test func aClosedItemsPictureIsNotShownToThoseWhoComeLater() {
    let simulation = Simulation(.video(count: 10))
    simulation.open()
    simulation.player.close()
    #expect(simulation.renderer.calls == [.present(.zero), .discardPending])
    let late = FakeRenderer()
    simulation.player.attach(late)
    #expect(late.calls.isEmpty)
  }

  @Test func framesFromBeforeAJumpAreRefused() {
    let line = RendererLine()
    let renderer = FakeRenderer()
    _ = line.attach(renderer, at: .ms(0))
    func deliver(_ pts: MediaTime, _ epoch: RendererLine.Epoch) -> Bool {
      let properties = VideoFrame.Properties(
        format: .gray8, codedSize: PixelSize(width: 1, height: 1), pts: pts)
      let frame = VideoFrame(properties: properties, memory: .heap, planes: [], owner: Gate())
      return line.deliver(frame, at: .ms(0), epoch: epoch).wasAccepted
    }
    #expect(deliver(.ms(1), .init(item: 1, generation: 0)))
    line.advance(to: .init(item: 1, generation: 1))
    #expect(!deliver(.ms(2), .init(item: 1, generation: 0)))
    #expect(deliver(.ms(3), .init(item: 1, generation: 1)))
    // Late word of what a frame has shown already.
    line.advance(to: .init(item: 1, generation: 1))
    line.advance(to: .init(item: 2, generation: 0))
    #expect(!deliver(.ms(4), .init(item: 1, generation: 7)))
    #expect(
      renderer.calls == [.present(.ms(1)), .discardPending, .present(.ms(3)), .discardPending])
  }

  @Test func aLongerLeadOfALaterRendererIsHeeded() {
    let simulation = Simulation(.video(count: 100))
    simulation.open(playsWhenReady: true)
    let early = FakeRenderer(lead: 30_000_000, time: simulation.time)
    simulation.player.attach(early)
    simulation.pass(.ms(10))
    #expect(early.shown.last?.pts == .ms(40))
    #expect((early.shown.last?.target ?? .distantPast) - simulation.time.now == 30_000_000)
  }

  @Test func memoryOfFramesGoesBackWithTheLastHolder() {
    let simulation = Simulation(.video(count: 100))
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(1000))
    let pool = simulation.player.engine?.pool
    // The current one (the line's and the renderer's are one), and three that wait.
    #expect((pool?.slotsOnLoan ?? 0) <= 4)
    simulation.player.close()
    simulation.renderer.close()
    #expect(pool?.slotsOnLoan == 0)
  }
}
