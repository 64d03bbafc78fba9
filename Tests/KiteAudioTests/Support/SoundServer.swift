import Foundation
import TestDisplay

/// A PipeWire daemon with a session manager of its own, in a folder of its own. Ends with this object.
final class SoundServer: Sendable {
  let folder: URL
  private let processes = Processes()

  private actor Processes {
    var daemon: ChildProcess?
    var manager: ChildProcess?
    func set(daemon: ChildProcess?) { self.daemon = daemon }
    func set(manager: ChildProcess?) { self.manager = manager }
  }

  /// Why the tests of this suite can't run here; nil: they can.
  static let obstacle: String? = {
    for command in ["pipewire", "wireplumber", "pw-cli"] where !isInstalled(command) {
      return "\(command) is not installed"
    }
    guard FileManager.default.fileExists(atPath: "/usr/share/wireplumber/policy.lua.d") else {
      return "this WirePlumber is not configured by Lua files (0.4)"
    }
    return nil
  }()

  private static func isInstalled(_ command: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(command)")
    }
  }

  /// A server that is not started.
  init() throws {
    folder = URL(fileURLWithPath: "/tmp/kite-sound-\(getpid())-\(UInt32.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Self.configuration.write(
      to: folder.appending(path: "server.conf"), atomically: true, encoding: .utf8)
    try writeManagerConfiguration()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var socket: String { folder.appending(path: "pipewire-0").path }

  private var environment: [String: String] {
    [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": folder.path,
      "XDG_RUNTIME_DIR": folder.path, "WIREPLUMBER_CONFIG_DIR": folder.appending(path: "manager").path,
    ]
  }

  /// Starts the daemon, and the manager that connects streams with sinks. On return the daemon listens.
  func start(withManager: Bool = true, sink: String? = "test-sink") async throws {
    let daemon = try ChildProcess(
      ["pipewire", "-c", folder.appending(path: "server.conf").path], environment: environment)
    await processes.set(daemon: daemon)
    try await wait("the daemon's socket") { FileManager.default.fileExists(atPath: self.socket) }
    if withManager {
      await processes.set(manager: try ChildProcess(["wireplumber"], environment: environment))
    }
    if let sink { try await addSink(sink) }
  }

  /// Kills both.
  func stop() async {
    await processes.manager?.kill()
    await processes.daemon?.kill()
    try? FileManager.default.removeItem(atPath: socket)
    try? FileManager.default.removeItem(atPath: socket + ".lock")
  }

  func addSink(_ name: String) async throws {
    let properties =
      "{ factory.name=support.null-audio-sink node.name=\(name) media.class=Audio/Sink object.linger=true "
      + "audio.position=[FL FR] }"
    try await command(["pw-cli", "create-node", "adapter", properties])
    try await wait("the sink \(name)") { try await self.node(name) != nil }
  }

  func removeSink(_ name: String) async throws {
    guard let id = try await node(name) else { return }
    try await command(["pw-cli", "destroy", id])
    try await wait("the sink's end") { try await self.node(name) == nil }
  }

  /// The number of the node called `name`.
  private func node(_ name: String) async throws -> String? {
    var id: String?
    for line in try await command(["pw-cli", "ls", "Node"]).split(separator: "\n") {
      let words = line.split(whereSeparator: { " \t,\"".contains($0) })
      if words.first == "id", words.count > 1 { id = String(words[1]) }
      if words.first == "node.name", words.last.map(String.init) == name { return id }
    }
    return nil
  }

  @discardableResult
  private func command(_ words: [String]) async throws -> String {
    let process = try ChildProcess(words, environment: environment)
    _ = await process.wait(atMost: .seconds(20))
    return process.output
  }

  private func wait(_ what: String, until condition: () async throws -> Bool) async throws {
    for _ in 0..<2000 {
      if try await condition() { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Failure(description: "\(what) did not come within 20 s")
  }

  struct Failure: Error, CustomStringConvertible { let description: String }

  // MARK: Configuration

  private static let configuration = """
    context.properties = {
      core.daemon = true
      core.name = pipewire-0
      default.clock.rate = 48000
      default.clock.quantum = 1024
    }
    context.spa-libs = {
      audio.convert.* = audioconvert/libspa-audioconvert
      support.* = support/libspa-support
    }
    context.modules = [
      { name = libpipewire-module-protocol-native }
      { name = libpipewire-module-metadata }
      { name = libpipewire-module-spa-node-factory }
      { name = libpipewire-module-client-node }
      { name = libpipewire-module-access }
      { name = libpipewire-module-adapter }
      { name = libpipewire-module-link-factory }
      { name = libpipewire-module-session-manager }
    ]
    context.objects = [
      { factory = spa-node-factory
        args = { factory.name = support.node.driver node.name = Dummy-Driver node.group = pipewire.dummy
          priority.driver = 20000 } }
    ]
    """

  /// WirePlumber's own policy of linking, without devices, buses and stored choices.
  private func writeManagerConfiguration() throws {
    let files = FileManager.default
    let target = folder.appending(path: "manager")
    let source = URL(fileURLWithPath: "/usr/share/wireplumber")
    try files.createDirectory(
      at: target.appending(path: "main.lua.d"), withIntermediateDirectories: true)
    for name in ["policy.lua.d", "main.lua.d/00-functions.lua", "common"]
    where files.fileExists(atPath: source.appending(path: name).path) {
      try files.copyItem(at: source.appending(path: name), to: target.appending(path: name))
    }
    try """
    load_module("metadata")
    load_module("default-nodes", { ["use-persistent-storage"] = false, ["auto-echo-cancel"] = false,
      ["echo-cancel-sink-name"] = "none", ["echo-cancel-source-name"] = "none" })
    """.write(to: target.appending(path: "main.lua.d/90-enable-all.lua"), atomically: true, encoding: .utf8)
    try """
    context.properties = { log.level = 0 wireplumber.script-engine = lua-scripting }
    context.spa-libs = {
      audio.convert.* = audioconvert/libspa-audioconvert
      support.* = support/libspa-support
    }
    context.modules = [
      { name = libpipewire-module-protocol-native }
      { name = libpipewire-module-client-node }
      { name = libpipewire-module-client-device }
      { name = libpipewire-module-adapter }
      { name = libpipewire-module-metadata }
      { name = libpipewire-module-session-manager }
    ]
    wireplumber.components = [
      { name = libwireplumber-module-lua-scripting, type = module }
      { name = main.lua, type = config/lua }
      { name = policy.lua, type = config/lua }
    ]
    """.write(to: target.appending(path: "wireplumber.conf"), atomically: true, encoding: .utf8)
  }
}
