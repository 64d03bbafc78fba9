import CFFmpeg
import Foundation
import KiteCore
import KiteFFmpeg
import KiteSystem

/// What is kept of a frame after it ended.
struct SeenFrame: Equatable {
  var properties: VideoFrame.Properties
  var isShared: Bool
  var md5: String
}

/// Decodes whole files.
enum Decoding {
  /// The number of the file's video track that is no cover art.
  static func videoTrack(of source: any MediaSource) throws -> MediaTrack {
    guard let track = source.tracks.first(where: { $0.kind == .video && !$0.isAttachedPicture }) else {
      throw MediaError(kind: .noStreams, subject: "test", reason: "has no video track")
    }
    return track
  }

  /// Every frame of the file at `path`; stops after `limit` frames. Damaged packets are counted and passed over.
  static func frames(
    of path: String, threads: Int = 0, pool: FramePool? = nil, hashing: Bool = true, limit: Int = .max,
    errors: inout [MediaError]
  ) throws -> [SeenFrame] {
    let source = try FFmpegBackend().open(MediaLocation(path), interrupt: InterruptFlag())
    let track = try videoTrack(of: source)
    source.select([track.id])
    let decoder = try source.makeVideoDecoder(
      for: track.id, options: VideoDecoderOptions(pool: pool, threadCount: threads))
    var seen: [SeenFrame] = []
    var hasEnded = false
    while !hasEnded, seen.count < limit {
      let packet = try source.readPacket()
      do throws(MediaError) { try decoder.send(packet) } catch { errors.append(error) }
      receiving: while seen.count < limit {
        do throws(MediaError) {
          switch try decoder.receive() {
          case .frame(let frame): seen.append(look(at: frame, hashing: hashing))
          case .needsInput: break receiving
          case .ended:
            hasEnded = true
            break receiving
          }
        } catch { errors.append(error) }
      }
    }
    return seen
  }

  static func frames(
    of path: String, threads: Int = 0, pool: FramePool? = nil, hashing: Bool = true, limit: Int = .max
  ) throws -> [SeenFrame] {
    var errors: [MediaError] = []
    let frames = try frames(
      of: path, threads: threads, pool: pool, hashing: hashing, limit: limit, errors: &errors)
    if let first = errors.first { throw first }
    return frames
  }

  static func look(at frame: borrowing VideoFrame, hashing: Bool) -> SeenFrame {
    var isShared = false
    if case .shared = frame.memory { isShared = true }
    return SeenFrame(properties: frame.properties, isShared: isShared, md5: hashing ? md5(of: frame) : "")
  }

  /// MD5 over the visible rows of all planes, as ffmpeg's framemd5 has it.
  static func md5(of frame: borrowing VideoFrame) -> String {
    let crop = frame.properties.crop
    var bytes: [UInt8] = []
    for (layout, plane) in zip(frame.properties.format.planes, frame.planes) {
      guard let base = plane.baseAddress else { return "unmapped" }
      let rowBytes = layout.rowBytes(width: crop.width)
      let start = (crop.x >> layout.shiftX) * layout.bytesPerSample
      let top = crop.y >> layout.shiftY
      for row in 0..<layout.rows(height: crop.height) {
        let address = base + (top + row) * plane.stride + start
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: address, count: rowBytes))
      }
    }
    var digest = [UInt8](repeating: 0, count: 16)
    av_md5_sum(&digest, bytes, bytes.count)
    return digest.map { String(format: "%02x", $0) }.joined()
  }
}
