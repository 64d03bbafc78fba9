import Glibc
import Kite

/// What the process tells its caller.
enum ExitCode: Int32 {
  /// Everything was played, or the user quit.
  case played = 0
  /// A file could not be played.
  case notPlayed = 1
  /// The command line is wrong.
  case usage = 2
  /// There is no compositor to connect to.
  case noCompositor = 3
  /// The connection was lost while playing.
  case connectionLost = 4
}

/// From the words of the command line to an exit code.
@MainActor
enum Command {
  static func run(_ arguments: [String]) -> Int32 {
    do throws(OptionsError) {
      let options = try Options(arguments: arguments)
      if options.showsHelp {
        print(Options.help)
        return ExitCode.played.rawValue
      }
      if options.showsVersion {
        print(Options.version)
        return ExitCode.played.rawValue
      }
      if let path = options.logFile {
        let file = try LogFile(appendingTo: path)
        KiteLog.send(from: options.logLevel ?? .info) { file.write($0) }
      } else if let level = options.logLevel {
        KiteLog.send(from: level) { entry in
          complain("\(entry.level) \(entry.subsystem.rawValue): \(entry.subject): \(entry.message)")
        }
      }
      return PlayerApp.run(options).rawValue
    } catch {
      complain("\(error)")
      return ExitCode.usage.rawValue
    }
  }

  /// One line on standard error; on any thread.
  nonisolated static func complain(_ text: String) {
    let line = "kite-wl: \(text)\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  }
}
