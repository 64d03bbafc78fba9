// The view's lifecycle with a real player in a real compositor: says what it does, and stays for a screenshot.
// view-probe paused SECONDS FILE | two FILE | move FILE
import Glibc
import Kite

/// One script, step after step; a step that does not come about within half a minute ends the program.
@MainActor
final class ViewProbe {
  let connection: Connection
  let loop: MainLoop
  let player = KitePlayer()
  var windows: [Window] = []
  var views: [KitePlayerView] = []

  init() throws {
    connection = try Connection.connect()
    loop = try MainLoop()
    loop.add(connection)
  }

  /// A window with a view in it, or alone.
  func open(hasView: Bool = true) throws {
    let window = try Window(
      connection, title: "Probe", appID: "view-probe-\(windows.count)",
      size: LogicalSize(width: 320, height: 180))
    windows.append(window)
    if hasView { views.append(try KitePlayerView(in: window)) }
    try window.show()
  }

  /// Takes turns until `condition` holds, and says so.
  func wait(for step: String, until condition: () -> Bool) {
    let deadline = MonotonicTime.now + 30_000_000_000
    while !condition() {
      guard .now < deadline else {
        print("no \(step): \(player.state), \(views.map { $0.diagnostics })")
        exit(1)
      }
      loop.turn(timeout: 20_000_000)
    }
    let milliseconds = player.position.nanoseconds / 1_000_000
    print("\(step): \(player.status) at \(milliseconds) ms")
    fflush(nil)
  }

  func paused(at seconds: Double, _ file: String) throws {
    player.startOpening(MediaLocation(file))
    wait(for: "open") { player.status == .paused }
    if seconds > 0 {
      player.seek(to: MediaTime(seconds: seconds))
      wait(for: "sought") { player.position == MediaTime(seconds: seconds) && player.status == .paused }
    }
    try open()
    views[0].player = player
    wait(for: "shown") { views[0].hasPicture }
    windows[0].hide()
    wait(for: "hidden") { !views[0].hasPicture && views[0].framesInFlight == 0 }
    try windows[0].show()
    wait(for: "shown again") { views[0].hasPicture }
  }

  func two(_ file: String) throws {
    try open()
    try open()
    player.startOpening(MediaLocation(file), playsWhenReady: true)
    views[0].player = player
    wait(for: "first") { views[0].hasPicture }
    views[1].player = player
    wait(for: "second") { views[1].hasPicture && views[0].isDisplaced && views[0].hasPicture }
    views[1].player = nil
    wait(for: "first again") { !views[0].isDisplaced && views[1].hasPicture }
  }

  func move(_ file: String) throws {
    try open()
    try open(hasView: false)
    player.startOpening(MediaLocation(file), playsWhenReady: true)
    views[0].player = player
    wait(for: "first window") { views[0].hasPicture }
    try views[0].move(to: windows[1])
    wait(for: "second window") { views[0].hasPicture }
    windows[0].hide()
    wait(for: "first hidden") { views[0].hasPicture }
  }
}

let words = Array(CommandLine.arguments.dropFirst())
do {
  let probe = try ViewProbe()
  switch (words.first, words.count) {
  case ("paused"?, 3): try probe.paused(at: Double(words[1]) ?? 0, words[2])
  case ("two"?, 2): try probe.two(words[1])
  case ("move"?, 2): try probe.move(words[1])
  default:
    print("view-probe paused SECONDS FILE | two FILE | move FILE")
    exit(2)
  }
  print("done")
  fflush(nil)
  probe.loop.run()
} catch {
  print(error)
  exit(1)
}
