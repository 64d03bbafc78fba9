import Kite

/// What the command line asks for.
struct Options: Equatable {
  /// A picture to be saved on the way.
  struct Screenshot: Equatable {
    /// Position in the media, in seconds.
    var seconds: Double
    /// Where the PNG goes.
    var path: String
  }

  /// Which subtitles are to be shown.
  enum SubtitleChoice: Equatable {
    /// What was added, else what the file marks.
    case usual
    case none
    /// Counted from 1.
    case track(Int)
  }

  var files: [String] = []
  var isFullscreen = false
  /// Where playing begins, in seconds.
  var start: Double?
  /// Media seconds a second.
  var speed: Double?
  var isLooping = false
  /// No sound is read.
  var isSilent = false
  var isMuted = false
  /// Hundredths of the full volume.
  var volume: Double?
  /// The audio track to play, counted from 1.
  var audioTrack: Int?
  /// Files whose sound is added to each file.
  var audioFiles: [String] = []
  /// Subtitle files to add to each file.
  var subtitleFiles: [String] = []
  var subtitles = SubtitleChoice.usual
  var printsStatistics = false
  /// What is logged from; nil: nothing.
  var logLevel: LogLevel?
  /// The file that the log goes to; nil: standard error.
  var logFile: String?
  var showsHelp = false
  var showsVersion = false
  var screenshots: [Screenshot] = []
  var hardware = HardwarePolicy.auto
  /// The node of the device that decodes; nil for the first one that opens.
  var hardwareDevice: String?
  /// Servers at `https` addresses have to prove who they are.
  var verifiesCertificates = true
  /// The authorities that are trusted; nil for the system's.
  var certificateFile: String?
  /// Frames may go to the compositor as dmabufs.
  var usesDmabuf = true
}

/// A command line that can't be followed, with the word that is at fault.
enum OptionsError: Error, Equatable, CustomStringConvertible {
  case unknown(String)
  case missingValue(String, what: String)
  case notANumber(String, value: String)
  case noPolicy(String)
  case noLevel(String)
  case noLogFile(String, reason: String)
  case noFile

  var description: String {
    switch self {
    case .unknown(let option): "there is no option \(option); --help lists those there are"
    case .missingValue(let option, let what): "\(option) wants \(what)"
    case .notANumber(let option, let value): "\(option) wants a number, not '\(value)'"
    case .noPolicy(let value): "--hwdec is auto, off or required, not '\(value)'"
    case .noLevel(let value): "--log is debug, info, warning or error, not '\(value)'"
    case .noLogFile(let path, let reason): "--log-file \(path) can't be written: \(reason)"
    case .noFile: "name a file to play; --help tells more"
    }
  }
}

extension Options {
  /// Reads the words after the program's name. Options may stand anywhere; after `--` every word is a file.
  init(arguments: [String]) throws(OptionsError) {
    var words = arguments[...]
    var onlyFiles = false
    while let word = words.popFirst() {
      if onlyFiles || word == "-" || !word.hasPrefix("-") {
        files.append(word)
        continue
      }
      switch word {
      case "--": onlyFiles = true
      case "--fullscreen", "-f": isFullscreen = true
      case "--loop": isLooping = true
      case "--start": start = try Self.number(of: word, from: words.popFirst(), within: 0 ... .infinity)
      case "--speed": speed = try Self.number(of: word, from: words.popFirst(), within: 0.25...4)
      case "--no-audio": isSilent = true
      case "--no-dmabuf": usesDmabuf = false
      case "--mute": isMuted = true
      case "--volume": volume = try Self.number(of: word, from: words.popFirst(), within: 0...100)
      case "--audio-track":
        audioTrack = Int(try Self.number(of: word, from: words.popFirst(), within: 1...1000))
      case "--audio-file":
        guard let value = words.popFirst() else { throw .missingValue(word, what: "a FILE") }
        audioFiles.append(value)
      case "--sub-file":
        guard let value = words.popFirst() else { throw .missingValue(word, what: "a FILE") }
        subtitleFiles.append(value)
      case "--sub-track":
        let value = words.popFirst()
        subtitles =
          value == "no" ? .none : .track(Int(try Self.number(of: word, from: value, within: 1...1000)))
      case "--log":
        guard let value = words.popFirst() else { throw .missingValue(word, what: "a LEVEL") }
        let levels: [String: LogLevel] = [
          "debug": .debug, "info": .info, "warning": .warning, "error": .error,
        ]
        guard let level = levels[value] else { throw .noLevel(value) }
        logLevel = level
      case "--ca-file":
        guard let value = words.popFirst() else { throw .missingValue(word, what: "a FILE") }
        certificateFile = value
      case "--no-tls-verify": verifiesCertificates = false
      case "--log-file":
        guard let value = words.popFirst() else { throw .missingValue(word, what: "a FILE") }
        logFile = value
      case "--stats": printsStatistics = true
      case "--help", "-h": showsHelp = true
      case "--version", "-V": showsVersion = true
      case _ where word.hasPrefix("--hwdec="):
        let value = String(word.dropFirst("--hwdec=".count))
        guard let policy = HardwarePolicy(rawValue: value) else { throw .noPolicy(value) }
        hardware = policy
      case "--hwdec-device":
        guard let value = words.popFirst() else { throw .missingValue(word, what: "a device's node") }
        hardwareDevice = value
      case "--screenshot-at":
        guard let value = words.popFirst(), let path = words.popFirst() else {
          throw .missingValue(word, what: "SECONDS and FILE.png")
        }
        guard let seconds = Double(value), seconds.isFinite, seconds >= 0 else {
          throw .notANumber(word, value: value)
        }
        screenshots.append(Screenshot(seconds: seconds, path: path))
      default: throw .unknown(word)
      }
    }
    if files.isEmpty, !showsHelp, !showsVersion { throw .noFile }
    screenshots.sort { $0.seconds < $1.seconds }
  }

  private static func number(
    of option: String, from word: String?, within range: ClosedRange<Double>
  ) throws(OptionsError) -> Double {
    guard let word else { throw .missingValue(option, what: "a number") }
    guard let value = Double(word), value.isFinite, range.contains(value) else {
      throw .notANumber(option, value: word)
    }
    return value
  }

  /// What `--help` prints.
  static let help = """
    Usage: kite-wl [OPTIONS] FILE…

    Plays video files, one after the other, in a Wayland window.

      -f, --fullscreen               start in fullscreen
      --start SECONDS                begin there
      --speed RATE                   0.25 to 4; 1 is the usual speed
      --loop                         play each file over and over
      --volume PERCENT               0 to 100
      --mute                         begin without being heard
      --audio-track NUMBER           the audio track to play, counted from 1
      --audio-file FILE              play the sound of this file with the film; may be given more than once
      --no-audio                     read no sound
      --no-dmabuf                    give pictures to the compositor over wl_shm alone
      --sub-file FILE                show the subtitles of this file; may be given more than once
      --sub-track NUMBER|no          the subtitle track to show, counted from 1, or none
      --screenshot-at SECONDS PNG    save the picture shown at that position; may be given more than once
      --hwdec=auto|off|required      whether a device decodes: where one can, never, or else it is an error
      --hwdec-device NODE            the device that decodes, such as /dev/dri/renderD129; else the first that opens
      --ca-file FILE                 trust the authorities whose certificates are in this file, not the system's
      --no-tls-verify                play from https servers that can't prove who they are
      --log LEVEL                    say on standard error what happens: debug, info, warning or error
      --log-file FILE                add that to this file instead; info and above unless --log says otherwise
      --stats                        print what became of the frames, and their path to the screen, at the end
      -h, --help                     print this
      -V, --version                  print the version

    \(KeyBinding.table)

    Exit codes: 0 played, 1 a file could not be played, 2 the command line is wrong, 3 no compositor,
    4 the connection to the compositor was lost.
    """

  /// What `--version` prints.
  static let version = "kite-wl 0.1.0"
}
