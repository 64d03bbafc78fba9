// The view's lifecycle with a real player in a real compositor: says what it does, and stays for a screenshot.
// view-probe paused SECONDS FILE | two FILE | move FILE | factories FILE | failing FILE | close FILE
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

  /// A factory that fails, one that has nothing, and at last one that serves; the film plays on meanwhile.
  func factories(_ file: String) throws {
    try open()
    let failing = TroubledFactory(.throwing)
    views[0].rendererFactory = failing
    player.startOpening(MediaLocation(file), playsWhenReady: true)
    views[0].player = player
    wait(for: "failed") { failing.count > 0 && views[0].diagnostics.reason.contains("on purpose") }
    let empty = TroubledFactory(.empty)
    views[0].rendererFactory = empty
    wait(for: "empty") { empty.count > 0 && player.status == .playing && !views[0].hasPicture }
    views[0].rendererFactory = StandardRendererFactory()
    wait(for: "served late") { views[0].hasPicture }
  }

  /// A renderer that fails once its picture is there.
  func failing(_ file: String) throws {
    try open()
    let factory = TroubledFactory(.breaking)
    views[0].rendererFactory = factory
    player.startOpening(MediaLocation(file), playsWhenReady: true)
    views[0].player = player
    wait(for: "rebuilt") { factory.wishes.count == 2 && views[0].diagnostics.reason.contains("on purpose") }
    guard factory.wishes == [true, false] else {
      print("not the safer path: \(factory.wishes)")
      exit(1)
    }
    let before = views[0].presentedFrames
    wait(for: "shown") { views[0].hasPicture && views[0].presentedFrames > before }
  }

  /// Closed while frames are with the compositor; another view takes the window and the player.
  func close(_ file: String) throws {
    try open()
    player.startOpening(MediaLocation(file), playsWhenReady: true)
    views[0].player = player
    wait(for: "shown") { views[0].presentedFrames > 3 && views[0].framesInFlight > 0 }
    views[0].close()
    views[0].close()
    wait(for: "settled") { views[0].framesInFlight == 0 && !views[0].hasPicture && player.status == .playing }
    let counts = views[0].frameCounts
    guard counts.presented + counts.superseded + counts.failed == counts.accepted else {
      print("the ledger is wrong: \(counts)")
      exit(1)
    }
    views.append(try KitePlayerView(in: windows[0]))
    views[1].player = player
    wait(for: "shown by another view") { views[1].hasPicture }
  }
}

/// A factory with a fault.
@MainActor
final class TroubledFactory: RendererFactory {
  enum Fault { case throwing, empty, breaking }

  struct Broken: Error, CustomStringConvertible {
    let description = "broken on purpose"
  }

  private let fault: Fault
  private(set) var count = 0
  /// Whether each renderer that was asked for may use kernel buffers.
  private(set) var wishes: [Bool] = []

  init(_ fault: Fault) { self.fault = fault }

  func makeRenderer(for target: RendererTarget) throws -> (any ViewRenderer)? {
    count += 1
    wishes.append(target.prefersDmabuf)
    switch fault {
    case .throwing: throw Broken()
    case .empty: return nil
    case .breaking:
      guard count == 1 else { return try StandardRendererFactory().makeRenderer(for: target) }
      let broken = RendererTarget(
        display: target.display, surface: target.surface, viewport: target.viewport, ledger: target.ledger,
        prefersDmabuf: target.prefersDmabuf, geometry: target.geometry
      ) { report in
        target.report(report)
        if case .pictureShown = report { target.report(.failed(reason: "broken on purpose")) }
      }
      return try StandardRendererFactory().makeRenderer(for: broken)
    }
  }
}

let words = Array(CommandLine.arguments.dropFirst())
do {
  let probe = try ViewProbe()
  switch (words.first, words.count) {
  case ("paused"?, 3): try probe.paused(at: Double(words[1]) ?? 0, words[2])
  case ("two"?, 2): try probe.two(words[1])
  case ("move"?, 2): try probe.move(words[1])
  case ("factories"?, 2): try probe.factories(words[1])
  case ("failing"?, 2): try probe.failing(words[1])
  case ("close"?, 2): try probe.close(words[1])
  default:
    print(
      "view-probe paused SECONDS FILE | two FILE | move FILE | factories FILE | failing FILE | close FILE")
    exit(2)
  }
  print("done")
  fflush(nil)
  probe.loop.run()
} catch {
  print(error)
  exit(1)
}
