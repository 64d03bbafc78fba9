import KiteSystem

/// What the sound thread is to do.
enum SoundTask {
  case decode(any MediaPacket, generation: UInt64, restarts: Bool, rate: Double)
  /// The source is at its end: out with what is inside.
  case drain(generation: UInt64, rate: Double)
  /// A lap is over: out with what is inside; then comes what the mark says.
  case endLap(LapMark, generation: UInt64)
  /// Another decoder: what is inside the one before is not wanted.
  case use(Handoff<any AudioDecoder>)
  /// Write the samples from `skipping` on, which then begin at `media`, but no more than `limit`.
  case write(skipping: Int, limit: Int = .max, media: MediaTime)
  /// Write `frames` frames of silence up to the samples.
  case writeSilence(frames: Int, media: MediaTime, rate: Double)
  /// Let as many frames go.
  case skip(Int)
  /// Let the samples go.
  case drop
  case stop
}

/// A track to be heard from now on; nil: none.
struct SoundWish {
  var trackID: Int?
}

/// Decoded samples that the sound thread holds.
struct SoundHead {
  var pts: MediaTime
  var rate: Double
  var frameCount: Int
  var generation: UInt64
  /// What `pts` is moved by.
  var lap = MediaTime.zero
  /// Whether a lap begins with them.
  var beginsLap = false
}

/// The sound of one item.
struct SoundState {
  /// The track that is read.
  var trackID: Int
  var serial: UInt64 = 0
  /// Decodes it from now on.
  var decoder: Handoff<any AudioDecoder>?
  let sink: any AudioSink
  var sync: SoundSync
  /// The decoder waits for a packet, and there is none.
  var isStarved = false
  /// The decoder has given all that the source had.
  var isDone = false
  /// The sink took less than it was offered: it is full.
  var isFull = false
  /// The generation that is inside the decoder is this one.
  var contentGeneration: UInt64 = 0
  /// The sink has to run, so that it says whether it sounds.
  var isRunning = false

  init(trackID: Int, sink: any AudioSink) {
    self.trackID = trackID
    self.sink = sink
    sync = SoundSync(sampleRate: sink.format.sampleRate)
  }

  mutating func setRunning(_ value: Bool) {
    isRunning = value
    sink.setRunning(value)
  }

  mutating func flush() {
    sink.flush()
    sync.flushed()
    isFull = false
  }
}
