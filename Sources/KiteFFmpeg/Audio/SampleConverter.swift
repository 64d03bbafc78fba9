import CFFmpeg
import KiteCore

/// Converts frames of whatever sound to interleaved floats of one format, with libswresample.
final class SampleConverter {
  private let format: AudioFormat
  /// Owned; made for the frames as they are, and anew when they change.
  private var context: OpaquePointer?
  private var inputFormat: Int32 = -1
  private var inputRate: Int32 = 0
  private var inputLayout = AVChannelLayout()

  init(_ format: AudioFormat) { self.format = format }

  deinit {
    swr_free(&context)
    av_channel_layout_uninit(&inputLayout)
  }

  /// How much sound is inside: the next samples begin so long before the next frame.
  var delay: MediaTime {
    guard let context else { return .zero }
    return MediaTime(nanoseconds: swr_get_delay(context, 1_000_000_000))
  }

  /// The samples of `frame`, as far as they come out already; nil: it can't be converted.
  func convert(_ frame: UnsafeMutablePointer<AVFrame>) -> [Float]? {
    var rest: [Float] = []
    if context == nil || kite_frame_has_layout(frame, inputFormat, inputRate, &inputLayout) == 0 {
      rest = finish()
      swr_free(&context)
      context = kite_swr_for_frame(frame, Int32(format.channelCount), Int32(format.sampleRate))
      guard context != nil else { return nil }
      inputFormat = frame.pointee.format
      inputRate = frame.pointee.sample_rate
      guard av_channel_layout_copy(&inputLayout, &frame.pointee.ch_layout) >= 0 else { return nil }
    }
    guard let samples = run(frame) else { return nil }
    return rest + samples
  }

  /// What is left inside. It is empty after that.
  func finish() -> [Float] {
    guard context != nil else { return [] }
    let rest = run(nil) ?? []
    reset()
    return rest
  }

  /// Forgets what is inside.
  func reset() { swr_free(&context) }

  private func run(_ frame: UnsafeMutablePointer<AVFrame>?) -> [Float]? {
    let capacity = swr_get_out_samples(context, frame?.pointee.nb_samples ?? 0)
    guard capacity > 0 else { return capacity == 0 ? [] : nil }
    var count: Int32 = 0
    let samples = [Float](unsafeUninitializedCapacity: Int(capacity) * format.channelCount) { buffer, used in
      count = kite_swr_convert(context, buffer.baseAddress, capacity, frame)
      used = max(0, Int(count)) * format.channelCount
    }
    return count < 0 ? nil : samples
  }
}
