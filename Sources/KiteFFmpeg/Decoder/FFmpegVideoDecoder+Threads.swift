import CFFmpeg
import Glibc
import KiteCore

// How many threads decode may change while they do: `DecoderThreads` says when.
extension FFmpegVideoDecoder {
  /// Changes the number of threads before `packet`, if that is to be done now. Whether the packet is taken care of.
  func changesThreads(before packet: FFmpegPacket) -> Bool {
    guard session.way == nil else { return false }
    if packet.isKeyframe, threads.wantsMore || threads.wantsOne && closesThePast(packet) {
      // First all that came before it comes out.
      held = packet
      _ = avcodec_send_packet(context, nil)
      return true
    }
    guard threads.wantsMore else { return false }
    // Without times nobody knows which pictures have been shown.
    guard lastTimestamp != kite_no_pts, packet.raw.pointee.pts != kite_no_pts else { return false }
    let packets = replay.take()
    guard !packets.isEmpty, beginThreads(threads.limit) else { return false }
    threads.tookMore(forSeek: false)
    resending = packets[...]
    shownTimestamp = lastTimestamp
    return true
  }

  /// All that came before the packet that is held has come out. Whether there was one.
  func goesOnWithOtherThreads() -> Bool {
    guard let packet = held.take() else { return false }
    let count = threads.wantsOne ? 1 : threads.limit
    if beginThreads(count) {
      if count == 1 { threads.tookOne() } else { threads.tookMore(forSeek: false) }
      replay.removeAll()
      if threads.measures { keep(packet) }
    } else {
      // As it was, then.
      avcodec_flush_buffers(context)
    }
    _ = avcodec_send_packet(context, packet.raw)
    if isDraining, resending.isEmpty { _ = avcodec_send_packet(context, nil) }
    return true
  }

  /// Everything is to be forgotten: more threads begin, since what is decoded next may have to be got past. Not where the
  /// stream has been drained, and only begins again. Whether they do.
  func beginsAnew() -> Bool {
    held = nil
    spent = 0
    guard session.way == nil, !isDraining, threads.wantsMoreForSeek, beginThreads(threads.limit)
    else { return false }
    threads.tookMore(forSeek: true)
    return true
  }

  /// Keeps a packet for those who may have to take over.
  func keep(_ packet: FFmpegPacket) {
    replay.append(packet, byteCount: packet.byteCount, isKeyframe: packet.isKeyframe)
  }

  private func beginThreads(_ count: Int) -> Bool {
    do throws(MediaError) {
      try begin(way: nil, threadCount: count)
      return true
    } catch {
      return false
    }
  }

  private func closesThePast(_ packet: FFmpegPacket) -> Bool {
    KeyframeKind.closesThePast(packet.raw, of: setup.parameters.raw)
  }

  /// Runs `body`, and counts what it costs this thread.
  func measured<Result>(_ body: () -> Result) -> Result {
    guard session.way == nil, threads.measures else { return body() }
    let start = threadClock()
    defer { spent += threadClock() - start }
    return body()
  }

  /// The processor time of the calling thread, in nanoseconds.
  @Sendable static func threadTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
