import Foundation
import KiteSystem
import TestDisplay

@testable import KiteDesktop

/// A desktop's session with assistive technology: a bus, and AT-SPI's own services on it.
final class AccessibilitySession: Sendable {
  let daemon: BusDaemon
  let thread: DesktopThread
  private let launcher: Locked<ChildProcess?>
  private let bus: Resident<Bus?>
  private let environment: [String: String]

  /// Where Debian and others put it.
  private static let launcherPaths = [
    "/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher",
  ]

  /// What is missing to run it; nil for nothing.
  static var obstacle: String? {
    let files = FileManager.default
    guard launcherPaths.contains(where: { files.isExecutableFile(atPath: $0) }) else {
      return "at-spi-bus-launcher is not installed: apt install at-spi2-core"
    }
    guard files.isExecutableFile(atPath: "/usr/bin/python3"),
      files.fileExists(atPath: "/usr/lib/python3/dist-packages/gi")
    else { return "Python's gi is not installed: apt install python3-gi gir1.2-atspi-2.0" }
    return nil
  }

  /// Starts the bus; with `isThere`, also what stands for assistive technology on it.
  init(isThere: Bool = true) async throws {
    daemon = try await BusDaemon()
    thread = try DesktopThread()
    var environment = ProcessInfo.processInfo.environment
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "AT_SPI_BUS_ADDRESS"] { environment[name] = nil }
    environment["DBUS_SESSION_BUS_ADDRESS"] = daemon.address
    environment["XDG_RUNTIME_DIR"] = daemon.folder.path
    environment["GSETTINGS_BACKEND"] = "memory"
    // libatspi 2.46 lets go of an answer that is not there when a value is refused; libdbus ends it for that.
    environment["DBUS_FATAL_WARNINGS"] = "0"
    self.environment = environment
    launcher = Locked(nil)
    let address = daemon.address
    bus = Resident(on: thread) { loop in try? Bus(address: address, on: loop) }
    if isThere { try await launch() }
  }

  /// Starts AT-SPI's service on the session's bus.
  func launch() async throws {
    let path = Self.launcherPaths.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "none"
    let process = try ChildProcess([path, "--launch-immediately"], environment: environment)
    launcher.withLock { $0 = process }
    for _ in 0..<3000 {
      let answer = try await call(
        BusCall(
          destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
          interface: "org.freedesktop.DBus", member: "NameHasOwner", arguments: [.string("org.a11y.Bus")]))
      if answer == [.bool(true)] { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw Missed(description: "org.a11y.Bus did not come. \(process.errors)")
  }

  /// Says whether there is assistive technology, as a screen reader or the settings do.
  func setEnabled(_ isEnabled: Bool) async throws {
    _ = try await call(
      BusCall(
        destination: "org.a11y.Bus", path: "/org/a11y/bus", interface: AtspiName.properties, member: "Set",
        arguments: [.string("org.a11y.Status"), .string("IsEnabled"), .variant(.bool(isEnabled))]))
  }

  private func call(_ call: BusCall) async throws -> [BusValue] {
    try await withCheckedThrowingContinuation { continuation in
      bus.use { bus in
        guard let bus else { return continuation.resume(throwing: Missed(description: "there is no bus")) }
        bus.call(call) { continuation.resume(with: $0.mapError { $0 as any Error }) }
      }
    }
  }

  private static let script = CompositorSession.packageRoot.appending(path: "Tests/Support/atspi-client.py")
    .path

  /// Runs the client to its end. Returns what it printed; nil when it failed.
  func ask(_ arguments: String...) async throws -> String? {
    let process = try ChildProcess(["/usr/bin/python3", Self.script] + arguments, environment: environment)
    guard let ending = await process.wait(atMost: .seconds(60)) else {
      await process.kill()
      throw Missed(description: "the client hangs at \(arguments). \(process.errors)")
    }
    return ending == .exited(0) ? process.output.trimmingCharacters(in: .whitespacesAndNewlines) : nil
  }

  /// Asks until there is an answer that is right.
  func ask(_ arguments: String..., until isRight: (String?) -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      let process = try ChildProcess(["/usr/bin/python3", Self.script] + arguments, environment: environment)
      let ending = await process.wait(atMost: .seconds(60))
      if isRight(ending == .exited(0) ? process.output : nil) { return }
      guard ContinuousClock.now < deadline else {
        throw Missed(description: "\(arguments) gave \(process.output)\(process.errors)")
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Starts a client that listens.
  func watch(_ application: String) async throws -> ChildProcess {
    let process = try ChildProcess(
      ["/usr/bin/python3", Self.script, "watch", application], environment: environment)
    try await wait(for: "the listener", detail: process.errors) { process.output.contains("ready") }
    return process
  }

  /// Ends all of it.
  func end() async {
    bus.end { $0?.close() }
    let process = launcher.withLock { launcher in
      defer { launcher = nil }
      return launcher
    }
    await process?.kill()
    await daemon.end()
  }
}
