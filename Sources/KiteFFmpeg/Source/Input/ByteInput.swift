import CFFmpeg
import Glibc
import KiteCore

/// Bytes that a demuxer reads through us. Used by one thread at a time.
protocol ByteInput: AnyObject {
  /// Whether `seek` goes anywhere.
  var isSeekable: Bool { get }
  /// Why reading is over for good, where the code that `read` returned can't say it.
  var failure: MediaError? { get }
  /// Whether it begins with a box of those that MP4 and QuickTime files begin with.
  var beginsLikeMP4: Bool { get }
  /// At least one byte, or one of FFmpeg's errors: `kite_error_eof` at the end.
  func read(_ bytes: UnsafeMutableRawBufferPointer) -> Int32
  /// As of `lseek`, and with `kite_seek_size` for the whole's size; or one of FFmpeg's errors.
  func seek(_ offset: Int64, _ whence: Int32) -> Int64
}

/// The reader that FFmpeg knows, over an input of ours.
final class InputReader {
  let input: any ByteInput
  /// To be put into an `AVFormatContext`; lives as long as this object.
  private(set) var context: UnsafeMutablePointer<AVIOContext>?

  /// As large as FFmpeg's own for files; larger ones read more than the first frame needs.
  private static let bufferSize = 32 * 1024

  init(_ input: any ByteInput, subject: String) throws(MediaError) {
    self.input = input
    guard let buffer = av_malloc(Self.bufferSize) else {
      throw MediaError.reading(subject, code: kite_error_no_memory)
    }
    let context = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0,
      Unmanaged.passUnretained(self).toOpaque(),
      { @Sendable opaque, bytes, count in
        guard let bytes, count > 0 else { return kite_error_invalid }
        let room = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
        return InputReader.from(opaque)?.input.read(room) ?? kite_error_io
      },
      nil,
      { @Sendable opaque, offset, whence in
        InputReader.from(opaque)?.input.seek(offset, whence & ~kite_seek_force) ?? Int64(kite_error_io)
      })
    guard let context else {
      av_free(buffer)
      throw MediaError.reading(subject, code: kite_error_no_memory)
    }
    context.pointee.seekable = input.isSeekable ? AVIO_SEEKABLE_NORMAL : 0
    self.context = context
  }

  deinit {
    // FFmpeg may have put a buffer of another size there.
    if let context { av_free(context.pointee.buffer) }
    avio_context_free(&context)
  }

  /// Forgets that a call was broken off: FFmpeg would go on returning its error.
  func forgetError() {
    context?.pointee.error = 0
    context?.pointee.eof_reached = 0
  }

  /// Whether the first 8 bytes of a file are the head of a box that MP4 and QuickTime files begin with.
  static func isMP4(_ head: [UInt8]) -> Bool {
    guard head.count >= 8 else { return false }
    let name = String(decoding: head[4..<8], as: UTF8.self)
    return ["ftyp", "styp", "moov", "moof", "mdat", "free", "skip", "wide", "pnot"].contains(name)
  }

  private static func from(_ opaque: UnsafeMutableRawPointer?) -> InputReader? {
    opaque.map { Unmanaged<InputReader>.fromOpaque($0).takeUnretainedValue() }
  }
}
