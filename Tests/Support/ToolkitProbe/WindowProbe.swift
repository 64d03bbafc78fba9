import Glibc
import KiteSystem
import Wayland
import WaylandToolkit

/// Opens a window of one colour, says what becomes of it, and ends after a screenshot or when the window is
/// closed.
@MainActor
final class WindowProbe {
  private let loop: MainLoop
  private let connection: Connection
  private let window: Window
  private let content: ColorContent
  private let words: [String]

  static func run(_ words: [String]) {
    do {
      let start = MonotonicTime.now
      let probe = try WindowProbe(words)
      probe.content.onFirstFrame = {
        print("shown after \((MonotonicTime.now.nanoseconds - start.nanoseconds) / 1000) us")
        probe.wasShown()
      }
      try probe.window.show()
      probe.loop.run()
      // They refer to the probe, which has them.
      probe.content.onFirstFrame = nil
      print("formats \(probe.connection.shmFormats.count) outputs \(probe.connection.outputs.count)")
      probe.content.close()
      probe.window.close()
      probe.connection.close()
    } catch { print("error \(error)") }
  }

  private init(_ words: [String]) throws {
    self.words = words
    let loop = try MainLoop()
    self.loop = loop
    connection = try Connection.connect()
    connection.onError = {
      print("error \($0)")
      loop.stop()
    }
    loop.add(connection)
    let sides = words[1].split(separator: "x").compactMap { Int($0) }
    window = try Window(
      connection, title: "Probe", appID: "kite.probe",
      size: LogicalSize(width: sides.first ?? 0, height: sides.last ?? 0))
    content = ColorContent(words[0], subsurface: words.firstIndex(of: "subsurface").map { words[$0 + 1] })
    window.content = content
    window.onCloseRequest = { loop.stop() }
    if words.contains("fullscreen") { window.setFullscreen(true) }
  }

  /// Frames reach the output with its next repaint; in nanoseconds.
  private var settling: Int64 {
    let milliseconds = words.firstIndex(of: "settling").flatMap { Int64(words[$0 + 1]) }
    return (milliseconds ?? 200) * 1_000_000
  }

  private func wasShown() {
    guard words.contains("hidden") || words.contains("reshown") else { return takeScreenshot() }
    window.hide()
    guard words.contains("reshown") else { return takeScreenshot() }
    loop.after(settling) { [self] in
      do { try window.show() } catch { print("error \(error)") }
      content.onFirstFrame = { [self] in takeScreenshot() }
    }
  }

  private func takeScreenshot() {
    guard let index = words.firstIndex(of: "screenshot") else { return }
    loop.after(settling) { [self] in
      if system(".setup/screenshot '\(words[index + 1])'") != 0 { print("error no screenshot") }
      loop.stop()
    }
  }
}
