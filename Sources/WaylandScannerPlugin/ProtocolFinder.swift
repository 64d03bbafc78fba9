import Foundation
import PackagePlugin

/// Knows where protocol files may be.
struct ProtocolFinder {
  let package: URL

  func find(_ entry: Configuration.Entry) -> URL? {
    var places = [package.appending(path: "Protocols/\(entry.name).xml")]
    if let system = entry.system { places = usualPlaces(system) }
    if let found = places.first(where: exists) { return found }
    if let place = entry.system.flatMap(pkgConfigPlace), !places.contains(where: { $0.path == place.path }) {
      places.append(place)
      if exists(place) { return place }
    }
    let looked = places.map { "  \($0.path)" }.joined(separator: "\n")
    var advice = ""
    if let system = entry.system {
      let deb = system.hasPrefix("wayland/") ? "libwayland-dev" : "wayland-protocols"
      advice = "\nInstall the package that brings it, on Debian and Ubuntu: sudo apt-get install \(deb)"
    }
    Diagnostics.error("The Wayland protocol '\(entry.name)' was not found. Looked at:\n\(looked)\(advice)")
    return nil
  }

  private func exists(_ place: URL) -> Bool { FileManager.default.fileExists(atPath: place.path) }

  private func usualPlaces(_ path: String) -> [URL] {
    ["/usr/share", "/usr/local/share"].map { URL(filePath: $0).appending(path: path) }
  }

  private func pkgConfigPlace(_ path: String) -> URL? {
    let parts = path.split(separator: "/", maxSplits: 1)
    guard parts.count == 2, let directory = pkgConfig(String(parts[0])) else { return nil }
    return URL(filePath: directory).appending(path: String(parts[1])).standardizedFileURL
  }

  /// The data directory as pkg-config knows it; asked only after the usual places.
  private func pkgConfig(_ name: String) -> String? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["pkg-config", "--variable=pkgdatadir", name == "wayland" ? "wayland-scanner" : name]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let output = (try? pipe.fileHandleForReading.readToEnd()) ?? nil
    process.waitUntilExit()
    let text = output.map { String(decoding: $0, as: UTF8.self) } ?? ""
    let directory = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return process.terminationStatus == 0 && !directory.isEmpty ? directory : nil
  }
}
