import CFFmpeg
import Glibc
public import KiteCore

/// Writes frames to picture files.
public enum PictureFile {
  /// Writes `frame` as it is to be shown, upright and in square pixels, as an 8-bit PNG. Blocks; any thread.
  ///
  /// - Throws: `MediaError` when the frame can't be read or converted, or the file can't be written.
  public static func writePNG(_ frame: borrowing VideoFrame, to path: String) throws(MediaError) {
    let picture = try RGBPicture(frame)
    try write(try encode(picture, path: path), to: path)
  }

  private static func encode(_ picture: RGBPicture, path: String) throws(MediaError) -> [UInt8] {
    let failed = MediaError(
      kind: .unsupported, subject: path, reason: "this FFmpeg can't encode PNG",
      advice: "Install a libavcodec with its PNG encoder.")
    guard let codec = avcodec_find_encoder(AV_CODEC_ID_PNG), let context = avcodec_alloc_context3(codec)
    else {
      throw failed
    }
    var owned: UnsafeMutablePointer<AVCodecContext>? = context
    defer { avcodec_free_context(&owned) }
    context.pointee.width = Int32(clamping: picture.size.width)
    context.pointee.height = Int32(clamping: picture.size.height)
    context.pointee.pix_fmt = AV_PIX_FMT_RGB24
    context.pointee.time_base = AVRational(num: 1, den: 1)
    var frame = av_frame_alloc()
    var packet = av_packet_alloc()
    defer {
      av_frame_free(&frame)
      av_packet_free(&packet)
    }
    guard let frame, let packet, avcodec_open2(context, codec, nil) == 0 else { throw failed }
    frame.pointee.width = context.pointee.width
    frame.pointee.height = context.pointee.height
    frame.pointee.format = AV_PIX_FMT_RGB24.rawValue
    guard av_frame_get_buffer(frame, 0) == 0 else { throw failed }
    let row = picture.size.width * 3
    picture.bytes.withUnsafeBytes { bytes in
      guard let from = bytes.baseAddress, let to = kite_frame_data(frame, 0) else { return }
      for y in 0..<picture.size.height {
        memcpy(to + y * Int(kite_frame_linesize(frame, 0)), from + y * row, row)
      }
    }
    guard avcodec_send_frame(context, frame) == 0, avcodec_send_frame(context, nil) == 0,
      avcodec_receive_packet(context, packet) == 0
    else { throw failed }
    return [UInt8](UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(MediaError) {
    guard let file = fopen(path, "wbe") else { throw writeError(path) }
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    guard fclose(file) == 0, isWritten else { throw writeError(path) }
  }

  private static func writeError(_ path: String) -> MediaError {
    let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
    return MediaError(
      kind: .unreadable, subject: path, reason: "can't be written: \(reason)",
      advice: "Choose a folder that exists and may be written to.")
  }
}
