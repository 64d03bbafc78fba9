import Foundation
import TestDisplay
import TestMedia

/// `kite-wl` as it was built with the tests, run the way a user runs it.
struct PlayerProcess {
  let process: ChildProcess

  /// The program: beside the program that runs the tests.
  static let path: String = {
    let own =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      ?? CommandLine.arguments[0]
    return URL(filePath: own).deletingLastPathComponent().appending(path: "kite-wl").path
  }()

  /// One that was started in another way.
  init(process: ChildProcess) { self.process = process }

  /// Starts it as a client of `session`.
  init(_ arguments: [String], in session: CompositorSession) throws {
    process = try session.launch([Self.path] + arguments)
  }

  /// Starts it with exactly these variables.
  init(_ arguments: [String], environment: [String: String]) throws {
    process = try ChildProcess([Self.path] + arguments, environment: environment)
  }

  /// How it ends by itself. One that hangs is killed, which is an ending of its own.
  func ending(within limit: Duration = .seconds(60)) async -> ChildProcess.Ending {
    if let ending = await process.wait(atMost: limit) { return ending }
    await process.kill()
    return .signalled(SIGKILL)
  }

  /// How it ends when it is asked to.
  func quit() async -> ChildProcess.Ending {
    process.send(SIGTERM)
    return await ending(within: .seconds(20))
  }

  /// The lines on standard error.
  var errorLines: [String] { process.errors.split(separator: "\n").map(String.init) }

  /// What `--stats` printed under this heading.
  func statistic(_ heading: String) -> String? {
    let line = process.output.split(separator: "\n").first { $0.hasPrefix(heading + ": ") }
    return line.map { String($0.dropFirst(heading.count + 2)) }
  }

  /// The ledger that `--stats` printed.
  var ledger: Ledger? { statistic("frames").flatMap { Ledger($0) } }
}

/// What became of the frames.
struct Ledger: Equatable {
  let presented: Int
  let superseded: Int
  let failed: Int
  let inFlight: Int
  let accepted: Int

  /// Reads `61 presented, 0 superseded, 0 failed, 1 in flight, of 62 accepted`.
  init?(_ text: String) {
    let pattern =
      /(\d+) presented, (\d+) superseded, (\d+) failed, (\d+) in flight, of (\d+) accepted/
    guard let match = text.wholeMatch(of: pattern), let presented = Int(match.1),
      let superseded = Int(match.2),
      let failed = Int(match.3), let inFlight = Int(match.4), let accepted = Int(match.5)
    else { return nil }
    (self.presented, self.superseded, self.failed) = (presented, superseded, failed)
    (self.inFlight, self.accepted) = (inFlight, accepted)
  }
}
