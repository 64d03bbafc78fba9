/// Why a test clip or a reference picture can't be made.
public enum TestMediaError: Error, CustomStringConvertible {
  /// The command is in no folder of `PATH`.
  case missingCommand(String)
  /// The command ended with a failure; its last words.
  case failed(command: String, status: Int32, message: String)
  /// The file system said no.
  case file(path: String, reason: String)
  /// The command's output isn't what was asked for.
  case unexpectedOutput(String)

  public var description: String {
    switch self {
    case .missingCommand(let name):
      "The command \(name) is missing. Install the Debian package ffmpeg, which brings it: apt install ffmpeg"
    case .failed(let command, let status, let message): "\(command) ended with \(status): \(message)"
    case .file(let path, let reason): "\(path): \(reason)"
    case .unexpectedOutput(let text): text
    }
  }
}
