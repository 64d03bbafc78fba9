import Foundation
import Glibc
import KiteSystem
import Testing

@testable import KiteDesktop

/// The wrapper over sd-bus, with a bus of the test's own.
@Suite struct BusTests {
  /// Computed: the boxes of an indirect enum in a global look like leaks, for their pointers have tags.
  private static var everything: [BusValue] {
    [
      .byte(7), .bool(true), .bool(false), .int16(-2), .uint16(65_535), .int32(.min), .uint32(.max),
      .int64(.min), .uint64(.max), .double(-0.5), .string("Ünïcode"), .path("/a/b"), .signature("a{sv}"),
      .array(of: "s", []), .strings(["a", "b"]), .structure([.string("x"), .int32(1)]),
      .options(["one": .int32(1), "two": .strings(["2"])]), .variant(.variant(.structure([.byte(1)]))),
      .array(of: "(so)", [.structure([.string("name"), .path("/")])]),
    ]
  }

  /// A thread with a service called `test.Echo` that answers with what it was sent, and a bus for the test.
  private func withEcho(_ body: (DesktopThread, FakeService, Resident<Bus?>, BusDaemon) async throws -> Void)
    async throws
  {
    let daemon = try await BusDaemon()
    let thread = try DesktopThread()
    let service = FakeService("test.Echo", at: daemon.address, on: thread)
    service.behavior = .values([])
    try await wait(for: "the name") { service.ownsName }
    let address = daemon.address
    let bus = Resident<Bus?>(on: thread) { loop in try? Bus(address: address, on: loop) }
    try await body(thread, service, bus, daemon)
    bus.end { $0?.close() }
    service.end()
    await daemon.end()
  }

  private static func call(_ values: [BusValue] = [], to destination: String = "test.Echo") -> BusCall {
    BusCall(destination: destination, path: "/a", interface: "test.I", member: "Echo", arguments: values)
  }

  @Test func valuesOfEveryTypeComeBackAsTheyWere() async throws {
    try await withEcho { _, _, bus, _ in
      let answer = Locked<Result<[BusValue], BusError>?>(nil)
      bus.use { bus in
        bus?.call(Self.call(Self.everything)) { result in answer.withLock { $0 = result } }
      }
      try await wait(for: "the answer") { answer.withLock { $0 } != nil }
      let values = try answer.withLock { try $0?.get() }
      #expect(values == Self.everything)
      #expect(values?.map(\.signature).joined() == Self.everything.map(\.signature).joined())
    }
  }

  @Test func whatCanNotBeSentIsAnErrorOfTheCall() async throws {
    try await withEcho { _, service, bus, _ in
      let answers = Locked<[Bool]>([])
      bus.use { bus in
        for value in [BusValue.path("no path"), .array(of: "s", [.int32(1)]), .signature("(")] {
          bus?.call(Self.call([value])) { result in
            answers.withLock { $0.append((try? result.get()) == nil) }
          }
        }
      }
      try await wait(for: "the answers") { answers.withLock { $0.count } == 3 }
      #expect(answers.withLock { $0 } == [true, true, true])
      #expect(service.calls == [])
    }
  }

  @Test func aCallThatNobodyAnswersEndsInTime() async throws {
    try await withEcho { _, service, bus, _ in
      service.behavior = .silence
      let error = Locked<BusError?>(nil)
      bus.use { bus in
        bus?.call(Self.call(), timeout: 20_000_000) { result in
          if case .failure(let failure) = result { error.withLock { $0 = failure } }
        }
      }
      try await wait(for: "the error") { error.withLock { $0 } != nil }
      #expect(!service.calls.isEmpty)
    }
  }

  @Test func aServiceThatIsNotThereIsAnErrorWithAName() async throws {
    try await withEcho { _, _, bus, _ in
      let error = Locked<BusError?>(nil)
      bus.use { bus in
        bus?.call(Self.call(to: "test.Nobody")) { result in
          if case .failure(let failure) = result { error.withLock { $0 = failure } }
        }
      }
      try await wait(for: "the error") { error.withLock { $0 } != nil }
      #expect(error.withLock { $0?.name } == "org.freedesktop.DBus.Error.ServiceUnknown")
    }
  }

  @Test func aSignalReachesAllWhoListen() async throws {
    try await withEcho { _, service, bus, _ in
      let heard = Locked<[[BusValue]]>([])
      let isReady = Locked(false)
      bus.use { bus in
        for _ in 0..<2 {
          bus?.onSignal("Changed", of: "test.I", from: "test.Echo") { signal in
            heard.withLock { $0.append(signal.body) }
          }
        }
        // Answered after the bus has taken the matches.
        bus?.call(Self.call()) { _ in isReady.withLock { $0 = true } }
      }
      try await wait(for: "the matches") { isReady.withLock { $0 } }
      service.emit("Other", of: "test.I", at: "/a", [])
      service.emit("Changed", of: "test.I", at: "/a", [.int32(5)])
      try await wait(for: "the signal") { heard.withLock { $0.count } == 2 }
      #expect(heard.withLock { $0 } == [[.int32(5)], [.int32(5)]])
    }
  }

  @Test func aBusThatDiesEndsItsCallsAndSaysSoOnce() async throws {
    try await withEcho { _, service, bus, daemon in
      service.behavior = .silence
      let events = Locked<[String]>([])
      bus.use { bus in
        bus?.onLost = { _ in events.withLock { $0.append("lost") } }
        bus?.call(Self.call()) { result in
          events.withLock { $0.append((try? result.get()) == nil ? "failed" : "answered") }
        }
      }
      try await wait(for: "the call") { !service.calls.isEmpty }
      await daemon.end()
      try await wait(for: "the loss") { events.withLock { $0.contains("lost") } }
      #expect(events.withLock { $0 } == ["failed", "lost"])
      // What is asked of it now fails at once.
      bus.use { bus in
        bus?.call(Self.call()) { _ in events.withLock { $0.append("failed again") } }
        bus?.emit("Changed", of: "test.I", at: "/a", [])
      }
      try await wait(for: "the failure") { events.withLock { $0.last } == "failed again" }
    }
  }

  @Test func withoutABusThereIsAnErrorThatSaysWhere() async throws {
    let thread = try DesktopThread()
    let text = Locked("")
    thread.run { loop in
      do throws(BusError) {
        let bus = try Bus(address: "unix:path=/nowhere/bus", on: loop)
        bus.close()
      } catch {
        text.withLock { $0 = error.description }
      }
    }
    try await wait(for: "the error") { text.withLock { !$0.isEmpty } }
    #expect(text.withLock { $0.contains("/nowhere/bus") })
  }

  @Test func workRunsInOrderAndAResidentEndsOnItsThread() async throws {
    let thread = try DesktopThread()
    let steps = Locked<[Int]>([])
    for step in 0..<100 { thread.run { _ in steps.withLock { $0.append(step) } } }
    let resident = Resident(on: thread) { _ in pthread_self() }
    let isSame = Locked<Bool?>(nil)
    resident.end { id in isSame.withLock { $0 = pthread_equal(id, pthread_self()) != 0 } }
    resident.use { _ in steps.withLock { $0.append(-1) } }
    thread.run { _ in steps.withLock { $0.append(100) } }
    try await wait(for: "the work") { steps.withLock { $0.last } == 100 }
    #expect(steps.withLock { $0 } == Array(0...100))
    #expect(isSame.withLock { $0 } == true)
  }
}
