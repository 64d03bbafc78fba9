/// Reads what libwayland prints of a client's requests with `WAYLAND_DEBUG=1`: the same evidence for every player.
struct WireLog {
  /// Pictures that were attached and committed: attachments of buffers of at least a quarter of the video's size.
  private(set) var pictures = 0
  /// Commits that the compositor says were on the screen; nil for a player that doesn't ask. Of two commits within one
  /// repaint only the second one is.
  private(set) var presented: Int?
  /// Repaints of the compositor that had a commit of the player to draw: frame callbacks of different times.
  private(set) var drawn = 0
  /// When the first one was, in nanoseconds since exec.
  private(set) var firstPicture: Int64?

  private let least: Int
  /// Pixels of each buffer, by its name on the wire.
  private var buffers: [Substring: Int] = [:]
  /// Callbacks that were asked for and have not come.
  private var callbacks: Set<Substring> = []
  private var lastRepaint: Substring?

  /// A log of a player that shows a video of `width` × `height`.
  init(width: Int, height: Int) { least = width * height / 4 }

  /// Takes one line, printed `time` nanoseconds after exec.
  mutating func take(_ line: Substring, at time: Int64) {
    // [1234.567]  -> wl_shm_pool@9.create_buffer(new id wl_buffer@10, 0, 1280, 720, 5120, 1)
    guard let arrow = line.firstRange(of: "-> ") else {
      if line.contains("wp_presentation_feedback"), line.contains(".presented(") {
        presented = (presented ?? 0) + 1
      } else if let arguments = Self.arguments(of: ".done(", in: line), let repaint = arguments.first,
        let name = line.prefix(while: { $0 != "(" }).split(separator: " ").last?.dropLast(".done".count),
        callbacks.remove(name) != nil, repaint != lastRepaint
      {
        lastRepaint = repaint
        drawn += 1
      }
      return
    }
    let request = line[arrow.upperBound...]
    if let arguments = Self.arguments(of: ".create_buffer(new id ", in: request), arguments.count >= 4,
      let width = Int(arguments[2]), let height = Int(arguments[3])
    {
      buffers[arguments[0]] = width * height
    } else if let arguments = Self.arguments(of: ".frame(new id ", in: request), let name = arguments.first {
      callbacks.insert(name)
    } else if let arguments = Self.arguments(of: ".attach(", in: request), let buffer = arguments.first,
      let pixels = buffers[buffer], pixels >= least
    {
      pictures += 1
      if firstPicture == nil { firstPicture = time }
    }
  }

  private static func arguments(of name: String, in request: Substring) -> [Substring]? {
    guard let start = request.firstRange(of: name), let end = request.lastIndex(of: ")") else { return nil }
    return request[start.upperBound..<end].split(separator: ",").map { word in
      word.drop { $0 == " " }
    }
  }
}
