import KiteCore
import KiteSystem
import Wayland
import WaylandToolkit

/// The `wl_buffer`s over dmabufs: one for each memory and layout, imported once and kept over the frames.
final class DmabufBuffers {
  /// Decoders use up to about 20 memories in turn; a cache beyond that would only hold dead ones.
  static let limit = 32
  /// Frames with the compositor, at the most.
  static let heldLimit = 3

  /// What there is to be said of a frame's memory.
  enum Readiness {
    /// It may be committed.
    case ready(DmabufBuffer)
    /// The compositor has it from an earlier commit.
    case held(DmabufBuffer)
    /// The compositor has been asked and is to be waited for.
    case pending(until: MonotonicTime)
    /// The compositor refused it, or does not answer.
    case unusable
  }

  private final class Entry {
    var progress: DmabufImport
    var buffer: DmabufBuffer?
    /// Ends with the answer.
    var parameters: ZwpLinuxBufferParamsV1?
    let source: DmabufSource

    init(_ source: DmabufSource, askedAt now: MonotonicTime) {
      self.source = source
      progress = DmabufImport(askedAt: now)
    }

    func destroy() {
      buffer?.destroy()
      if let parameters, parameters.isAlive { parameters.destroy() }
    }
  }

  private let global: ZwpLinuxDmabufV1
  private let fences: FenceKeeper
  private var entries: [DmabufSource.Key: Entry] = [:]
  /// Keys in the order of their last use, the latest last.
  private var order: [DmabufSource.Key] = []
  /// Told of layouts that the compositor refused to import.
  private let onRefusal: (DmabufFormat) -> Void
  /// An answer did not come in time: none is waited for until one comes.
  private var isSilent = false
  /// False when explicit synchronization has failed: buffers that were released by points are imported anew.
  var mayCommitWithPoints = true

  init(
    _ global: ZwpLinuxDmabufV1, fences: FenceKeeper, onRefusal: @escaping (DmabufFormat) -> Void
  ) {
    self.global = global
    self.fences = fences
    self.onRefusal = onRefusal
  }

  /// What there is to be said of the memory; the compositor is asked about one that is new.
  func readiness(of source: DmabufSource, at now: MonotonicTime) -> Readiness {
    guard let entry = entries[source.key] else {
      let entry = ask(about: source.keeping(), at: now)
      return waiting(for: entry, at: now)
    }
    order.removeAll { $0 == source.key }
    order.append(source.key)
    if let buffer = entry.buffer {
      if buffer.isHeld { return .held(buffer) }
      guard !mayCommitWithPoints, buffer.isReleasedByPoint else { return .ready(buffer) }
      // A `wl_buffer.release` that is still on its way would be of its last commit, and be taken for the next one's.
      entry.destroy()
      entries[source.key] = nil
      order.removeAll { $0 == source.key }
      return waiting(for: ask(about: source.keeping(), at: now), at: now)
    }
    return waiting(for: entry, at: now)
  }

  private func waiting(for entry: Entry, at now: MonotonicTime) -> Readiness {
    guard !isSilent, !entry.progress.isRefused else { return .unusable }
    guard let deadline = entry.progress.deadline(at: now) else {
      isSilent = true
      return .unusable
    }
    return .pending(until: deadline)
  }

  private func ask(about source: DmabufSource, at now: MonotonicTime) -> Entry {
    letGoOfOtherSizes(than: source.size)
    let entry = Entry(source, askedAt: now)
    entries[source.key] = entry
    order.append(source.key)
    let parameters = global.createParams()
    entry.parameters = parameters
    for (index, descriptor) in source.descriptors.enumerated() {
      parameters.add(
        fd: descriptor, planeIdx: UInt32(index), offset: UInt32(clamping: source.key.offsets[index]),
        stride: UInt32(clamping: source.key.strides[index]),
        modifierHi: UInt32(truncatingIfNeeded: source.format.modifier >> 32),
        modifierLo: UInt32(truncatingIfNeeded: source.format.modifier))
    }
    parameters.onEvent = { [weak self, weak entry] event in
      guard let self, let entry else {
        // Nobody wants it any more.
        if case .created(let buffer) = event, buffer.isAlive { buffer.destroy() }
        return
      }
      answered(event, for: entry)
    }
    parameters.create(
      width: Int32(clamping: source.size.width), height: Int32(clamping: source.size.height),
      format: source.format.fourcc, flags: [])
    evict()
    return entry
  }

  private func answered(_ event: ZwpLinuxBufferParamsV1.Event, for entry: Entry) {
    isSilent = false
    switch event {
    case .created(let buffer):
      entry.progress.created()
      entry.buffer = DmabufBuffer(buffer, source: entry.source, fences: fences)
    case .failed:
      entry.progress.failed()
      onRefusal(entry.source.format)
    }
    if let parameters = entry.parameters, parameters.isAlive { parameters.destroy() }
    entry.parameters = nil
  }

  /// Frames of another size than now hardly come again: their memory goes back to the system.
  private func letGoOfOtherSizes(than size: PixelSize) {
    for (key, entry) in entries where key.size != size && entry.buffer?.isHeld == false {
      entry.destroy()
      entries[key] = nil
    }
    order.removeAll { entries[$0] == nil }
  }

  /// From when on a frame may go out: at once, or when the oldest held one has been held too long.
  var opening: MonotonicTime {
    let held = entries.values.compactMap { $0.buffer?.isHeld == true ? $0.buffer?.heldSince : nil }
    guard held.count >= Self.heldLimit else { return .distantPast }
    return (held.min() ?? .distantPast) + ConvertedBuffers.patience
  }

  /// Lets go of what the compositor does not hold and no longer takes, and of what it refused: it may be asked anew.
  func forget(where isForgotten: (DmabufFormat) -> Bool) {
    for (key, entry) in entries where isForgotten(key.format) && entry.buffer?.isHeld != true {
      entry.destroy()
      entries[key] = nil
    }
    order.removeAll { entries[$0] == nil }
  }

  /// Destroys the free ones. Whether the compositor holds none any more.
  func drain() -> Bool {
    forget { _ in true }
    return entries.isEmpty
  }

  /// Destroys all of them.
  func destroyAll() {
    for entry in entries.values { entry.destroy() }
    entries.removeAll()
    order.removeAll()
  }

  private func evict() {
    while entries.count > Self.limit,
      let index = order.firstIndex(where: { entries[$0]?.buffer.map { !$0.isHeld } ?? false })
    {
      entries.removeValue(forKey: order.remove(at: index))?.destroy()
    }
  }
}
