import Glibc
import Kite

/// Decodes a file at its own speed and throws the pictures away: what playing costs beyond this is presentation.
///
/// At its own speed, because a processor that decodes as fast as it can does so with warm caches and a clock of its own.
enum DecodeOnly {
  /// Decodes the first video track of `path`. Returns "WIDTH HEIGHT FRAMES MILLISECONDS".
  static func run(_ path: String) throws -> String {
    let source = try FFmpegBackend().open(MediaLocation(path), interrupt: InterruptFlag())
    guard let track = source.tracks.first(where: { $0.kind == .video && !$0.isAttachedPicture }) else {
      throw MediaError(kind: .noStreams, subject: path, reason: "holds no video")
    }
    source.select([track.id])
    let decoder = try source.makeVideoDecoder(
      for: track.id, options: VideoDecoderOptions(pool: FramePool(limit: 24)))
    var size = PixelSize.zero
    var frames = 0
    var end: Int64 = 0
    let start = now
    var isDrained = false
    while true {
      switch try decoder.receive() {
      case .frame(let frame):
        size = frame.properties.displaySize
        frames += 1
        end = max(end, frame.properties.pts.nanoseconds + frame.properties.duration.nanoseconds)
        sleep(until: start + end)
      case .needsInput:
        guard !isDrained else { return "\(size.width) \(size.height) \(frames) \(end / 1_000_000)" }
        let packet = try source.readPacket()
        isDrained = packet == nil
        try decoder.send(packet)
      case .ended:
        return "\(size.width) \(size.height) \(frames) \(end / 1_000_000)"
      }
    }
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private static func sleep(until deadline: Int64) {
    var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }
}
