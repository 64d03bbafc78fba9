import KiteSystem

@testable import KiteCore

/// A picture as a fake source has it.
struct FakePicture: Sendable {
  var pts: MediaTime?
  var duration = MediaTime.zero
  var isKeyframe = true
  var byteCount = 1000
  /// The packet can't be decoded.
  var isDamaged = false
  /// What the decoder says of it instead.
  var refusal: MediaError?
  /// Time of the manual clock that decoding takes.
  var cost: Int64 = 0
  /// Whether a decoder that is in a hurry leaves it out.
  var isReference = true
  var size = PixelSize(width: 64, height: 36)
}

/// What a fake source does, as a script.
struct FakeMedia: Sendable {
  var pictures: [FakePicture] = []
  /// In the order of their times.
  var sounds: [FakeSound] = []
  /// In the order of their times.
  var subtitles: [FakeSubtitle] = []
  var chapters: [Chapter] = []
  var duration: MediaTime?
  var hasVideo = true
  /// The same pictures twice as large, as track 10.
  var hasLargeVideo = false
  var hasAudio = false
  /// Channels that the container says its sound has; nil: it says nothing.
  var channelCount: Int?
  var isSeekable = true
  var isRemote = false
  /// Says that it can be searched, and then refuses.
  var refusesSeeks = false
  /// Refuses to open.
  var openError: MediaError?
  var decoderError: MediaError?
  /// After the last picture, reading fails instead of ending.
  var readError: MediaError?
  /// Opening waits for it.
  var openGate: Gate?
  /// Reading the picture of this number waits for the gate.
  var readGates: [Int: Gate] = [:]
  /// Reading the sound of this time waits for the gate.
  var soundGates: [MediaTime: Gate] = [:]
  /// Whether waits for gates heed the interrupt.
  var heedsInterrupt = true
  /// Pictures that stay in the decoder until more come, as frame threads do.
  var decoderDelay = 0

  /// `count` pictures at `rate` a second; a keyframe every `keyframes`.
  static func video(
    count: Int, rate: Double = 25, keyframes: Int = 1,
    _ change: (Int, inout FakePicture) -> Void = { _, _ in }
  ) -> FakeMedia {
    var media = FakeMedia()
    for index in 0..<count {
      let start = MediaTime(seconds: Double(index) / rate)
      var picture = FakePicture(
        pts: start, duration: MediaTime(seconds: Double(index + 1) / rate) - start,
        isKeyframe: index % keyframes == 0)
      change(index, &picture)
      media.pictures.append(picture)
    }
    media.duration = MediaTime(seconds: Double(count) / rate)
    return media
  }
}

/// Opens scripts; counts what lives.
final class FakeBackend: MediaBackend {
  let time: ManualTime?
  private let media: Locked<[MediaLocation: FakeMedia]>

  struct Counts: Hashable {
    /// Sources and decoders that are alive.
    var living = 0
    var decoded = 0
    /// Sources that wait at a gate.
    var waiting = 0
    var flushes = 0
    /// How often a decoder was told to hurry.
    var hurries = 0
  }

  private let counted = Locked(Counts())
  var counts: Counts { counted.withLock { $0 } }

  func count(_ what: WritableKeyPath<Counts, Int>, _ change: Int) {
    counted.withLock { $0[keyPath: what] += change }
  }

  /// From now on every read of every source waits for `gate`.
  func hold(_ gate: Gate) { held.withLock { $0 = gate } }
  var heldBy: Gate? { held.withLock { $0 } }
  private let held = Locked<Gate?>(nil)

  init(_ media: FakeMedia = .video(count: 100), time: ManualTime? = nil) {
    self.time = time
    self.media = Locked(["film": media])
  }

  subscript(location: MediaLocation) -> FakeMedia? {
    get { media.withLock { $0[location] } }
    set { media.withLock { $0[location] = newValue } }
  }

  func open(_ location: MediaLocation, interrupt: InterruptFlag) throws(MediaError) -> sending any MediaSource
  {
    guard let media = self[location] else {
      throw MediaError(kind: .notFound, subject: location.text, reason: "does not exist")
    }
    if let gate = media.openGate, !gate.wait(interrupt: media.heedsInterrupt ? interrupt : nil) {
      throw MediaError(kind: .cancelled, subject: location.text, reason: "was cancelled")
    }
    if let error = media.openError { throw error }
    return FakeSource(media, interrupt: interrupt, backend: self)
  }
}

final class FakePacket: MediaPacket {
  let picture: FakePicture
  let trackID: Int
  var pts: MediaTime? { picture.pts }
  var byteCount: Int { picture.byteCount }
  var isKeyframe: Bool { picture.isKeyframe }
  init(_ picture: FakePicture, trackID: Int = 0) {
    self.picture = picture
    self.trackID = trackID
  }
}

final class FakeSource: MediaSource {
  private let media: FakeMedia
  private let interrupt: InterruptFlag
  private let backend: FakeBackend
  private var next = 0
  private var nextSound = 0
  private var nextSubtitle = 0
  private var selected: Set<Int> = []

  init(_ media: FakeMedia, interrupt: InterruptFlag, backend: FakeBackend) {
    self.media = media
    self.interrupt = interrupt
    self.backend = backend
    backend.count(\.living, 1)
  }

  deinit { backend.count(\.living, -1) }

  var duration: MediaTime? { media.duration }
  var isSeekable: Bool { media.isSeekable }
  var isRemote: Bool { media.isRemote }

  var tracks: [MediaTrack] {
    var tracks: [MediaTrack] = []
    if media.hasVideo { tracks.append(MediaTrack(id: 0, kind: .video, codec: "fake")) }
    if media.hasLargeVideo { tracks.append(MediaTrack(id: 10, kind: .video, codec: "large")) }
    let sounding = Set(media.sounds.map(\.trackID)).union(media.hasAudio ? [1] : [])
    let format = media.channelCount.map { AudioFormat(sampleRate: 1000, channelCount: $0) }
    for id in sounding.sorted() {
      tracks.append(MediaTrack(id: id, kind: .audio, codec: "hum", audioFormat: format))
    }
    for id in Set(media.subtitles.map(\.trackID)).sorted() {
      tracks.append(
        MediaTrack(id: id, kind: .subtitle, codec: "text", isDefault: id == FakeSubtitle.defaultID))
    }
    return tracks
  }

  var chapters: [Chapter] { media.chapters }

  func makeSubtitleDecoder(for trackID: Int) throws(MediaError) -> sending any SubtitleDecoder {
    FakeSubtitleDecoder()
  }

  func select(_ trackIDs: Set<Int>) { selected = trackIDs }
  private var videoTrackID: Int? { selected.contains(0) ? 0 : selected.contains(10) ? 10 : nil }

  func readPacket() throws(MediaError) -> (any MediaPacket)? {
    if let sound = takeSound() {
      try pass(media.soundGates[sound.pts])
      return FakeSoundPacket(sound)
    }
    if let subtitle = takeSubtitle() { return FakeSubtitlePacket(subtitle) }
    guard let videoTrackID, next < media.pictures.count else {
      if let error = media.readError { throw error }
      return nil
    }
    try pass(backend.heldBy ?? media.readGates[next])
    defer { next += 1 }
    var picture = media.pictures[next]
    if videoTrackID == 10 { picture.size = PixelSize(width: 128, height: 72) }
    return FakePacket(picture, trackID: videoTrackID)
  }

  private func pass(_ gate: Gate?) throws(MediaError) {
    guard let gate, !gate.isOpen else { return }
    backend.count(\.waiting, 1)
    defer { backend.count(\.waiting, -1) }
    guard gate.wait(interrupt: media.heedsInterrupt ? interrupt : nil) else {
      throw MediaError(kind: .cancelled, subject: "film", reason: "was cancelled")
    }
  }

  /// The next sound, unless a picture comes first.
  private func takeSound() -> FakeSound? {
    while nextSound < media.sounds.count, !selected.contains(media.sounds[nextSound].trackID) {
      nextSound += 1
    }
    guard nextSound < media.sounds.count else { return nil }
    let sound = media.sounds[nextSound]
    if videoTrackID != nil, next < media.pictures.count, (media.pictures[next].pts ?? .zero) <= sound.pts {
      return nil
    }
    nextSound += 1
    return sound
  }

  /// The next subtitle, unless a picture comes first.
  private func takeSubtitle() -> FakeSubtitle? {
    while nextSubtitle < media.subtitles.count, !selected.contains(media.subtitles[nextSubtitle].trackID) {
      nextSubtitle += 1
    }
    guard nextSubtitle < media.subtitles.count else { return nil }
    let subtitle = media.subtitles[nextSubtitle]
    if videoTrackID != nil, next < media.pictures.count,
      (media.pictures[next].pts ?? .zero) <= subtitle.start
    {
      return nil
    }
    nextSubtitle += 1
    return subtitle
  }

  func makeAudioDecoder(for trackID: Int, format: AudioFormat) throws(MediaError) -> sending any AudioDecoder
  {
    FakeAudioDecoder(backend: backend)
  }

  func seek(to time: MediaTime) throws(MediaError) {
    guard media.isSeekable, !media.refusesSeeks else {
      throw MediaError(kind: .unreadable, subject: "film", reason: "is a pipe")
    }
    next = media.pictures.lastIndex { $0.isKeyframe && ($0.pts ?? .zero) <= time } ?? 0
    let start = media.pictures.isEmpty || videoTrackID == nil ? time : media.pictures[next].pts ?? .zero
    nextSubtitle = media.subtitles.firstIndex { $0.start >= start } ?? media.subtitles.count
    nextSound = media.sounds.firstIndex { $0.pts + .ms($0.length) > start } ?? media.sounds.count
  }

  func makeVideoDecoder(for trackID: Int, options: VideoDecoderOptions) throws(MediaError)
    -> sending any VideoDecoder
  {
    if let error = media.decoderError { throw error }
    return FakeDecoder(delay: media.decoderDelay, pool: options.pool, backend: backend)
  }
}

final class FakeDecoder: VideoDecoder {
  private let delay: Int
  private let pool: FramePool?
  private let backend: FakeBackend
  private var inside: [FakePicture] = []
  private var isDraining = false
  var skipsNonReferenceFrames = false {
    didSet { if skipsNonReferenceFrames { backend.count(\.hurries, 1) } }
  }

  init(delay: Int, pool: FramePool?, backend: FakeBackend) {
    self.delay = delay
    self.pool = pool
    self.backend = backend
    backend.count(\.living, 1)
  }

  deinit { backend.count(\.living, -1) }

  func send(_ packet: (any MediaPacket)?) throws(MediaError) {
    guard let packet = packet as? FakePacket else {
      isDraining = true
      return
    }
    if let refusal = packet.picture.refusal { throw refusal }
    if packet.picture.isDamaged {
      throw MediaError(kind: .decoding, subject: "fake", reason: "is damaged")
    }
    if skipsNonReferenceFrames, !packet.picture.isReference { return }
    backend.time?.sleep(packet.picture.cost)
    inside.append(packet.picture)
  }

  func receive() throws(MediaError) -> VideoDecoderOutput {
    guard inside.count > (isDraining ? 0 : delay) else { return isDraining ? .ended : .needsInput }
    let picture = inside.removeFirst()
    backend.count(\.decoded, 1)
    return .frame(Self.frame(picture, pool: pool))
  }

  func flush() {
    backend.count(\.flushes, 1)
    inside.removeAll()
    isDraining = false
  }

  private static func frame(_ picture: FakePicture, pool: FramePool?) -> VideoFrame {
    let properties = VideoFrame.Properties(
      format: .gray8, codedSize: picture.size, pts: picture.pts ?? .unknown, duration: picture.duration)
    if let slot = try? pool?.lend(byteCount: picture.size.width * picture.size.height) {
      let plane = VideoPlane(offset: 0, stride: picture.size.width, baseAddress: slot.memory.baseAddress)
      return VideoFrame(properties: properties, memory: .shared(slot.memory), planes: [plane], owner: slot)
    }
    return VideoFrame(properties: properties, memory: .heap, planes: [], owner: Gate())
  }
}
