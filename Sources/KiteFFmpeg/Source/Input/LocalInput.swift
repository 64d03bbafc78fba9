import CFFmpeg
import Glibc
import KiteCore
import KiteSystem

/// A local file or pipe as FFmpeg reads it.
///
/// We open it ourselves, and not FFmpeg's `file` protocol, for three things: the kernel's reason when it can't be
/// opened, a pipe without a writer that ends when `interrupt` is set, and names that look like addresses.
final class LocalInput {
  /// The reader to put into an `AVFormatContext`; lives as long as this object.
  private(set) var context: UnsafeMutablePointer<AVIOContext>?

  private let file: FileDescriptor
  private let isRegular: Bool
  private let byteCount: Int64
  private let interrupt: InterruptFlag
  /// When a pipe that has not said anything yet counts as dead; nil once it spoke.
  private var firstDataDeadline: MonotonicTime?
  /// Whether reading ended because of that deadline.
  private(set) var isSilent = false

  /// As large as FFmpeg's own for files; larger ones read more than the first frame needs.
  private static let bufferSize = 32 * 1024
  /// How soon a waiting pipe sees `interrupt`.
  private static let pollInterval: Int32 = 20

  init(path: String, interrupt: InterruptFlag, pipeTimeout: MediaTime) throws(MediaError) {
    // Without O_NONBLOCK opening a FIFO waits for its writer, where nothing could interrupt it.
    let raw = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard raw >= 0 else { throw MediaError.system(path, errno: errno) }
    file = FileDescriptor(owning: raw)
    self.interrupt = interrupt

    var status = stat()
    guard fstat(raw, &status) == 0 else { throw MediaError.system(path, errno: errno) }
    let type = status.st_mode & S_IFMT
    isRegular = type == S_IFREG
    byteCount = Int64(status.st_size)
    if type == S_IFDIR {
      throw MediaError(
        kind: .notMedia, subject: path, reason: "is a folder", advice: "Give a file inside it.")
    }
    if isRegular && byteCount == 0 {
      throw MediaError(
        kind: .notMedia, subject: path, reason: "is empty", advice: "Copy or download it again.")
    }
    firstDataDeadline = isRegular ? nil : MonotonicTime.now + pipeTimeout.nanoseconds

    guard let buffer = av_malloc(Self.bufferSize) else {
      throw MediaError.reading(path, code: kite_error_no_memory)
    }
    let context = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0,
      Unmanaged.passUnretained(self).toOpaque(),
      { @Sendable opaque, bytes, count in LocalInput.from(opaque)?.read(bytes, count) ?? kite_error_io },
      nil,
      { @Sendable opaque, offset, whence in
        LocalInput.from(opaque)?.seek(offset, whence) ?? Int64(kite_error_io)
      })
    guard let context else {
      av_free(buffer)
      throw MediaError.reading(path, code: kite_error_no_memory)
    }
    context.pointee.seekable = isRegular ? AVIO_SEEKABLE_NORMAL : 0
    self.context = context
  }

  deinit {
    // FFmpeg may have put a buffer of another size there.
    if let context { av_free(context.pointee.buffer) }
    avio_context_free(&context)
  }

  private static func from(_ opaque: UnsafeMutableRawPointer?) -> LocalInput? {
    opaque.map { Unmanaged<LocalInput>.fromOpaque($0).takeUnretainedValue() }
  }

  private func read(_ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32 {
    guard let bytes, count > 0 else { return kite_error_invalid }
    while true {
      if interrupt.isSet { return kite_error_exit }
      if !isRegular {
        switch waitForData() {
        case .ready: break
        case .ended: return kite_error_eof
        case .nothing: continue
        }
      }
      let result = Glibc.read(file.rawValue, bytes, Int(count))
      if result > 0 {
        firstDataDeadline = nil
        return Int32(result)
      }
      if result == 0 { return kite_error_eof }
      switch errno {
      case EINTR, EAGAIN: continue
      default: return kite_error_from_errno(errno)
      }
    }
  }

  private enum Wait { case ready, ended, nothing }

  /// A FIFO that nobody has opened for writing yet reports neither data nor hang-up; one whose writers left hangs up.
  private func waitForData() -> Wait {
    var request = pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)
    let count = poll(&request, 1, Self.pollInterval)
    if count > 0 {
      if request.revents & Int16(POLLIN) != 0 { return .ready }
      return .ended
    }
    if let firstDataDeadline, MonotonicTime.now > firstDataDeadline {
      isSilent = true
      return .ended
    }
    return .nothing
  }

  /// Whether the file begins with a box of those that MP4 and QuickTime files begin with.
  var beginsLikeMP4: Bool {
    var head = [UInt8](repeating: 0, count: 8)
    guard isRegular, pread(file.rawValue, &head, 8, 0) == 8 else { return false }
    let name = String(decoding: head[4...], as: UTF8.self)
    return ["ftyp", "styp", "moov", "moof", "mdat", "free", "skip", "wide", "pnot"].contains(name)
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    guard isRegular else { return Int64(kite_error_seek) }
    switch whence & ~kite_seek_force {
    case kite_seek_size:
      // The file may still grow while it is played.
      var status = stat()
      return fstat(file.rawValue, &status) == 0 ? Int64(status.st_size) : byteCount
    case SEEK_SET, SEEK_CUR, SEEK_END:
      let position = lseek(file.rawValue, Int(offset), whence & ~kite_seek_force)
      return position >= 0 ? Int64(position) : Int64(kite_error_from_errno(errno))
    default:
      return Int64(kite_error_invalid)
    }
  }
}
