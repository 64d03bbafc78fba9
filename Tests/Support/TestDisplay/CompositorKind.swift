import Foundation

/// The compositors that `.setup/with-compositor` can run.
public enum CompositorKind: String, Sendable, CaseIterable, CustomStringConvertible {
  /// Weston with its software renderer: takes RGB alone.
  case weston
  /// Weston with OpenGL in software: takes YUV in shared memory, and reads it as BT.601.
  case westonGL = "weston-gl"
  /// Sway with its software renderer: tiles, scales by fractions.
  case sway

  public var description: String { rawValue }

  /// The commands without which it can't be run or looked at, each with the Debian package that brings it.
  private var commands: [(name: String, package: String)] {
    switch self {
    case .weston, .westonGL: [("weston", "weston"), ("weston-screenshooter", "weston"), ("ffmpeg", "ffmpeg")]
    case .sway: [("sway", "sway"), ("grim", "grim"), ("ffmpeg", "ffmpeg")]
    }
  }

  /// Why it can't be run here; nil when it can.
  public var obstacle: String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let folders = path.split(separator: ":")
    for command in commands
    where !folders.contains(where: { FileManager.default.isExecutableFile(atPath: "\($0)/\(command.name)") })
    {
      return "\(command.name) is not installed: apt install \(command.package)"
    }
    return nil
  }
}
