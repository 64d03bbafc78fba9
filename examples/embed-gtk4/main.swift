// A view in a window of GTK 4, on GLib's loop. embed-gtk4 FILE
import CGtk4
import Glibc
import Kite

/// The video in a drawing area: GTK draws what is around it.
@MainActor
final class GtkVideo {
  private static let margin = 20
  private let player = KitePlayer()
  private let main = MainQueueSource()
  private var connection: Connection?
  private var view: KitePlayerView?
  fileprivate let loop = g_main_loop_new(nil, 0)

  init(_ file: String) { player.startOpening(MediaLocation(file), playsWhenReady: true) }

  /// The area has its place: the view is made when there is a surface, and moved from then on. GTK commits its surface
  /// after it has drawn, and the view's place with it.
  fileprivate func place(_ area: UnsafeMutablePointer<GtkWidget>, width: Int, height: Int) {
    var (x, y) = (0.0, 0.0)
    kite_gtk_origin(area, &x, &y)
    let frame = PixelRect(
      x: Int(x) + Self.margin, y: Int(y) + Self.margin, width: width - 2 * Self.margin,
      height: height - 2 * Self.margin)
    if let view { return view.move(to: frame) }
    guard let display = kite_gtk_display(area), let surface = kite_gtk_surface(area) else {
      print("GTK is not on Wayland: set GDK_BACKEND=wayland")
      return g_main_loop_quit(loop)
    }
    do throws(ToolkitError) {
      let connection = try Connection.join(foreign: display)
      let view = try KitePlayerView(connection: connection, foreignParent: surface, frame: frame)
      view.player = player
      self.connection = connection
      self.view = view
      follow(connection)
    } catch {
      print(error)
      g_main_loop_quit(loop)
    }
  }

  /// Before the window goes.
  fileprivate func close() {
    view?.close()
    player.close()
    connection?.close()
    g_main_loop_quit(loop)
  }

  /// GLib's loop serves the connection's sources, and Swift's main queue.
  private func follow(_ connection: Connection) {
    let descriptors = sources.map(\.descriptor)
    kite_add_source(
      descriptors, Int32(descriptors.count),
      { data in GtkVideo.from(data).prepare() }, { data in GtkVideo.from(data).process() },
      Unmanaged.passUnretained(self).toOpaque())
  }

  private var sources: [any PollSource] { (connection?.sources ?? []) + [main] }

  private func prepare() {
    for source in sources { _ = source.prepare() }
  }

  private func process() {
    for source in sources where source.descriptor >= 0 {
      var ready = pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&ready, 1, 0) > 0 { source.process(PollEvents(rawValue: ready.revents)) }
    }
  }

  /// The object that C was given; GTK calls on the main thread.
  fileprivate nonisolated static func from(_ data: UnsafeMutableRawPointer?) -> GtkVideo {
    guard let data else { preconditionFailure("GTK calls with the data it was given") }
    return Unmanaged<GtkVideo>.fromOpaque(data).takeUnretainedValue()
  }
}

guard CommandLine.arguments.count == 2 else {
  print("embed-gtk4 FILE")
  exit(2)
}
gtk_init()
let video = GtkVideo(CommandLine.arguments[1])
let window = kite_gtk_window(
  "GTK 4", 360, 220,
  { _, cairo, width, height, _ in
    cairo_set_source_rgb(cairo, 0x30 / 255.0, 0x50 / 255.0, 0x30 / 255.0)
    cairo_paint(cairo)
  },
  { area, width, height, data in
    guard let area else { return }
    area.withMemoryRebound(to: GtkWidget.self, capacity: 1) { widget in
      GtkVideo.from(data).place(widget, width: Int(width), height: Int(height))
    }
  },
  { _, data in
    GtkVideo.from(data).close()
    return 0
  }, Unmanaged.passUnretained(video).toOpaque())
kite_gtk_present(window)
g_main_loop_run(video.loop)
