import Foundation
import PackagePlugin

/// Makes a target's protocol code from the XML files that its `wayland-protocols.json` names.
///
/// All files are scanned in one run, since they refer to each other; each is an input of the command by
/// itself, and each gets a Swift file of its own.
@main
struct WaylandScannerPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let configuration = target.directoryURL.appending(path: "wayland-protocols.json")
    guard FileManager.default.fileExists(atPath: configuration.path) else { return [] }
    let wanted: Configuration
    do {
      wanted = try JSONDecoder().decode(Configuration.self, from: Data(contentsOf: configuration))
    } catch {
      Diagnostics.error("\(configuration.path): not a list of Wayland protocols: \(error)")
      return []
    }
    let finder = ProtocolFinder(package: context.package.directoryURL)
    var arguments = ["--side", wanted.side]
    var inputs = [configuration]
    var outputs: [URL] = []
    for module in wanted.imports ?? [] { arguments += ["--import", module] }
    for entry in wanted.protocols {
      guard let input = finder.find(entry) else { return [] }
      inputs.append(input)
      for (interface, version) in (entry.caps ?? [:]).sorted(by: { $0.key < $1.key }) {
        arguments += ["--cap", "\(interface)=\(version)"]
      }
      if entry.isContext == true {
        arguments += ["--context", input.path]
      } else {
        let output = context.pluginWorkDirectoryURL.appending(path: entry.name + ".swift")
        outputs.append(output)
        arguments += ["--protocol", input.path, "--output", output.path]
      }
    }
    return [
      .buildCommand(
        displayName: "Scanning Wayland protocols for \(target.name)",
        executable: try context.tool(named: "wayland-scanner-swift").url, arguments: arguments,
        inputFiles: inputs, outputFiles: outputs)
    ]
  }
}
