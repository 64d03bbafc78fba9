import Kite

/// Draws the window: one colour, and the view with a margin around it.
final class Canvas: WindowContent {
  let view: KitePlayerView
  var pools: [ShmPool] = []
  init(_ view: KitePlayerView) { self.view = view }

  func window(_ window: Window, draw geometry: WindowGeometry) {
    let (width, height) = (geometry.size.width, geometry.size.height)
    view.move(to: PixelRect(x: 20, y: 20, width: width - 40, height: height - 40))
    guard let pool = try? ShmPool(window.connection, width: width, height: height, count: 1) else { return }
    pools = pools.suffix(1) + [pool]
    pool.buffers[0].fill(0xFF30_5030)
    window.surface.attach(pool.buffers[0].proxy, x: 0, y: 0)
    window.surface.damage(x: 0, y: 0, width: .max, height: .max)
  }
  func windowWillHide(_ window: Window) {}
}

let (connection, loop, player) = (try Connection.connect(), try MainLoop(), KitePlayer())
loop.add(connection)
let size = LogicalSize(width: 360, height: 220)
let window = try Window(connection, title: "Film", appID: "org.example.Film", size: size)
let view = try KitePlayerView(connection: connection, parent: window.surface, frame: .zero)
let canvas = Canvas(view)
window.content = canvas
window.onCloseRequest = { loop.stop() }
view.player = player
try window.show()
player.startOpening(MediaLocation(CommandLine.arguments.last ?? ""), playsWhenReady: true)
loop.run()
