import CFFmpeg

/// A way in which FFmpeg decodes a codec on a device, such that the pictures can be dmabufs.
struct HardwareWay {
  let decoder: UnsafePointer<AVCodec>
  /// The format of pictures that the device holds: VAAPI surfaces, or DRM PRIME.
  let format: AVPixelFormat
  /// The kind of device that has to be opened first; nil where the decoder opens its own.
  let device: AVHWDeviceType?

  /// The ways for `codec`, the best first: decoders that hand out dmabufs by themselves, as those of V4L2 and Rockchip do,
  /// then `decoder` with a device.
  static func ways(for codec: AVCodecID, decoder: UnsafePointer<AVCodec>) -> [HardwareWay] {
    var ways: [HardwareWay] = []
    var iterator: UnsafeMutableRawPointer?
    while let next = av_codec_iterate(&iterator) {
      guard next.pointee.id == codec, av_codec_is_decoder(next) != 0,
        next.pointee.capabilities & kite_capability_hardware != 0
      else { continue }
      for config in configurations(of: next)
      where config.pix_fmt == AV_PIX_FMT_DRM_PRIME && config.methods & kite_hwconfig_internal != 0 {
        ways.append(HardwareWay(decoder: next, format: config.pix_fmt, device: nil))
      }
    }
    // AV1's software decoder is libdav1d; devices are driven by FFmpeg's own.
    let own = avcodec_find_decoder(codec).flatMap { $0 == decoder ? nil : $0 }
    for candidate in [decoder, own].compactMap({ $0 }) {
      for config in configurations(of: candidate) where config.methods & kite_hwconfig_device != 0 {
        guard config.device_type == AV_HWDEVICE_TYPE_VAAPI || config.device_type == AV_HWDEVICE_TYPE_DRM
        else { continue }
        ways.append(HardwareWay(decoder: candidate, format: config.pix_fmt, device: config.device_type))
      }
    }
    return ways
  }

  private static func configurations(of decoder: UnsafePointer<AVCodec>) -> [AVCodecHWConfig] {
    var found: [AVCodecHWConfig] = []
    while let config = avcodec_get_hw_config(decoder, Int32(found.count)) { found.append(config.pointee) }
    return found
  }

  /// What to call it, such as "VAAPI" or "h264_v4l2m2m".
  var name: String {
    guard let device else { return decoder.pointee.name.map { String(cString: $0) } ?? "hardware" }
    guard let name = av_hwdevice_get_type_name(device) else { return "hardware" }
    return String(cString: name).uppercased()
  }
}
