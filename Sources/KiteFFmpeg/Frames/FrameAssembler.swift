import CFFmpeg
import KiteCore
import KiteSystem

/// Makes our frames of FFmpeg's: memory, planes and properties.
struct FrameAssembler {
  private let facts: StreamFacts
  private let subject: String
  private var timer: FrameTimer
  private var converter: FrameConverter?

  init(facts: StreamFacts, subject: String) {
    self.facts = facts
    self.subject = subject
    timer = FrameTimer(frameRate: facts.frameRate)
  }

  /// After a seek: times start anew.
  mutating func reset() { timer.reset() }

  /// A frame over what `output` holds, which is left blank.
  ///
  /// - Parameter device: `dev_t` of the device that decoded it; nil for the processor, or when nobody knows.
  mutating func assemble(
    _ output: UnsafeMutablePointer<AVFrame>, buffers: PoolBuffers?, device: UInt64? = nil
  ) throws(MediaError) -> VideoFrame {
    if kite_frame_device_format(output) != AV_PIX_FMT_NONE {
      return try assembleDeviceFrame(output, buffers: buffers, device: device)
    }
    let format = AVPixelFormat(output.pointee.format)
    guard let mapping = FormatMapping(format) else {
      throw MediaError(
        kind: .unsupported, subject: subject,
        reason: "decodes to \(Self.name(of: format)) pictures, which can't be read",
        advice: "Decode it in software.")
    }
    guard let owner = FrameOwner(taking: output) else {
      throw MediaError.reading(subject, code: kite_error_no_memory)
    }
    var properties = self.properties(of: owner.raw, mapping: mapping)
    let isReadable = (0..<mapping.format.planes.count).allSatisfy {
      kite_frame_data(owner.raw, Int32($0)) != nil && kite_frame_linesize(owner.raw, Int32($0)) > 0
    }
    if case .direct = mapping, isReadable { return wrap(owner, &properties, buffers: buffers) }

    let converter = converter ?? FrameConverter()
    self.converter = converter
    let converted = try converter.convert(owner, to: mapping.format, buffers: buffers, subject: subject)
    properties.codedSize = properties.crop.size
    properties.crop = PixelRect(x: 0, y: 0, width: properties.crop.width, height: properties.crop.height)
    return wrap(converted, &properties, buffers: buffers)
  }

  /// A frame of a device: its dmabufs where the renderer takes them, else read back.
  private mutating func assembleDeviceFrame(
    _ output: UnsafeMutablePointer<AVFrame>, buffers: PoolBuffers?, device: UInt64?
  ) throws(MediaError) -> VideoFrame {
    guard let mapping = FormatMapping(kite_frame_device_format(output)) else {
      throw MediaError(
        kind: .unsupported, subject: subject,
        reason: "decodes to \(Self.name(of: kite_frame_device_format(output))) pictures, which can't be read",
        advice: "Decode it in software.")
    }
    var properties = self.properties(of: output, mapping: mapping)
    if buffers?.wish.takesDeviceFrames == true, case .direct(let format) = mapping,
      let mapped = Self.mapped(output),
      let description = DeviceFrames.description(of: mapped.raw, format: format, device: device)
    {
      let planes = description.planes.map {
        VideoPlane(offset: $0.offset, stride: $0.stride, baseAddress: nil)
      }
      return VideoFrame(
        properties: properties, memory: .dmabuf(description), planes: planes, owner: mapped)
    }
    guard let copy = FrameOwner() else { throw MediaError.reading(subject, code: kite_error_no_memory) }
    copy.raw.pointee.format = kite_frame_device_format(output).rawValue
    copy.raw.pointee.width = output.pointee.width
    copy.raw.pointee.height = output.pointee.height
    _ = buffers?.lend(
      to: copy.raw, width: Int(output.pointee.width), height: Int(output.pointee.height), alignment: 64)
    let (code, hint) = LogCollector.lastError { av_hwframe_transfer_data(copy.raw, output, 0) }
    guard code >= 0 else {
      throw MediaError(
        kind: .decoding, subject: subject,
        reason: "has a picture that can't be read back from the device: \(hint ?? MediaError.text(of: code))")
    }
    properties.isReadBack = true
    guard case .direct = mapping else {
      let converter = converter ?? FrameConverter()
      self.converter = converter
      let converted = try converter.convert(copy, to: mapping.format, buffers: buffers, subject: subject)
      return wrap(converted, &properties, buffers: buffers)
    }
    return wrap(copy, &properties, buffers: buffers)
  }

  /// The same picture as DRM PRIME; nil where the device can't say it without a copy.
  private static func mapped(_ frame: UnsafeMutablePointer<AVFrame>) -> FrameOwner? {
    if frame.pointee.format == AV_PIX_FMT_DRM_PRIME.rawValue { return FrameOwner(referencing: frame) }
    guard let mapped = FrameOwner() else { return nil }
    mapped.raw.pointee.format = AV_PIX_FMT_DRM_PRIME.rawValue
    // The mapping refers to the surface, which so stays out of the decoder's hands.
    let (code, _) = LogCollector.lastError {
      av_hwframe_map(mapped.raw, frame, Int32(kite_hwframe_map_direct_read))
    }
    return code >= 0 ? mapped : nil
  }

  /// A frame over `owner`'s memory: the pool's where it is, else the heap's.
  private func wrap(
    _ owner: FrameOwner, _ properties: inout VideoFrame.Properties, buffers: PoolBuffers?
  ) -> VideoFrame {
    let count = properties.format.planes.count
    let loan = buffers?.loan(of: owner.raw)
    var planes: [VideoPlane] = []
    planes.reserveCapacity(count)
    var isWhereLent = loan != nil
    for index in 0..<count {
      let data = kite_frame_data(owner.raw, Int32(index))
      let stride = Int(kite_frame_linesize(owner.raw, Int32(index)))
      var offset = 0
      if let loan, let data {
        offset = UnsafeRawPointer(data) - UnsafeRawPointer(loan.slot.memory.baseAddress)
        // A decoder that moved its planes has left the layout that a compositor would assume.
        if offset != loan.layout.offsets[index] || stride != loan.layout.strides[index] {
          isWhereLent = false
        }
      }
      planes.append(VideoPlane(offset: offset, stride: stride, baseAddress: data))
    }
    guard let loan, isWhereLent else {
      let heap = planes.map { VideoPlane(offset: 0, stride: $0.stride, baseAddress: $0.baseAddress) }
      return VideoFrame(properties: properties, memory: .heap, planes: heap, owner: owner)
    }
    properties.codedSize = loan.layout.codedSize
    return VideoFrame(
      properties: properties, memory: .shared(loan.slot.memory), planes: planes, owner: owner)
  }

  private mutating func properties(
    of frame: UnsafeMutablePointer<AVFrame>, mapping: FormatMapping
  ) -> VideoFrame.Properties {
    let size = PixelSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height))
    let crop = Self.crop(of: frame, size: size)
    let format = mapping.format
    let (pts, duration) = timer.timed(
      pts: facts.clock.time(frame.pointee.best_effort_timestamp),
      duration: facts.clock.span(kite_frame_duration(frame)))
    var color = ColorDescription(frame).completed(from: facts.color)
    if color.range == .unspecified,
      Self.isFullRangeByConvention(AVPixelFormat(frame.pointee.format), codec: facts.codec)
    {
      color.range = .full
    }
    let aspect = frame.pointee.sample_aspect_ratio
    return VideoFrame.Properties(
      format: format, codedSize: size, crop: crop,
      sampleAspect: aspect.num > 0 ? PixelRatio(aspect) : facts.sampleAspect,
      orientation: kite_frame_display_matrix(frame).map { Orientation(displayMatrix: $0) }
        ?? facts.orientation,
      color: color.resolved(for: format, size: crop.size), pts: pts, duration: duration)
  }

  /// The picture inside the frame; a crop that leaves nothing is damage and crops nothing.
  private static func crop(of frame: UnsafeMutablePointer<AVFrame>, size: PixelSize) -> PixelRect {
    let (left, top) = (Int(clamping: frame.pointee.crop_left), Int(clamping: frame.pointee.crop_top))
    let (right, bottom) = (Int(clamping: frame.pointee.crop_right), Int(clamping: frame.pointee.crop_bottom))
    guard left < size.width, right < size.width - left, top < size.height, bottom < size.height - top else {
      return PixelRect(x: 0, y: 0, width: size.width, height: size.height)
    }
    return PixelRect(x: left, y: top, width: size.width - left - right, height: size.height - top - bottom)
  }

  /// The `yuvj` formats mean full range, and so does grey but in codecs whose standard says that unstated is limited.
  private static func isFullRangeByConvention(_ format: AVPixelFormat, codec: AVCodecID) -> Bool {
    switch format {
    case AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ444P:
      return true
    default:
      guard case .direct(let known) = FormatMapping(format), known.model == .gray else { return false }
      let limited = [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1, AV_CODEC_ID_VP9, AV_CODEC_ID_FFV1]
      return !limited.contains(codec)
    }
  }

  private static func name(of format: AVPixelFormat) -> String {
    av_get_pix_fmt_name(format).map { String(cString: $0) } ?? "unknown"
  }
}
