import KiteCore
import KiteFFmpeg

/// Decodes the sound of whole files.
struct SoundDecoding {
  let source: any MediaSource
  let decoder: any AudioDecoder
  let track: MediaTrack
  var warnings = 0

  init(_ path: String, format: AudioFormat) throws {
    source = try FFmpegBackend().open(MediaLocation(path), interrupt: InterruptFlag())
    guard let track = source.tracks.first(where: { $0.kind == .audio }) else {
      throw MediaError(kind: .noStreams, subject: path, reason: "has no sound")
    }
    self.track = track
    source.select([track.id])
    decoder = try source.makeAudioDecoder(for: track.id, format: format)
  }

  /// The next stretch; nil at the end.
  mutating func next() throws -> AudioSamples? {
    while true {
      do throws(MediaError) {
        switch try decoder.receive() {
        case .samples(let samples): return samples
        case .ended: return nil
        case .needsInput: try decoder.send(try source.readPacket())
        }
      } catch {
        warnings += 1
      }
    }
  }

  mutating func all() throws -> [AudioSamples] {
    var all: [AudioSamples] = []
    while let samples = try next() { all.append(samples) }
    return all
  }
}

/// Measures of a signal.
enum Signal {
  /// How often the signal of one channel goes up through zero in a second, between `from` and `to` (parts of its length).
  static func frequency(
    _ samples: [Float], rate: Int, from: Double = 0.2, to: Double = 0.8
  ) -> Double {
    let range = Int(Double(samples.count) * from)..<Int(Double(samples.count) * to)
    var crossings: [Double] = []
    for index in range.dropFirst() where samples[index - 1] < 0 && samples[index] >= 0 {
      let step = Double(samples[index] - samples[index - 1])
      crossings.append(Double(index) - Double(samples[index]) / step)
    }
    guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
    return Double(crossings.count - 1) * Double(rate) / (last - first)
  }
}
