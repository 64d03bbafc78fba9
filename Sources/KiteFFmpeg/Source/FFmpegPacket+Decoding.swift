import CFFmpeg
import KiteCore

extension FFmpegPacket {
  /// The packet as FFmpeg's decoders take it; nil for an empty one, which they would take for the end of all.
  ///
  /// - Throws: Of kind `unsupported` where another library read it.
  static func decodable(_ packet: any MediaPacket, subject: String) throws(MediaError) -> FFmpegPacket? {
    guard let packet = packet as? FFmpegPacket else {
      throw MediaError(
        kind: .unsupported, subject: subject, reason: "was given a packet that another library read",
        advice: "Decode with the decoder of the source that read the packet.")
    }
    return packet.byteCount == 0 && packet.raw.pointee.side_data_elems == 0 ? nil : packet
  }
}
