import KiteSystem

@testable import KiteCore

/// A packet of sound as a fake source has it: its samples say which millisecond of the media they are.
struct FakeSound: Sendable {
  var pts: MediaTime
  /// Milliseconds of sound, and samples at the usual speed.
  var length: Int64 = 20
  var isDamaged = false
  var trackID = 1
}

extension FakeMedia {
  /// Gives the film sound from `start` to `end`, in packets of 20 ms.
  func withSound(from start: Int64 = 0, to end: Int64, trackID: Int = 1) -> FakeMedia {
    var media = self
    media.hasAudio = true
    media.sounds += stride(from: start, to: end, by: 20).map {
      FakeSound(pts: .ms($0), length: min(20, end - $0), trackID: trackID)
    }
    media.sounds.sort { $0.pts < $1.pts }
    return media
  }
}

final class FakeSoundPacket: MediaPacket {
  let sound: FakeSound
  var trackID: Int { sound.trackID }
  var pts: MediaTime? { sound.pts }
  let byteCount = 300
  let isKeyframe = true
  init(_ sound: FakeSound) { self.sound = sound }
}

final class FakeAudioDecoder: AudioDecoder {
  private let backend: FakeBackend
  private var ready: AudioSamples?
  private var isDraining = false
  var rate = 1.0

  init(backend: FakeBackend) {
    self.backend = backend
    backend.count(\.living, 1)
  }

  deinit { backend.count(\.living, -1) }

  func send(_ packet: (any MediaPacket)?) throws(MediaError) {
    guard let packet = packet as? FakeSoundPacket else {
      isDraining = true
      return
    }
    if packet.sound.isDamaged { throw MediaError(kind: .decoding, subject: "hum", reason: "is damaged") }
    let count = Int(Double(packet.sound.length) / rate)
    let start = Double(packet.sound.pts.nanoseconds / 1_000_000)
    ready = AudioSamples(
      pts: packet.sound.pts, rate: rate, channelCount: 1,
      samples: (0..<count).map { Float(start + Double($0) * rate) })
  }

  func receive() throws(MediaError) -> AudioDecoderOutput {
    if let samples = ready {
      ready = nil
      return .samples(samples)
    }
    return isDraining ? .ended : .needsInput
  }

  func flush() {
    ready = nil
    isDraining = false
  }
}
