// A view in a window of SDL 2, on a loop of the program's own. embed-sdl2 FILE
import CSDL2
import Glibc
import Kite

/// The margin around the view, in logical pixels.
let margin: Int32 = 20

/// Where the view is in a window of that size.
func frame(of window: OpaquePointer) -> PixelRect {
  var (width, height): (Int32, Int32) = (0, 0)
  SDL_GetWindowSize(window, &width, &height)
  return PixelRect(
    x: Int(margin), y: Int(margin), width: Int(width - 2 * margin), height: Int(height - 2 * margin))
}

/// One turn of what Kite needs beside SDL's events: at most `milliseconds` are waited for.
@MainActor func turn(_ sources: [any PollSource], milliseconds: Int32) {
  var waits = sources.map { source in
    let events = source.prepare()
    return pollfd(fd: source.descriptor, events: events.rawValue, revents: 0)
  }
  poll(&waits, nfds_t(waits.count), milliseconds)
  for (source, wait) in zip(sources, waits) { source.process(PollEvents(rawValue: wait.revents)) }
}

@MainActor func run(_ file: String) throws {
  SDL_SetMainReady()
  let flags = SDL_WINDOW_RESIZABLE.rawValue
  guard SDL_Init(SDL_INIT_VIDEO) == 0, let window = SDL_CreateWindow("SDL 2", 0, 0, 360, 220, flags) else {
    print("SDL: \(String(cString: SDL_GetError()))")
    exit(1)
  }
  var (display, surface): (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) = (nil, nil)
  guard kite_sdl_wayland(window, &display, &surface), let display, let surface else {
    print("SDL is not on Wayland: set SDL_VIDEODRIVER=wayland")
    exit(1)
  }
  let connection = try Connection.join(foreign: display)
  let player = KitePlayer()
  let view = try KitePlayerView(connection: connection, foreignParent: surface, frame: frame(of: window))
  view.player = player
  player.startOpening(MediaLocation(file), playsWhenReady: true)
  let sources: [any PollSource] = connection.sources + [MainQueueSource()]
  var isRunning = true
  // SDL commits its surface when it is painted: the view's place comes with that.
  var needsPaint = true
  while isRunning {
    var event = SDL_Event()
    while SDL_PollEvent(&event) != 0 {
      if event.type == SDL_QUIT.rawValue { isRunning = false }
      if event.type == SDL_WINDOWEVENT.rawValue { needsPaint = true }
    }
    if needsPaint {
      view.move(to: frame(of: window))
      needsPaint = !kite_sdl_fill(window, 0x30, 0x50, 0x30)
    }
    turn(sources, milliseconds: 10)
  }
  // Before the window goes.
  view.close()
  player.close()
  connection.close()
  SDL_DestroyWindow(window)
  SDL_Quit()
}

guard CommandLine.arguments.count == 2 else {
  print("embed-sdl2 FILE")
  exit(2)
}
do { try run(CommandLine.arguments[1]) } catch {
  print(error)
  exit(1)
}
