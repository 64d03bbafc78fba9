import CFFmpeg
import KiteCore

/// Stretches sound in time and keeps its pitch, with FFmpeg's `atempo`.
final class TempoFilter {
  private let library: kite_avfilter
  let rate: Double
  private let format: AudioFormat
  /// Owned, with all filters in it.
  private var graph: UnsafeMutablePointer<AVFilterGraph>?
  private var input: UnsafeMutablePointer<AVFilterContext>?
  private var output: UnsafeMutablePointer<AVFilterContext>?
  private var start = MediaTime.unknown
  private var framesIn: Int64 = 0
  private var framesOut: Int64 = 0

  /// Nil when libavfilter is not installed, or lacks the filter.
  init?(rate: Double, format: AudioFormat) {
    guard let library = Self.library else { return nil }
    self.library = library
    self.rate = rate
    self.format = format
    graph = library.avfilter_graph_alloc()
    guard let graph, build(in: graph) else { return nil }
  }

  deinit { library.avfilter_graph_free(&graph) }

  /// libavfilter, as it was found when it was first needed; nil where it is not installed.
  private static let library: kite_avfilter? = {
    var table = kite_avfilter()
    return kite_load_avfilter(&table) ? table : nil
  }()

  /// Gives `samples`; returns what comes out.
  func take(_ samples: AudioSamples) -> [AudioSamples] {
    if start == .unknown { start = samples.pts == .unknown ? .zero : samples.pts }
    var frame = av_frame_alloc()
    defer { av_frame_free(&frame) }
    guard let frame,
      kite_frame_make_audio(
        frame, Int32(format.channelCount), Int32(format.sampleRate), Int32(samples.frameCount)) >= 0,
      let data = kite_frame_data(frame, 0)
    else { return [] }
    samples.samples.withUnsafeBytes { bytes in
      UnsafeMutableRawBufferPointer(start: data, count: bytes.count).copyMemory(from: bytes)
    }
    frame.pointee.pts = framesIn
    framesIn += Int64(samples.frameCount)
    guard library.av_buffersrc_add_frame(input, frame) >= 0 else { return [] }
    return drain()
  }

  /// What is left inside. Takes nothing after that.
  func finish() -> [AudioSamples] {
    guard framesIn > 0, library.av_buffersrc_add_frame(input, nil) >= 0 else { return [] }
    return drain()
  }

  /// How much later in the media the sound is that comes out at a time: `atempo` centres its windows so. Measured by the
  /// middle of beeps, at 48 kHz: 9.5 ms for each filter, of what goes into it.
  private var lead: MediaTime {
    var factor = 1.0
    var seconds = 0.0
    for tempo in Self.factors(of: rate) {
      seconds += 0.0095 * factor
      factor *= tempo
    }
    return MediaTime(seconds: seconds)
  }

  private func drain() -> [AudioSamples] {
    var result: [AudioSamples] = []
    var frame = av_frame_alloc()
    defer { av_frame_free(&frame) }
    guard let frame else { return [] }
    while library.av_buffersink_get_frame(output, frame) >= 0 {
      defer { av_frame_unref(frame) }
      let count = Int(frame.pointee.nb_samples)
      guard count > 0, let data = kite_frame_data(frame, 0) else { continue }
      let samples = data.withMemoryRebound(to: Float.self, capacity: count * format.channelCount) {
        Array(UnsafeBufferPointer(start: $0, count: count * format.channelCount))
      }
      let offset = lead + MediaTime(seconds: Double(framesOut) * rate / Double(format.sampleRate))
      framesOut += Int64(count)
      result.append(
        AudioSamples(
          pts: start + offset, rate: rate, channelCount: format.channelCount, samples: samples))
    }
    return result
  }

  private func build(in graph: UnsafeMutablePointer<AVFilterGraph>) -> Bool {
    graph.pointee.nb_threads = 1
    let form = "time_base=1/\(format.sampleRate):sample_rate=\(format.sampleRate):sample_fmt=flt"
    guard let source = library.avfilter_get_by_name("abuffer"),
      let sink = library.avfilter_get_by_name("abuffersink"),
      let atempo = library.avfilter_get_by_name("atempo"),
      library.avfilter_graph_create_filter(
        &input, source, "in", form + ":channel_layout=\(format.channelCount)c", nil, graph) >= 0,
      library.avfilter_graph_create_filter(&output, sink, "out", nil, nil, graph) >= 0
    else { return false }
    var last = input
    for (index, factor) in Self.factors(of: rate).enumerated() {
      var filter: UnsafeMutablePointer<AVFilterContext>?
      guard
        library.avfilter_graph_create_filter(&filter, atempo, "tempo\(index)", "tempo=\(factor)", nil, graph)
          >= 0,
        library.avfilter_link(last, 0, filter, 0) >= 0
      else { return false }
      last = filter
    }
    return library.avfilter_link(last, 0, output, 0) >= 0 && library.avfilter_graph_config(graph, nil) >= 0
  }

  /// `atempo` blends only between a half and twofold: more takes two in a row.
  static func factors(of rate: Double) -> [Double] {
    rate < 0.5 || rate > 2 ? [rate.squareRoot(), rate.squareRoot()] : [rate]
  }
}
