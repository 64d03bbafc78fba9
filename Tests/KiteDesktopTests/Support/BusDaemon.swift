import Foundation
import TestDisplay

/// A message bus of the test's own, with nothing on it.
final class BusDaemon: Sendable {
  /// Where it listens.
  let address: String
  /// A folder that goes with the daemon, in which its socket is.
  let folder: URL
  private let process: ChildProcess

  /// Starts it; in `folder` to come back at an address where there was one before.
  init(in folder: URL? = nil) async throws {
    let folder =
      folder ?? FileManager.default.temporaryDirectory.appending(path: "kite-bus-\(UUID().uuidString)")
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let socket = folder.appending(path: "bus").path
    try? FileManager.default.removeItem(atPath: socket)
    let configuration = folder.appending(path: "bus.conf")
    try """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>unix:path=\(socket)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>
    """.write(to: configuration, atomically: true, encoding: .utf8)
    address = "unix:path=\(socket)"
    process = try ChildProcess(
      ["dbus-daemon", "--config-file=\(configuration.path)", "--nofork", "--nopidfile", "--print-address"],
      environment: ProcessInfo.processInfo.environment)
    let process = process
    try await wait(for: "the bus", detail: process.errors) { process.output.contains("\n") }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Kills it: everybody on it is disconnected.
  func end() async { await process.kill() }
}

/// Something did not happen in time.
struct Missed: Error, CustomStringConvertible {
  let description: String
}

/// Waits until `condition` holds. It takes long only when it fails.
func wait(
  for what: String, seconds: Double = 60, detail: @autoclosure () -> String = "", until condition: () -> Bool
) async throws {
  let deadline = ContinuousClock.now + .seconds(seconds)
  var looks = 0
  while !condition() {
    // Where other tests keep all threads busy a single look may come after the deadline: that is no time given.
    looks += 1
    guard ContinuousClock.now < deadline || looks < 200 else {
      throw Missed(description: "\(what) did not come about. \(detail())")
    }
    try await Task.sleep(for: .milliseconds(2))
  }
}
