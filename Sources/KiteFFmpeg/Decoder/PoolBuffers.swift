import CFFmpeg
import KiteCore
import KiteSystem

/// Lends a pool's memory to a decoder, and knows it again in the frames that come out.
///
/// FFmpeg calls `getBuffer` and the free callback from any of its threads. The memory goes back to the pool when FFmpeg's
/// last reference to the buffer ends, which may be long after the decoder is gone.
final class PoolBuffers: Sendable {
  /// A slot that FFmpeg holds as an `AVBuffer`; that buffer owns the only strong reference.
  final class Loan: Sendable {
    let slot: FramePool.Slot
    let layout: PoolLayout
    private let owner: PoolBuffers

    fileprivate init(slot: FramePool.Slot, layout: PoolLayout, owner: PoolBuffers) {
      self.slot = slot
      self.layout = layout
      self.owner = owner
    }

    fileprivate func end() { owner.forget(self) }
  }

  private let pool: FramePool
  /// Loans by their address, which is the buffer's opaque value: that is how one of ours is told from any other.
  private let loans = Locked<[UInt: Unmanaged<Loan>]>([:])

  init(pool: FramePool) { self.pool = pool }

  /// What the renderer in front would like frames to be.
  var wish: FrameMemoryWish { pool.wish }

  /// `AVCodecContext.get_buffer2`. Falls back to FFmpeg's own memory when the pool can't serve: never an error, never a wait.
  static func getBuffer(
    _ context: UnsafeMutablePointer<AVCodecContext>?, _ frame: UnsafeMutablePointer<AVFrame>?, _ flags: Int32
  ) -> Int32 {
    guard let context, let frame else { return kite_error_invalid }
    // A decoder without DR1 must get FFmpeg's own.
    if let opaque = context.pointee.opaque, let codec = context.pointee.codec,
      codec.pointee.capabilities & kite_capability_dr1 != 0
    {
      let buffers = Unmanaged<PoolBuffers>.fromOpaque(opaque).takeUnretainedValue()
      if buffers.lend(to: frame, for: context) { return 0 }
    }
    return avcodec_default_get_buffer2(context, frame, flags)
  }

  private func lend(
    to frame: UnsafeMutablePointer<AVFrame>, for context: UnsafeMutablePointer<AVCodecContext>
  ) -> Bool {
    var width = frame.pointee.width
    var height = frame.pointee.height
    var alignments: (Int32, Int32, Int32, Int32, Int32, Int32, Int32, Int32) = (0, 0, 0, 0, 0, 0, 0, 0)
    let alignment = withUnsafeMutableBytes(of: &alignments) { bytes -> Int32 in
      let values = bytes.bindMemory(to: Int32.self)
      avcodec_align_dimensions2(context, &width, &height, values.baseAddress)
      return values.max() ?? 0
    }
    return lend(to: frame, width: Int(width), height: Int(height), alignment: Int(alignment))
  }

  /// Points `frame`, whose format and size are set, at memory of the pool for `width` × `height` pixels.
  ///
  /// A pool that is exhausted is stood in for by private memory of the same layout: codecs such as H.264 reckon with one
  /// stride for the picture and all that it refers to.
  ///
  /// - Returns: false when the format isn't one that can be presented, or there is no memory.
  func lend(to frame: UnsafeMutablePointer<AVFrame>, width: Int, height: Int, alignment: Int) -> Bool {
    let format = AVPixelFormat(frame.pointee.format)
    // Formats with a plane that ours lack (alpha) would need room that the layout doesn't have.
    guard case .direct(let known) = FormatMapping(format),
      Int(av_pix_fmt_count_planes(format)) == known.planes.count,
      let layout = PoolLayout(format: known, width: width, height: height, alignment: alignment)
    else { return false }
    guard let slot = try? pool.lend(byteCount: layout.byteCount) else {
      guard let buffer = av_buffer_alloc(layout.byteCount) else { return false }
      Self.fill(frame, layout, buffer.pointee.data, buffer)
      return true
    }
    let base = slot.memory.baseAddress.assumingMemoryBound(to: UInt8.self)
    let loan = Unmanaged.passRetained(Loan(slot: slot, layout: layout, owner: self))
    let address = loan.toOpaque()
    loans.withLock { $0[UInt(bitPattern: address)] = loan }
    let buffer = av_buffer_create(
      base, layout.byteCount,
      { @Sendable opaque, _ in
        guard let opaque else { return }
        let loan = Unmanaged<Loan>.fromOpaque(opaque)
        loan.takeUnretainedValue().end()
        loan.release()
      }, address, 0)
    guard let buffer else {
      loan.takeUnretainedValue().end()
      loan.release()
      return false
    }
    Self.fill(frame, layout, base, buffer)
    return true
  }

  private static func fill(
    _ frame: UnsafeMutablePointer<AVFrame>, _ layout: PoolLayout, _ base: UnsafeMutablePointer<UInt8>,
    _ buffer: UnsafeMutablePointer<AVBufferRef>
  ) {
    for plane in layout.strides.indices {
      kite_frame_set_plane(frame, Int32(plane), base + layout.offsets[plane], Int32(layout.strides[plane]))
    }
    kite_frame_set_buffer(frame, buffer)
  }

  /// The loan behind `frame`, which must be referenced during the call; nil when its memory isn't ours.
  func loan(of frame: UnsafeMutablePointer<AVFrame>) -> Loan? {
    guard let buffer = kite_frame_buffer(frame, 0), kite_frame_buffer(frame, 1) == nil,
      let opaque = av_buffer_get_opaque(buffer)
    else { return nil }
    let found = loans.withLock { $0[UInt(bitPattern: opaque)]?.takeUnretainedValue() }
    guard let found, UnsafeMutableRawPointer(buffer.pointee.data) == found.slot.memory.baseAddress else {
      return nil
    }
    return found
  }

  private func forget(_ loan: Loan) {
    let address = UInt(bitPattern: Unmanaged.passUnretained(loan).toOpaque())
    _ = loans.withLock { $0.removeValue(forKey: address) }
  }
}
