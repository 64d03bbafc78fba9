import Glibc
import KiteSystem
import Wayland
import WaylandToolkit

/// Opens a window of one colour and says what becomes of it.
@MainActor
enum WindowProbe {
  static func run(_ words: [String]) {
    do {
      let start = MonotonicTime.now
      let loop = try MainLoop()
      let connection = try Connection.connect()
      connection.onError = {
        print("error \($0)")
        loop.stop()
      }
      loop.add(connection)
      let sides = words[1].split(separator: "x").compactMap { Int($0) }
      let window = try Window(
        connection, title: "Probe", appID: "kite.probe", size: LogicalSize(width: sides[0], height: sides[1]))
      let content = ColorContent(words[0], start: start)
      content.subsurfaceColor = words.firstIndex(of: "subsurface").map { words[$0 + 1] }
      window.content = content
      window.onCloseRequest = { loop.stop() }
      if words.contains("fullscreen") { window.setFullscreen(true) }
      try window.show()
      let input = InputEnd { loop.stop() }
      loop.add(input)
      loop.run()
      print("formats \(connection.shmFormats.count) outputs \(connection.outputs.compactMap(\.info))")
      window.close()
      connection.close()
    } catch { print("error \(error)") }
  }
}

/// Fills a window with one colour, and a subsurface in its middle with another.
@MainActor
final class ColorContent: WindowContent {
  private let color: SolidColor
  private let start: MonotonicTime
  var subsurfaceColor: String?
  private var viewport: WpViewport?
  private var pool: ShmPool?
  private var subsurface: Subsurface?
  private var subsurfacePool: ShmPool?
  private var isFirst = true

  init(_ color: String, start: MonotonicTime) {
    self.color = Self.color(color)
    self.start = start
  }

  func window(_ window: Window, draw geometry: WindowGeometry) {
    print(
      "draw \(geometry.size.width)x\(geometry.size.height) \(geometry.scale120) \(geometry.state.rawValue)")
    do {
      try drawBackground(window, geometry)
      if let subsurfaceColor { try drawSubsurface(window, geometry, Self.color(subsurfaceColor)) }
    } catch { print("error \(error)") }
    guard isFirst else { return }
    isFirst = false
    let start = start
    window.surface.frame().onEvent = { _ in
      print("shown after \((MonotonicTime.now.nanoseconds - start.nanoseconds) / 1000) us")
      fflush(nil)
    }
  }

  func windowWillHide(_ window: Window) { print("hidden") }

  private func drawBackground(_ window: Window, _ geometry: WindowGeometry) throws(ToolkitError) {
    if let viewporter = window.connection.viewporter {
      if viewport == nil {
        viewport = viewporter.getViewport(window.surface)
        window.surface.attach(try window.connection.makeBuffer(of: color), x: 0, y: 0)
      }
      viewport?.setDestination(width: Int32(geometry.size.width), height: Int32(geometry.size.height))
    } else {
      pool?.close()
      let pool = try ShmPool(
        window.connection, width: geometry.size.width, height: geometry.size.height, count: 1)
      pool.buffers[0].fill(color.pixel)
      window.surface.attach(pool.buffers[0].proxy, x: 0, y: 0)
      pool.buffers[0].markBusy()
      self.pool = pool
    }
    window.surface.damage(x: 0, y: 0, width: .max, height: .max)
  }

  private func drawSubsurface(
    _ window: Window, _ geometry: WindowGeometry, _ color: SolidColor
  ) throws(ToolkitError) {
    let (width, height) = (geometry.size.width / 2, geometry.size.height / 2)
    if subsurface == nil { subsurface = try Subsurface(window.connection, parent: window.surface) }
    guard let subsurface else { return }
    let pool = try ShmPool(window.connection, width: width, height: height, count: 1)
    subsurfacePool = pool
    guard let buffer = pool.next() else { return }
    buffer.fill(color.pixel)
    subsurface.setPosition(x: width / 2, y: height / 2)
    subsurface.surface.attach(buffer.proxy, x: 0, y: 0)
    subsurface.surface.damage(x: 0, y: 0, width: .max, height: .max)
    subsurface.surface.commit()
    buffer.markBusy()
  }

  private static func color(_ text: String) -> SolidColor {
    let value = UInt32(text, radix: 16) ?? 0
    return SolidColor(
      red: UInt8(value >> 16 & 0xff), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff))
  }
}

extension SolidColor {
  fileprivate var pixel: UInt32 { 0xff00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}

/// Says when the standard input ends.
final class InputEnd: PollSource {
  let descriptor: Int32 = STDIN_FILENO
  private let action: () -> Void
  init(_ action: @escaping () -> Void) { self.action = action }
  func prepare() -> PollEvents { .read }
  func process(_ events: PollEvents) {
    guard !events.isEmpty else { return }
    var bytes = [UInt8](repeating: 0, count: 64)
    if read(descriptor, &bytes, 64) <= 0 { action() }
  }
}
