import CFFmpeg
import KiteCore

/// Turns pictures that only FFmpeg can read into the nearest format of ours, with the same colours and without the crop.
final class FrameConverter {
  /// Re-used as long as size and formats stay.
  private var scaler: OpaquePointer?

  deinit { sws_freeContext(scaler) }

  /// `source`'s picture as `format`, in the pool's memory where it has some.
  func convert(
    _ source: FrameOwner, to format: PixelFormat, buffers: PoolBuffers?, subject: String
  ) throws(MediaError) -> FrameOwner {
    // A view of the same memory, cropped.
    guard av_frame_apply_cropping(source.raw, Int32(AV_FRAME_CROP_UNALIGNED)) >= 0,
      let result = FrameOwner()
    else { throw Self.failed(subject) }
    let target = FormatMapping.ffmpegFormat(format)
    let (width, height) = (source.raw.pointee.width, source.raw.pointee.height)
    result.raw.pointee.format = target.rawValue
    result.raw.pointee.width = width
    result.raw.pointee.height = height
    let isLent =
      buffers?.lend(to: result.raw, width: Int(width), height: Int(height), alignment: 32) ?? false
    if !isLent, av_frame_get_buffer(result.raw, 0) < 0 {
      throw MediaError.reading(subject, code: kite_error_no_memory)
    }

    let from = AVPixelFormat(source.raw.pointee.format)
    let flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP | SWS_FULL_CHR_H_INT
    scaler = sws_getCachedContext(
      scaler, width, height, Self.plain(from), width, height, target, flags, nil, nil, nil)
    guard let scaler else { throw Self.failed(subject) }
    let isFull = source.raw.pointee.color_range == AVCOL_RANGE_JPEG || Self.plain(from) != from
    _ = kite_sws_keep_colors(
      scaler, Int32(source.raw.pointee.colorspace.rawValue), isFull ? 1 : 0)
    guard kite_sws_convert(scaler, source.raw, result.raw) >= 0 else { throw Self.failed(subject) }
    return result
  }

  /// swscale takes `yuvj` for a wish to convert the range.
  private static func plain(_ format: AVPixelFormat) -> AVPixelFormat {
    switch format {
    case AV_PIX_FMT_YUVJ411P: AV_PIX_FMT_YUV411P
    case AV_PIX_FMT_YUVJ420P: AV_PIX_FMT_YUV420P
    case AV_PIX_FMT_YUVJ422P: AV_PIX_FMT_YUV422P
    case AV_PIX_FMT_YUVJ440P: AV_PIX_FMT_YUV440P
    case AV_PIX_FMT_YUVJ444P: AV_PIX_FMT_YUV444P
    default: format
    }
  }

  private static func failed(_ subject: String) -> MediaError {
    MediaError(kind: .decoding, subject: subject, reason: "has a picture that can't be converted")
  }
}
