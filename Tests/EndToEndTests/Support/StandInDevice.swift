import Foundation
import TestDisplay
import TestMedia

/// A driver of VA-API without a device (`Tests/Support/va-driver.c`): libva and FFmpeg take it for one. Whatever is to be
/// decoded, it shows one picture.
struct StandInDevice {
  /// The driver's folder.
  private let folder: URL
  private let picture: URL

  /// Builds the driver, which shows the first picture of `still` of streams of that size.
  static func make(showing still: StillClip) async throws -> StandInDevice {
    let folder = FileManager.default.temporaryDirectory.appending(path: "kite-va-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let source = CompositorSession.packageRoot.appending(path: "Tests/Support/va-driver.c").path
    let driver = folder.appending(path: "kite_drv_video.so").path
    try await run(["gcc", "-O2", "-shared", "-fPIC", "-o", driver, source])
    let picture = folder.appending(path: "picture.nv12")
    try await run([
      "ffmpeg", "-loglevel", "error", "-nostdin", "-i", try still.clip.path(), "-frames:v", "1", "-pix_fmt",
      "nv12",
      "-f", "rawvideo", picture.path,
    ])
    return StandInDevice(folder: folder, picture: picture)
  }

  /// Removes what was built.
  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// A player that decodes on the device.
  ///
  /// - Parameter faults: what `va-driver.c` is to do wrong, by its variables' names.
  func player(_ arguments: [String], faults: [String: String] = [:], in session: CompositorSession) throws
    -> PlayerProcess
  {
    var environment = session.environment
    environment["LIBVA_DRIVER_NAME"] = "kite"
    environment["LIBVA_DRIVERS_PATH"] = folder.path
    environment["KITE_VA_PICTURE"] = picture.path
    // Any device's node passes for one that draws, with that.
    environment["LD_PRELOAD"] = folder.appending(path: "kite_drv_video.so").path
    for (name, value) in faults { environment[name] = value }
    return try PlayerProcess(
      ["--stats", "--hwdec-device", "/dev/null"] + arguments, environment: environment)
  }

  private static func run(_ command: [String]) async throws {
    let process = try ChildProcess(command, environment: ProcessInfo.processInfo.environment)
    guard await process.wait(atMost: .seconds(60)) == .exited(0) else {
      throw TestDisplayError.noScreenshot("\(command[0]): \(process.errors)")
    }
  }
}
