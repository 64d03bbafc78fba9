import Foundation
import Glibc
import KiteSystem
import Testing

@testable import KiteDesktop

/// Keeping the display awake by way of services, with fakes of the portal and of the screen saver.
@Suite struct DesktopDisplayHoldTests {
  private let daemon: BusDaemon
  private let thread: DesktopThread

  private static let portalName = "org.freedesktop.portal.Desktop"
  private static let saverName = "org.freedesktop.ScreenSaver"
  private static let request = "/org/freedesktop/portal/desktop/request/1_2/t"

  init() async throws {
    daemon = try await BusDaemon()
    thread = try DesktopThread()
  }

  private func service(_ name: String, _ behavior: FakeService.Behavior) async throws -> FakeService {
    let service = FakeService(name, at: daemon.address, on: thread)
    service.behavior = behavior
    try await wait(for: "the name") { service.ownsName }
    return service
  }

  private func portal(_ behavior: FakeService.Behavior = .values([.path(request)])) async throws
    -> FakeService
  {
    try await service(Self.portalName, behavior)
  }

  private func saver(_ behavior: FakeService.Behavior = .values([.uint32(42)])) async throws -> FakeService {
    try await service(Self.saverName, behavior)
  }

  private func mechanism(timeout: Int64 = DesktopDisplayHold.patience) -> DesktopDisplayHold {
    DesktopDisplayHold(reason: "Testing", address: daemon.address, thread: thread, timeout: timeout)
  }

  /// Waits until a service was asked for `members`, in this order and no others.
  private func expect(_ service: FakeService, _ members: [String]) async throws {
    let names = { service.calls.map { String($0.prefix { $0 != "(" }) } }
    try await wait(for: "\(members)", detail: "\(service.calls)") { names().count >= members.count }
    #expect(names() == members)
  }

  private func end(_ services: FakeService...) async {
    for service in services { service.end() }
    await daemon.end()
  }

  @Test func thePortalIsAskedFirstAndItsRequestIsClosed() async throws {
    let (portal, saver) = (try await portal(), try await saver())
    let mechanism = mechanism()
    mechanism.hold()
    try await expect(portal, ["Inhibit"])
    let call = try #require(portal.calls.first)
    #expect(call.contains("uint32(8)"), "it keeps the session from becoming idle: \(call)")
    #expect(call.contains("Testing"), "the user can be told why: \(call)")
    mechanism.letGo()
    try await expect(portal, ["Inhibit", "Close"])
    #expect(saver.calls == [])
    mechanism.hold()
    try await expect(portal, ["Inhibit", "Close", "Inhibit"])
    await end(portal, saver)
  }

  @Test func withoutAPortalTheScreenSaverIsAsked() async throws {
    let saver = try await saver()
    let mechanism = mechanism()
    mechanism.hold()
    try await expect(saver, ["Inhibit"])
    mechanism.letGo()
    try await expect(saver, ["Inhibit", "UnInhibit"])
    #expect(saver.calls.last == "UnInhibit(uint32(42))")
    await end(saver)
  }

  @Test(arguments: [
    FakeService.Behavior.refusal, .silence, .values([.string("nonsense")]),
    .values([.uint32(1), .path("/a")]),
  ])
  func aPortalThatDoesNotGrantIsPassedOver(_ behavior: FakeService.Behavior) async throws {
    let (portal, saver) = (try await portal(behavior), try await saver())
    let mechanism = mechanism(timeout: behavior == .silence ? 2_000_000_000 : DesktopDisplayHold.patience)
    mechanism.hold()
    try await expect(saver, ["Inhibit"])
    #expect(portal.calls.count == 1)
    mechanism.letGo()
    try await expect(saver, ["Inhibit", "UnInhibit"])
    await end(portal, saver)
  }

  @Test func whatIsGrantedAfterTheReleaseIsTakenBackAtOnce() async throws {
    let portal = try await portal(.kept)
    let mechanism = mechanism()
    mechanism.hold()
    try await expect(portal, ["Inhibit"])
    mechanism.letGo()
    portal.behavior = .values([])
    portal.answerKept([.path(Self.request)])
    try await expect(portal, ["Inhibit", "Close"])
    await end(portal)
  }

  @Test func aRefusalThatComesLaterIsHeard() async throws {
    let (portal, saver) = (try await portal(), try await saver())
    let mechanism = mechanism()
    mechanism.hold()
    try await expect(portal, ["Inhibit"])
    // 0 says that it was done.
    portal.emit(
      "Response", of: "org.freedesktop.portal.Request", at: Self.request, [.uint32(0), .options([:])])
    portal.emit("Response", of: "org.freedesktop.portal.Request", at: "/other", [.uint32(2), .options([:])])
    portal.emit(
      "Response", of: "org.freedesktop.portal.Request", at: Self.request, [.uint32(2), .options([:])])
    try await expect(saver, ["Inhibit"])
    try await expect(portal, ["Inhibit", "Close"])
    await end(portal, saver)
  }

  @Test func aServiceThatEndsIsReplaced() async throws {
    let (portal, saver) = (try await portal(), try await saver())
    let mechanism = mechanism()
    mechanism.hold()
    try await expect(portal, ["Inhibit"])
    portal.end()
    try await expect(saver, ["Inhibit"])
    mechanism.letGo()
    try await expect(saver, ["Inhibit", "UnInhibit"])
    await end(saver)
  }

  @Test func aBusThatDiesIsLookedForAgainWithTheNextHold() async throws {
    let first = try await saver()
    let mechanism = mechanism()
    mechanism.hold()
    try await expect(first, ["Inhibit"])
    await daemon.end()
    mechanism.letGo()
    let second = try await BusDaemon(in: daemon.folder)
    let service = FakeService(Self.saverName, at: second.address, on: thread)
    service.behavior = .values([.uint32(1)])
    try await wait(for: "the name") { service.ownsName }
    mechanism.hold()
    try await expect(service, ["Inhibit"])
    first.end()
    service.end()
    await second.end()
  }

  @Test func theEndOfTheMechanismLeavesTheBus() async throws {
    let saver = try await saver()
    do {
      let mechanism = mechanism()
      mechanism.hold()
      try await expect(saver, ["Inhibit"])
    }
    // What is inhibited ends with the connection; nothing more is said.
    let done = Locked(false)
    thread.run { _ in done.withLock { $0 = true } }
    try await wait(for: "the thread") { done.withLock { $0 } }
    #expect(saver.calls.count == 1)
    await end(saver)
  }

  @Test func withoutABusNothingHappens() async throws {
    let mechanism = DesktopDisplayHold(
      reason: "Testing", address: "unix:path=/nowhere/bus", thread: thread)
    for _ in 0..<3 {
      mechanism.hold()
      mechanism.letGo()
    }
    let done = Locked(false)
    thread.run { _ in done.withLock { $0 = true } }
    try await wait(for: "the thread") { done.withLock { $0 } }
    let without = DesktopDisplayHold(reason: "Testing", address: nil, thread: nil)
    without.hold()
    without.letGo()
    await daemon.end()
  }

  /// A socket that takes connections and never says a word.
  @Test func aBusThatHangsHoldsNobodyUp() async throws {
    let path = daemon.folder.appending(path: "mute").path
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
    }
    try #require(isBound == 0 && listen(listener, 8) == 0)
    let mechanism = DesktopDisplayHold(reason: "Testing", address: "unix:path=\(path)", thread: thread)
    mechanism.hold()
    let done = Locked(false)
    thread.run { _ in done.withLock { $0 = true } }
    // Neither this thread nor the desktop's waits for the bus.
    try await wait(for: "the thread") { done.withLock { $0 } }
    mechanism.letGo()
    await daemon.end()
  }
}
