import KiteSystem

/// A film and files of sound beside it, as one source: packets come in the order of their times.
///
/// Each file's times count from its own start, as the film's do. A seek takes them all along; one that ends, or can't be
/// read any further, is silent from there on, and the film goes on.
final class MergedSource: MediaSource {
  private let film: any MediaSource
  private var files: [File] = []
  private var filmIsRead = true
  private var filmHead: (any MediaPacket)?
  private var filmHasEnded = false
  private var toldEnd = false
  /// How far the film was read.
  private var filmTime = MediaTime.zero
  /// Where the last seek went to; nil: nowhere since a packet was read.
  private var target: MediaTime?
  /// Hears of files that can't be read any further.
  private let onProblem: (MediaError) -> Void

  private struct File {
    let source: any MediaSource
    /// Its tracks by the numbers that they have here.
    let ownIDs: [Int: Int]
    let shownIDs: [Int: Int]
    var selected: Set<Int> = []
    var head: (any MediaPacket)?
    var hasEnded = false
    /// It stands somewhere else than the film.
    var needsPlace = true
    /// Nothing was read of it.
    var isFresh = true

    var isRead: Bool { !selected.isEmpty && !hasEnded }
  }

  init(_ film: any MediaSource, onProblem: @escaping (MediaError) -> Void) {
    self.film = film
    self.onProblem = onProblem
  }

  /// Takes in a file, whose tracks have the numbers `shownIDs` here, by those they have there.
  func add(_ source: any MediaSource, shownIDs: [Int: Int]) {
    source.select([])
    let ownIDs = Dictionary(shownIDs.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    files.append(File(source: source, ownIDs: ownIDs, shownIDs: shownIDs))
  }

  var tracks: [MediaTrack] { film.tracks }
  var duration: MediaTime? { film.duration }
  var isSeekable: Bool { film.isSeekable }
  var isRemote: Bool { film.isRemote || files.contains { $0.source.isRemote } }
  var fonts: [MediaAttachment] { film.fonts }
  var chapters: [Chapter] { film.chapters }

  func select(_ trackIDs: Set<Int>) {
    let own = trackIDs.filter { id in !files.contains { $0.ownIDs[id] != nil } }
    filmIsRead = !own.isEmpty
    film.select(own)
    if let head = filmHead, !own.contains(head.trackID) { filmHead = nil }
    for index in files.indices {
      let selected = Set(trackIDs.compactMap { files[index].ownIDs[$0] })
      guard selected != files[index].selected else { continue }
      files[index].selected = selected
      files[index].source.select(selected)
      files[index].head = nil
      files[index].hasEnded = false
      files[index].needsPlace = true
    }
  }

  func seek(to time: MediaTime) throws(MediaError) {
    try film.seek(to: time)
    filmHead = nil
    filmHasEnded = false
    toldEnd = false
    filmTime = time
    target = time
    for index in files.indices {
      files[index].head = nil
      files[index].hasEnded = false
      files[index].needsPlace = true
    }
  }

  func readPacket() throws(MediaError) -> (any MediaPacket)? {
    if filmHead == nil, filmIsRead, !filmHasEnded {
      filmHead = try film.readPacket()
      filmHasEnded = filmHead == nil
      // The picture that a seek comes to may be long before where it went.
      if let pts = filmHead?.pts { filmTime = target == nil ? max(filmTime, pts) : min(filmTime, pts) }
      target = nil
    }
    var first: Int?
    for index in files.indices where files[index].isRead {
      try readAhead(index)
      guard let head = files[index].head else { continue }
      let others = first.flatMap { files[$0].head?.pts } ?? MediaTime(nanoseconds: .max)
      if first == nil || (head.pts ?? filmTime) < others { first = index }
    }
    if let index = first, let head = files[index].head {
      if filmHead == nil, filmHasEnded, !toldEnd {
        toldEnd = true
        return PicturesEnd()
      }
      if filmHead == nil || (head.pts ?? filmTime) <= filmTime {
        files[index].head = nil
        return head
      }
    }
    defer { filmHead = nil }
    return filmHead
  }

  /// Reads the next packet of a file, if there is none; goes to where the film is first.
  private func readAhead(_ index: Int) throws(MediaError) {
    guard files[index].head == nil else { return }
    let source = files[index].source
    do throws(MediaError) {
      if files[index].needsPlace {
        if !files[index].isFresh || filmTime > .zero { try source.seek(to: filmTime) }
        files[index].needsPlace = false
      }
      files[index].isFresh = false
      while let packet = try source.readPacket() {
        guard let id = files[index].shownIDs[packet.trackID] else { continue }
        files[index].head = FilePacket(packet, trackID: id)
        return
      }
      files[index].hasEnded = true
    } catch {
      if error.kind == .cancelled { throw error }
      files[index].hasEnded = true
      onProblem(error)
    }
  }

  func makeVideoDecoder(for trackID: Int, options: VideoDecoderOptions) throws(MediaError)
    -> sending any VideoDecoder
  {
    try film.makeVideoDecoder(for: trackID, options: options)
  }

  func makeAudioDecoder(for trackID: Int, format: AudioFormat) throws(MediaError) -> sending any AudioDecoder
  {
    for file in files {
      guard let id = file.ownIDs[trackID] else { continue }
      return FileAudioDecoder(try file.source.makeAudioDecoder(for: id, format: format))
    }
    return try film.makeAudioDecoder(for: trackID, format: format)
  }

  func makeSubtitleDecoder(for trackID: Int) throws(MediaError) -> sending any SubtitleDecoder {
    try film.makeSubtitleDecoder(for: trackID)
  }
}

/// A packet of a file beside the film, with the number that its track has in the player.
private final class FilePacket: MediaPacket {
  let base: any MediaPacket
  let trackID: Int

  init(_ base: any MediaPacket, trackID: Int) {
    self.base = base
    self.trackID = trackID
  }

  var pts: MediaTime? { base.pts }
  var byteCount: Int { base.byteCount }
  var isKeyframe: Bool { base.isKeyframe }
}

/// Gives the file's own packets to the file's own decoder.
private final class FileAudioDecoder: AudioDecoder {
  private let base: any AudioDecoder

  init(_ base: sending any AudioDecoder) { self.base = base }

  func send(_ packet: (any MediaPacket)?) throws(MediaError) {
    try base.send((packet as? FilePacket)?.base ?? packet)
  }

  func receive() throws(MediaError) -> AudioDecoderOutput { try base.receive() }
  func flush() { base.flush() }

  var rate: Double {
    get { base.rate }
    set { base.rate = newValue }
  }
}

/// The film has no more packets, but the sound beside it has.
final class PicturesEnd: MediaPacket {
  let trackID = -2
  var pts: MediaTime? { nil }
  var byteCount: Int { 0 }
  var isKeyframe: Bool { false }
}
