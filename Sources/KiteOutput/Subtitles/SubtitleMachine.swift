import KiteCore

/// Which subtitles are to be drawn next, and which the surface is to show with a picture. A picture never waits for them:
/// what is not drawn in time comes with a commit of its own.
struct SubtitleMachine {
  /// What tells one content of the surface from another.
  struct Key: Hashable {
    /// The number of the plane that it is of.
    var plane: Int
    var marks: [Int]
    /// The time of the picture, where the content differs from picture to picture.
    var instant: MediaTime?
    var canvas: SubtitleCanvas

    var isEmpty: Bool { marks.isEmpty }

    /// Whether both show the same lines, at whatever moment of their motion.
    func resembles(_ other: Key) -> Bool {
      plane == other.plane && marks == other.marks && canvas == other.canvas
    }
  }

  /// What the surface is to do with a commit.
  enum Step: Hashable {
    case keep
    /// Show what is ready.
    case show
    /// Nothing is to be seen any more.
    case hide
  }

  /// What the surface shows; nil: nothing.
  private(set) var shown: Key?
  /// What is drawn and not shown yet.
  private(set) var ready: Key?
  /// What is being drawn; one at a time.
  private(set) var drawing: Key?

  /// The picture that comes next wants `key`: whether to begin drawing it now.
  mutating func want(_ key: Key) -> Bool {
    guard !key.isEmpty, drawing == nil, key != shown, key != ready else { return false }
    drawing = key
    return true
  }

  /// Drawing has ended, with nothing to show for it if it has failed.
  mutating func drawn(hasFailed: Bool = false) {
    if !hasFailed { ready = drawing }
    drawing = nil
  }

  /// A picture that wants `key` is committed, or is on the screen.
  mutating func commit(_ key: Key) -> Step {
    guard key != shown else { return .keep }
    if let ready, ready == key || ready.resembles(key) {
      // Of something that moves a moment ago is better than before.
      shown = ready
      self.ready = nil
      return .show
    }
    guard let shown, key.isEmpty || isOver(shown, where: key) else { return .keep }
    self.shown = nil
    return .hide
  }

  /// Whether nothing of what is shown belongs to a picture that wants `key`. Something of it does while it is drawn anew.
  private func isOver(_ shown: Key, where key: Key) -> Bool {
    shown.plane != key.plane || Set(shown.marks).isDisjoint(with: key.marks)
  }

  /// Nothing is shown any more, and nothing that is drawn will be.
  mutating func forget() {
    shown = nil
    ready = nil
  }
}
