import CFFmpeg
import KiteCore

extension FFmpegSource {
  /// Steps back that are tried when a container's index leads behind the wanted time.
  private static let attempts = 6
  /// Packets looked at while searching for the keyframe.
  private static let lookAhead = 200

  /// A file or a server that can be asked for any place; or a protocol that seeks by itself, as RTSP does.
  var isSeekable: Bool {
    guard let reader = context.pointee.pb else { return context.pointee.iformat?.pointee.read_seek != nil }
    return reader.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0
  }

  func seek(to time: MediaTime) throws(MediaError) {
    support.reader?.forgetError()
    support.local?.waitsForGrowth = false
    let target = max(time, .zero)
    let track = seekTrack
    var step = MediaTime(nanoseconds: 500_000_000)
    var aim = target
    for _ in 1...Self.attempts {
      try jump(to: aim, track: track)
      // Indexes are in decoding time, and streams without an index are searched by guesses: a keyframe may well come out
      // that is shown after the wanted time.
      guard let track else { return }
      if try lookForKeyframe(of: track, until: target) { return }
      if aim <= .zero { break }
      aim = max(.zero, aim - step)
      step = step + step
    }
    // The first keyframe is behind the wanted time, or guessing finds none before it.
    if isGuessing { _ = rewind() }
  }

  /// Whether the container has no index and is searched by its timestamps, as MPEG streams are.
  private var isGuessing: Bool {
    guard let format = context.pointee.iformat else { return false }
    return format.pointee.flags & AVFMT_TS_DISCONT != 0
  }

  /// Goes to the first byte; false where the container can't.
  private func rewind() -> Bool {
    guard avformat_seek_file(context, -1, .min, 0, .max, AVSEEK_FLAG_BYTE) >= 0 else { return false }
    lookedAt.removeAll()
    return true
  }

  /// The video track whose keyframes count; nil when none is selected.
  private var seekTrack: Int? {
    for track in tracks where track.kind == .video && !track.isAttachedPicture {
      if let stream = context.pointee.streams[track.id], stream.pointee.discard != AVDISCARD_ALL {
        return track.id
      }
    }
    return nil
  }

  private func jump(to time: MediaTime, track: Int?) throws(MediaError) {
    lookedAt.removeAll()
    support.guardian.restart()
    let result: Int32
    if let track, let clock = clock(of: track) {
      result = av_seek_frame(context, Int32(track), clock.timestamp(time), AVSEEK_FLAG_BACKWARD)
    } else {
      result = av_seek_frame(context, -1, (time + origin).nanoseconds / 1000, AVSEEK_FLAG_BACKWARD)
    }
    if result >= 0 { return }
    if interrupt.isSet { throw MediaError.cancelled(location) }
    // To the start there is always a way in a file, also without an index and before its first timestamp.
    if time <= .zero, rewind() { return }
    throw MediaError(
      kind: .unreadable, subject: location, reason: "can't be searched: it is a stream or has no index",
      advice: "Play it from the start.")
  }

  /// Whether the next keyframe of `track` is shown at `time` or before; keeps what it read.
  private func lookForKeyframe(of track: Int, until time: MediaTime) throws(MediaError) -> Bool {
    for _ in 0..<Self.lookAhead {
      guard let packet = try nextPacket() else { return false }
      lookedAt.append(packet)
      if packet.trackID == track, packet.isKeyframe { return packet.pts.map { $0 <= time } ?? true }
    }
    // Keyframes that far apart: trust the container.
    return true
  }
}
