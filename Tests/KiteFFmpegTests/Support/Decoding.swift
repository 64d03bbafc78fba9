import CFFmpeg
import Foundation
import KiteCore
import KiteFFmpeg
import KiteSystem
import TestMedia

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

extension Decoding {
  /// The next frame, reading packets as needed.
  static func next(of decoder: any VideoDecoder, from source: any MediaSource) throws -> VideoFrame {
    while true {
      switch try decoder.receive() {
      case .frame(let frame): return frame
      case .needsInput: try decoder.send(try source.readPacket())
      case .ended: throw MediaError(kind: .decoding, subject: "test", reason: "ended without a frame")
      }
    }
  }

  /// How many frames come out until the end.
  static func count(of decoder: any VideoDecoder, from source: any MediaSource) throws -> Int {
    var count = 0
    while true {
      switch try decoder.receive() {
      case .frame: count += 1
      case .needsInput: try decoder.send(try source.readPacket())
      case .ended: return count
      }
    }
  }

  /// Frame number `index` of the file at `path`.
  static func frame(_ index: Int, of path: String, pool: FramePool? = nil) throws -> VideoFrame {
    let source = try FFmpegBackend().open(MediaLocation(path), interrupt: InterruptFlag())
    let track = try videoTrack(of: source)
    source.select([track.id])
    let decoder = try source.makeVideoDecoder(for: track.id, options: VideoDecoderOptions(pool: pool))
    for _ in 0..<index { _ = try next(of: decoder, from: source) }
    return try next(of: decoder, from: source)
  }

  static func firstFrame(of path: String, pool: FramePool? = nil) throws -> VideoFrame {
    try frame(0, of: path, pool: pool)
  }

  /// MD5 of the first frame's luma, mirrored and turned as its orientation says.
  static func firstUprightLuma(of path: String) throws -> String {
    let frame = try firstFrame(of: path)
    guard let base = frame.planes[0].baseAddress else { return "unmapped" }
    let crop = frame.properties.crop
    let orientation = frame.properties.orientation
    let size = orientation.swapsAxes ? crop.size.transposed : crop.size
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        // Back through the turn, then through the mirror.
        var (column, row) =
          switch orientation.rotation {
          case .none: (x, y)
          case .clockwise90: (y, crop.height - 1 - x)
          case .half: (crop.width - 1 - x, crop.height - 1 - y)
          case .clockwise270: (crop.width - 1 - y, x)
          }
        if orientation.isMirrored { column = crop.width - 1 - column }
        row += crop.y
        bytes.append(
          base.load(fromByteOffset: row * frame.planes[0].stride + crop.x + column, as: UInt8.self))
      }
    }
    return md5(of: bytes)
  }

  private static func md5(of bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 16)
    av_md5_sum(&digest, bytes, bytes.count)
    return digest.map { String(format: "%02x", $0) }.joined()
  }

  /// The frame as RGB, converted sample by sample in floating point.
  static func rgb(of path: String, index: Int) throws -> ReferencePicture {
    let frame = try frame(index, of: path)
    let crop = frame.properties.crop
    var pixels: [UInt8] = []
    for y in 0..<crop.height {
      for x in 0..<crop.width {
        let (red, green, blue) = FloatConversion.rgb(frame, x: crop.x + x, y: crop.y + y)
        pixels += [blue, green, red, 255]
      }
    }
    return ReferencePicture(width: crop.width, height: crop.height, pixels: pixels)
  }
}

/// YUV, grey and RGB to 8-bit RGB by the book, for the formats that conversions give.
enum FloatConversion {
  static func rgb(_ frame: borrowing VideoFrame, x: Int, y: Int) -> (UInt8, UInt8, UInt8) {
    let format = frame.properties.format
    let levels = Double((1 << format.bitDepth) - 1)
    func sample(_ plane: Int, _ byte: Int = 0) -> Double {
      let layout = format.planes[plane]
      guard let base = frame.planes[plane].baseAddress else { return 0 }
      let row = (y >> layout.shiftY) * frame.planes[plane].stride
      let offset = row + (x >> layout.shiftX) * layout.bytesPerSample + byte
      if format.bitDepth > 8 { return Double(base.loadUnaligned(fromByteOffset: offset, as: UInt16.self)) }
      return Double(base.load(fromByteOffset: offset, as: UInt8.self))
    }
    func byte(_ value: Double) -> UInt8 { UInt8(min(255, max(0, (value * 255).rounded()))) }
    switch format {
    case .bgrx8888: return (UInt8(sample(0, 2)), UInt8(sample(0, 1)), UInt8(sample(0)))
    case .gbrp, .gbrp10, .gbrp12:
      return (byte(sample(2) / levels), byte(sample(0) / levels), byte(sample(1) / levels))
    default: break
    }
    let isFull = frame.properties.color.range == .full
    let unit = Double(1 << (format.bitDepth - 8))
    let luma = isFull ? sample(0) / levels : (sample(0) / unit - 16) / 219
    if format.model == .gray { return (byte(luma), byte(luma), byte(luma)) }
    let scale = isFull ? 255.0 : 224.0
    let blue = (sample(1) / unit - 128) / scale
    let red = (sample(2) / unit - 128) / scale
    let (kr, kb) = frame.properties.color.matrix == .bt709 ? (0.2126, 0.0722) : (0.299, 0.114)
    let r = luma + 2 * (1 - kr) * red
    let b = luma + 2 * (1 - kb) * blue
    return (byte(r), byte((luma - kr * r - kb * b) / (1 - kr - kb)), byte(b))
  }
}
