import Glibc
import Kite

/// Decodes a file and throws the pictures away: what playing costs beyond this is presentation.
enum DecodeOnly {
  /// Decodes the first video track of `path`. Returns "WIDTH HEIGHT FRAMES".
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
    var isDrained = false
    while true {
      switch try decoder.receive() {
      case .frame(let frame):
        size = frame.properties.displaySize
        frames += 1
      case .needsInput:
        guard !isDrained else { return "\(size.width) \(size.height) \(frames)" }
        let packet = try source.readPacket()
        isDrained = packet == nil
        try decoder.send(packet)
      case .ended:
        return "\(size.width) \(size.height) \(frames)"
      }
    }
  }
}
