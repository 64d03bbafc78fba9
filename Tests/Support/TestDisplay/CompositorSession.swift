public import Foundation
import Glibc
public import TestMedia

/// A headless compositor that runs until `end()`, or until the test's process ends.
public final class CompositorSession: Sendable {
  /// Which compositor it is.
  public let kind: CompositorKind
  /// What a client needs to find it, and nothing else of Wayland's: `WAYLAND_DISPLAY`, `XDG_RUNTIME_DIR` and the rest of
  /// the test's own variables.
  public let environment: [String: String]
  /// The compositor's process.
  public let compositorID: pid_t
  private let process: ChildProcess

  /// The session of the suite that runs; see `CompositorTrait`.
  @TaskLocal public static var current: CompositorSession?

  /// The folder of the package.
  public static let packageRoot = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Starts a compositor with one output.
  ///
  /// - Parameters:
  ///   - size: Of the output, in physical pixels.
  ///   - swayConfiguration: Lines for sway's configuration.
  public static func start(
    _ kind: CompositorKind, width: Int, height: Int, swayConfiguration: [String] = []
  ) async throws -> CompositorSession {
    var environment = ProcessInfo.processInfo.environment
    environment["KITE_SWAY_CONFIG"] = swayConfiguration.joined(separator: "\n")
    // It prints its variables when the compositor answers, and lives until its standard input ends.
    let command = "env -0; echo; exec cat >/dev/null"
    let process = try ChildProcess(
      [
        packageRoot.appending(path: ".setup/with-compositor").path, "-s", "\(width)x\(height)", kind.rawValue,
        "sh", "-c", command,
      ],
      environment: environment, keepsInputOpen: true)
    let deadline = ContinuousClock.now + .seconds(40)
    while !process.output.hasSuffix("\0\n") {
      guard process.poll() == nil, ContinuousClock.now < deadline else {
        process.closeInput()
        _ = await process.wait(atMost: .seconds(10))
        throw TestDisplayError.notStarted(kind.rawValue, log: process.errors)
      }
      try await Task.sleep(for: .milliseconds(20))
    }
    return CompositorSession(kind, process: process)
  }

  private init(_ kind: CompositorKind, process: ChildProcess) {
    self.kind = kind
    self.process = process
    var environment: [String: String] = [:]
    for entry in process.output.split(separator: "\0") {
      guard let mark = entry.firstIndex(of: "=") else { continue }
      environment[String(entry[..<mark])] = String(entry[entry.index(after: mark)...])
    }
    self.environment = environment
    compositorID = environment["KITE_COMPOSITOR_PID"].flatMap { pid_t($0) } ?? 0
  }

  deinit { process.closeInput() }

  /// Ends the compositor and waits for it.
  public func end() async {
    process.closeInput()
    // The script ends the compositor; killing the script itself would leave it behind.
    if await process.wait(atMost: .seconds(20)) == nil { process.send(SIGTERM) }
    _ = await process.wait(atMost: .seconds(20))
  }

  /// Starts a client.
  public func launch(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(arguments, environment: environment)
  }

  /// What the output shows now, in physical pixels.
  public func screenshot() async throws -> ReferencePicture {
    let file = FileManager.default.temporaryDirectory.appending(path: "kite-shot-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: file) }
    let tool = try launch([Self.packageRoot.appending(path: ".setup/screenshot").path, file.path])
    let ending = await tool.wait(atMost: .seconds(30))
    guard ending == .exited(0) else {
      await tool.kill()
      throw TestDisplayError.noScreenshot("\(ending.map { "\($0)" } ?? "it hangs"): \(tool.errors)")
    }
    return try ReferencePicture(png: file)
  }
}
