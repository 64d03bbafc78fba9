import KiteCore
import KiteSystem

/// A piece of memory into which subtitles are drawn. Belongs to one at a time: the pool, who draws, or the surface.
final class SubtitleMemory: Sendable {
  let memory: SharedMemory
  /// Pixels that are not clear, as (row length, place): what has to be cleared before it is drawn into again.
  private let inked = Locked<(stride: Int, part: PixelRect)>((0, .zero))

  init(byteCount: Int) throws(SystemError) {
    memory = try SharedMemory(byteCount: byteCount, name: "kite-subtitles")
  }

  /// Clears it and draws.
  ///
  /// - Parameter ink: where `drawing` is, in pixels of the buffer.
  func draw(_ drawing: SubtitleDrawing, in box: SubtitleBox, ink: PixelRect) {
    let (stride, size) = (box.origin.width, box.origin.size)
    let pixels = memory.baseAddress.bindMemory(to: UInt32.self, capacity: stride * size.height)
    inked.withLock { inked in
      for row in inked.part.y..<inked.part.y + inked.part.height {
        // Rows of another length: what was inked is cleared by its own.
        (memory.baseAddress + (row * inked.stride + inked.part.x) * 4)
          .initializeMemory(as: UInt32.self, repeating: 0, count: inked.part.width)
      }
      inked = (stride, ink)
    }
    drawing.paint(onto: pixels, stride: stride, size: size, atX: box.origin.x, y: box.origin.y)
  }
}

/// The memory of one view's subtitles: one piece on the screen, one on its way there, one that is drawn into, and one for
/// compositors that give back late. Made when first needed.
final class SubtitlePool: Sendable {
  static let limit = 4
  private struct State {
    var free: [SubtitleMemory] = []
    var count = 0
  }
  private let state = Locked(State())

  /// Memory of at least `byteCount` bytes; nil where all is in use, or the kernel has none.
  func take(byteCount: Int) -> SubtitleMemory? {
    enum Way {
      case old(SubtitleMemory)
      case new, none
    }
    let way = state.withLock { state -> Way in
      if let index = state.free.firstIndex(where: { $0.memory.byteCount >= byteCount }) {
        return .old(state.free.remove(at: index))
      }
      if state.count < Self.limit {
        state.count += 1
        return .new
      }
      // One that is too small makes room.
      return state.free.popLast() == nil ? .none : .new
    }
    switch way {
    case .old(let memory): return memory
    case .none: return nil
    case .new:
      if let made = try? SubtitleMemory(byteCount: byteCount) { return made }
      lose()
      return nil
    }
  }

  /// Takes memory back that nobody reads any more.
  func giveBack(_ memory: SubtitleMemory) {
    state.withLock { $0.free.append(memory) }
  }

  /// Memory that was taken does not come back.
  func lose() {
    state.withLock { $0.count -= 1 }
  }
}
