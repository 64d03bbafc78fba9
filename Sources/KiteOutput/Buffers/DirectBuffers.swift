import KiteCore
import KiteSystem
import Wayland

/// The `wl_buffer`s over decoders' own memory: one for each memory and layout, kept over the frames.
final class DirectBuffers {
  /// Decoders use up to about 20 memories in turn; a cache beyond that would only hold dead ones.
  static let limit = 32
  /// Frames with the compositor, at the most.
  static let heldLimit = 3

  /// What tells one buffer from another. Memory ids are never re-used, unlike addresses and descriptors.
  private struct Key: Hashable {
    let memory: UInt64
    let offset: Int
    let stride: Int
    let size: PixelSize
    let fourcc: UInt32
  }

  private let shm: WlShm
  private var buffers: [Key: ShmBuffer] = [:]
  /// Keys in the order of their last use, the latest last.
  private var order: [Key] = []

  init(shm: WlShm) { self.shm = shm }

  /// Whether `wl_shm` can describe the frame: planes one after another, with strides that follow from the first.
  static func canDescribe(_ frame: borrowing VideoFrame) -> Bool {
    guard case .shared(let memory) = frame.memory, memory.backing == .memfd, let first = frame.planes.first
    else { return false }
    let height = frame.properties.codedSize.height
    var end = first.offset
    for (plane, layout) in zip(frame.planes, frame.properties.format.planes) {
      let lumaSample = frame.properties.format.planes[0].bytesPerSample
      let stride = ((first.stride / lumaSample) >> layout.shiftX) * layout.bytesPerSample
      guard plane.offset == end, plane.stride == stride else { return false }
      end += plane.stride * layout.rows(height: height)
    }
    return end <= memory.byteCount
  }

  private func key(of frame: borrowing VideoFrame) -> (Key, SharedMemory)? {
    guard case .shared(let memory) = frame.memory, let first = frame.planes.first, Self.canDescribe(frame)
    else { return nil }
    let key = Key(
      memory: memory.id, offset: first.offset, stride: first.stride, size: frame.properties.codedSize,
      fourcc: frame.properties.format.fourcc)
    return (key, memory)
  }

  /// The buffer over a frame's memory that the compositor reads at the moment; nil when there is none.
  func heldBuffer(for frame: borrowing VideoFrame) -> ShmBuffer? {
    guard let (key, _) = key(of: frame), let known = buffers[key], known.isHeld else { return nil }
    return known
  }

  /// The buffer over a frame's memory; nil when the compositor still reads it, or `wl_shm` can't describe it.
  func buffer(for frame: borrowing VideoFrame) -> ShmBuffer? {
    guard let (key, memory) = key(of: frame) else { return nil }
    if let known = buffers[key] {
      guard !known.isHeld else { return nil }
      order.removeAll { $0 == key }
      order.append(key)
      return known
    }
    let buffer = ShmBuffer(
      memory, offset: key.offset, size: key.size, stride: key.stride, fourcc: key.fourcc, shm: shm)
    buffers[key] = buffer
    order.append(key)
    evict()
    return buffer
  }

  /// From when on a frame may go out: at once, or when the oldest held one has been held too long.
  var opening: MonotonicTime {
    let held = buffers.values.filter(\.isHeld)
    guard held.count >= Self.heldLimit else { return .distantPast }
    return (held.map(\.heldSince).min() ?? .distantPast) + ConvertedBuffers.patience
  }

  /// Destroys the free ones. Whether the compositor holds none any more.
  func drain() -> Bool {
    for (key, buffer) in buffers where !buffer.isHeld {
      buffer.destroy()
      buffers[key] = nil
    }
    order.removeAll { buffers[$0] == nil }
    return buffers.isEmpty
  }

  /// Destroys all of them.
  func destroyAll() {
    for buffer in buffers.values { buffer.destroy() }
    buffers.removeAll()
    order.removeAll()
  }

  private func evict() {
    while buffers.count > Self.limit, let index = order.firstIndex(where: { buffers[$0]?.isHeld == false }) {
      buffers.removeValue(forKey: order.remove(at: index))?.destroy()
    }
  }
}
