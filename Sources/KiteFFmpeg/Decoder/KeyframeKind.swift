import CFFmpeg

/// Whether nothing behind a keyframe refers to what comes before it, so that another decoder can begin there without a loss.
///
/// Containers mark pictures as keyframes behind which playing can begin; of the pictures that are shown before them, though
/// sent behind them, some may refer further back ("open" groups). H.264 (ISO/IEC 14496-10, 7.4.1) and HEVC
/// (ISO/IEC 23008-2, 7.4.2) say by the type of the unit which ones close the past.
enum KeyframeKind {
  /// - Parameter packet: a keyframe of the codec that `parameters` are of.
  static func closesThePast(
    _ packet: UnsafePointer<AVPacket>, of parameters: UnsafePointer<AVCodecParameters>
  ) -> Bool {
    switch parameters.pointee.codec_id {
    case AV_CODEC_ID_H264: units(of: packet, parameters).contains { $0 & 31 == 5 }
    case AV_CODEC_ID_HEVC: units(of: packet, parameters).contains { (19...20).contains($0 >> 1 & 63) }
    case AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_MJPEG, AV_CODEC_ID_PRORES, AV_CODEC_ID_FFV1: true
    default: false
    }
  }

  /// The first bytes of the packet's units, at the most of 32: a picture's slices come behind its headers.
  private static func units(
    of packet: UnsafePointer<AVPacket>, _ parameters: UnsafePointer<AVCodecParameters>
  ) -> [UInt8] {
    guard let data = packet.pointee.data else { return [] }
    let bytes = UnsafeBufferPointer(start: data, count: max(0, Int(packet.pointee.size)))
    // ISO/IEC 14496-15: a record that begins with its version, 1, says how long the lengths before the units are.
    guard let extra = parameters.pointee.extradata, parameters.pointee.extradata_size > 21, extra[0] == 1
    else { return unitsBehindStartCodes(bytes) }
    let isHEVC = parameters.pointee.codec_id == AV_CODEC_ID_HEVC
    return units(bytes, lengthSize: Int(extra[isHEVC ? 21 : 4] & 3) + 1)
  }

  static func units(_ bytes: UnsafeBufferPointer<UInt8>, lengthSize: Int) -> [UInt8] {
    var found: [UInt8] = []
    var position = 0
    while found.count < 32, bytes.count - position > lengthSize {
      let length = bytes[position..<position + lengthSize].reduce(0) { $0 << 8 | Int($1) }
      position += lengthSize
      guard length > 0, length <= bytes.count - position else { break }
      found.append(bytes[position])
      position += length
    }
    return found
  }

  static func unitsBehindStartCodes(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var found: [UInt8] = []
    var zeros = 0
    var index = 0
    while index < bytes.count - 1, found.count < 32 {
      let byte = bytes[index]
      if byte == 1, zeros >= 2 { found.append(bytes[index + 1]) }
      zeros = byte == 0 ? zeros + 1 : 0
      index += 1
    }
    return found
  }
}
