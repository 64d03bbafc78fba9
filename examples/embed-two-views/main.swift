// Two views side by side in one window that draws itself. embed-two-views FILE FILE
import Glibc
import Kite

/// The app's own drawing, and the places of the views in it.
@MainActor
final class TwoViews: WindowContent {
  private static let margin = 20
  private let views: [KitePlayerView]
  private var pools: [ShmPool] = []

  init(_ views: [KitePlayerView]) { self.views = views }

  func window(_ window: Window, draw geometry: WindowGeometry) {
    let (width, height) = (geometry.size.width, geometry.size.height)
    let inner = (width - 3 * Self.margin) / 2
    for (index, view) in views.enumerated() {
      // Places are the window's state: they change with the commit that follows this, together with what is drawn here.
      view.move(
        to: PixelRect(
          x: Self.margin + index * (inner + Self.margin), y: Self.margin, width: inner,
          height: height - 2 * Self.margin))
    }
    guard let pool = try? ShmPool(window.connection, width: width, height: height, count: 1) else { return }
    // The one before is on the screen until the commit.
    pools = pools.suffix(1) + [pool]
    pool.buffers[0].fill(0xFF30_5030)
    window.surface.attach(pool.buffers[0].proxy, x: 0, y: 0)
    window.surface.damage(x: 0, y: 0, width: .max, height: .max)
  }

  func windowWillHide(_ window: Window) {}
}

@MainActor func run(_ files: [String]) throws {
  let connection = try Connection.connect()
  let loop = try MainLoop()
  loop.add(connection)
  let window = try Window(
    connection, title: "Two views", appID: "embed-two-views", size: LogicalSize(width: 700, height: 220))
  let players = files.map { _ in KitePlayer() }
  let views = try players.map { player in
    let view = try KitePlayerView(connection: connection, parent: window.surface, frame: .zero)
    view.player = player
    return view
  }
  let content = TwoViews(views)
  window.content = content
  window.onCloseRequest = { loop.stop() }
  connection.onError = { error in
    print(error)
    loop.stop()
  }
  try window.show()
  for (player, file) in zip(players, files) {
    player.startOpening(MediaLocation(file), playsWhenReady: true)
  }
  loop.run()
  for view in views { view.close() }
  window.close()
  connection.close()
}

let files = Array(CommandLine.arguments.dropFirst().prefix(2))
do {
  guard files.count == 2 else {
    print("embed-two-views FILE FILE")
    exit(2)
  }
  try run(files)
} catch {
  print(error)
  exit(1)
}
