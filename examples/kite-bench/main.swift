import Glibc

// kite-bench FILE…: plays the files in Kite, mpv and GStreamer on the compositor of WAYLAND_DISPLAY, and prints what it
// cost. --paths: in Kite alone, with dmabufs and without. --endurance SECONDS [--stalls] FILE: one for long.
// --pacing SECONDS FILE…: how frames come to the screen, in Kite and in mpv.
// --seek FILE: how long a seek takes, in Kite and in mpv.
// `.setup/bench` makes the files and brings up the compositors.

let arguments = Array(CommandLine.arguments.dropFirst())
let program = "/proc/self/exe"
do {
  if arguments.first == "--decode", arguments.count == 2 {
    let line = try DecodeOnly.run(arguments[1]) + "\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  } else if arguments.isEmpty {
    print(
      """
      Usage: kite-bench [--paths] FILE… | kite-bench --endurance SECONDS [--stalls] FILE
             | kite-bench --pacing SECONDS FILE… | kite-bench --seek FILE
      """)
    exit(2)
  } else if arguments.first == "--endurance", arguments.count >= 3, let seconds = Int(arguments[1]) {
    let isFine = try Endurance.run(
      arguments[arguments.count - 1], seconds: seconds, stalls: arguments.contains("--stalls"))
    fflush(nil)
    _exit(isFine ? 0 : 1)
  } else if arguments.first == "--seek", arguments.count == 2 {
    let isFine = try SeekRun.run(arguments[1])
    fflush(nil)
    _exit(isFine ? 0 : 1)
  } else if arguments.first == "--pacing", arguments.count >= 3, let seconds = Int(arguments[1]) {
    let isFine = try PacingRun.run(Array(arguments.dropFirst(2)), seconds: seconds)
    fflush(nil)
    _exit(isFine ? 0 : 1)
  } else {
    let own = try Bench.path(of: program)
    let folder = own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let kite = "\(folder)/kite-wl"
    let comparesPaths = arguments[0] == "--paths"
    let contenders: [Contender] =
      comparesPaths ? [.kite(kite), .kite(kite, "--no-dmabuf")] : [.kite(kite), .mpv, .gstreamer]
    let bench = Bench(contenders: contenders, program: own)
    for file in arguments.dropFirst(comparesPaths ? 1 : 0) {
      try bench.run(file)
      // A table is seen as soon as it is there, also through a pipe.
      fflush(nil)
    }
  }
} catch {
  print("kite-bench: \(error)")
  exit(1)
}
