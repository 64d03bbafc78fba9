import KiteSystem
import Testing

@testable import KiteCore

/// What needs no threads to be told.
@Suite struct EngineStateTests {
  /// Playing since 0 ms, from media time zero, 25 frames a second.
  private static func playing() -> EngineState {
    let entry = QueueEntry(id: 1, origin: .location("film"))
    var state = EngineState(entry: entry, configuration: PlayerConfiguration(), wantsPlay: true)
    var facts = ItemFacts(entry: entry)
    facts.video = MediaTrack(id: 0, kind: .video, codec: "fake")
    facts.duration = .ms(60_000)
    state.didOpen(facts, at: .ms(0))
    decode(&state, .zero)
    _ = isFrame(state.nextDelivery(at: .ms(0)))
    state.delivered(
      generation: 0, size: PixelSize(width: 1, height: 1), wasAccepted: true, leads: .init(), at: .ms(0))
    return state
  }

  private static func decode(_ state: inout EngineState, _ pts: MediaTime, generation: UInt64 = 0) {
    let properties = VideoFrame.Properties(
      format: .gray8, codedSize: PixelSize(width: 1, height: 1), pts: pts, duration: .ms(40))
    var frame: VideoFrame? = VideoFrame(properties: properties, memory: .heap, planes: [], owner: Gate())
    state.didDecode(&frame, generation: generation)
  }

  private static func isFrame(_ turn: consuming Turn<Delivery>) -> Bool {
    switch consume turn {
    case .done(.frame): true
    default: false
    }
  }

  private static func packet(_ pts: MediaTime, isKeyframe: Bool = true) -> FakePacket {
    FakePacket(FakePicture(pts: pts, isKeyframe: isKeyframe))
  }

  /// The pts of the packet to decode next.
  private static func nextPacket(_ state: inout EngineState, at now: MonotonicTime) -> MediaTime? {
    guard case .decode(let packet, _, _, _) = state.nextDecoderTask(contentGeneration: 0, at: now) else {
      return nil
    }
    return packet.pts
  }

  @Test func whatComesFromBeforeAJumpIsLetGo() {
    var state = Self.playing()
    state.didRead(Self.packet(.ms(40)), generation: 0)
    Self.decode(&state, .ms(40))
    state.jump(to: .zero, at: .ms(10))
    #expect(state.packets.isEmpty && state.frames.isEmpty)
    state.didRead(Self.packet(.ms(80)), generation: 0)
    Self.decode(&state, .ms(80))
    state.didRead(nil, generation: 0)
    state.didDrain(generation: 0)
    let isEmpty = state.packets.isEmpty && state.frames.isEmpty && !state.isDecoderDone
    #expect(isEmpty)
    if case .reading = state.sourceEnd {} else { Issue.record("the end of before the jump ended it") }
    let statistics = state.statistics
    #expect(statistics.decodedFrames == 3 && statistics.discardedFrames == 2 && statistics.waitingFrames == 0)
    // And a frame that was on its way to the renderer doesn't make the jump's first one.
    state.statistics.waitingFrames += 1
    state.delivered(
      generation: 0, size: PixelSize(width: 1, height: 1), wasAccepted: true, leads: .init(), at: .ms(10))
    let awaitsFirstFrame = state.awaitsFirstFrame
    #expect(awaitsFirstFrame)
  }

  @Test func aDecoderIsFlushedAfterAJump() {
    var state = Self.playing()
    state.jump(to: .zero, at: .ms(10))
    state.didRead(Self.packet(.zero), generation: 1)
    guard
      case .decode(_, let generation, _, let restarts) = state.nextDecoderTask(
        contentGeneration: 0, at: .ms(10))
    else {
      Issue.record("nothing to decode")
      return
    }
    #expect(generation == 1 && restarts)
  }

  @Test func lookingForAKeyframeIsNoReasonToBuffer() {
    var state = Self.playing()
    state.hasManyKeyframes = true
    Self.decode(&state, .ms(40))
    _ = Self.isFrame(state.nextDelivery(at: .ms(3000)))
    let seeks = state.catchUp.seeksKeyframe
    #expect(seeks)
    state.didRead(Self.packet(.ms(80), isKeyframe: false), generation: 0)
    let packet = Self.nextPacket(&state, at: .ms(3000))
    #expect(packet == nil)
    _ = Self.isFrame(state.nextDelivery(at: .ms(9000)))
    let status = state.status.status
    #expect(status == .playing)
  }

  @Test func packetsArePassedOverToAKeyframeThatIsNotHopelesslyLate() {
    var state = Self.playing()
    state.hasManyKeyframes = true
    Self.decode(&state, .ms(40))
    _ = Self.isFrame(state.nextDelivery(at: .ms(5000)))
    for pts in [80, 2960, 3000, 3040] as [Int64] {
      state.didRead(Self.packet(.ms(pts)), generation: 0)
      state.didRead(Self.packet(.ms(pts + 10), isKeyframe: false), generation: 0)
    }
    var packet = Self.nextPacket(&state, at: .ms(5000))
    #expect(packet == .ms(3000))
    packet = Self.nextPacket(&state, at: .ms(5000))
    #expect(packet == .ms(3010))
    let skipped = state.statistics.skippedPackets
    #expect(skipped == 4)
  }

  @Test func aSourceInTimeIsNotStarved() {
    var state = Self.playing()
    _ = Self.nextPacket(&state, at: .ms(10))
    // The frame ends at 40 ms, the grace at 140 ms.
    _ = Self.isFrame(state.nextDelivery(at: .ms(139)))
    var status = state.status.status
    #expect(status == .playing)
    _ = Self.isFrame(state.nextDelivery(at: .ms(140)))
    status = state.status.status
    #expect(status == .buffering)
    let position = state.position(at: .ms(500))
    #expect(position == .ms(40))
  }
}
