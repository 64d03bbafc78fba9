import CFFmpeg
import Glibc
import KiteCore
import KiteSystem

/// A local file or pipe as FFmpeg reads it.
///
/// We open it ourselves, and not FFmpeg's `file` protocol, for three things: the kernel's reason when it can't be
/// opened, a pipe without a writer that ends when `interrupt` is set, and names that look like addresses.
///
/// A file that grew since it was opened, or was written to a moment ago, is still being written, and its end is waited for:
/// `growthTimeout` after the last byte it counts as whole.
final class LocalInput: ByteInput {
  private let file: FileDescriptor
  private let isRegular: Bool
  private let byteCount: Int64
  private let interrupt: InterruptFlag
  private let growthTimeout: MediaTime
  /// Whether the end of a growing file is waited for. Not where the end is looked at to learn the duration, or to search.
  var waitsForGrowth = false
  /// When a pipe that has not said anything yet counts as dead; nil once it spoke.
  private var firstDataDeadline: MonotonicTime?
  /// Whether reading ended because of that deadline.
  private(set) var isSilent = false

  /// How soon a waiting pipe sees `interrupt`, in milliseconds; also how often a growing file is looked at.
  private static let pollInterval: Int32 = 20

  /// Who writes a film writes more often than this, in seconds.
  private static let writingInterval = 0.5

  var isSeekable: Bool { isRegular }
  var failure: MediaError? { nil }

  init(path: String, interrupt: InterruptFlag, options: FFmpegBackend.Options) throws(MediaError) {
    // Without O_NONBLOCK opening a FIFO waits for its writer, where nothing could interrupt it.
    let raw = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard raw >= 0 else { throw MediaError.system(path, errno: errno) }
    file = FileDescriptor(owning: raw)
    self.interrupt = interrupt
    growthTimeout = options.growthTimeout

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
    firstDataDeadline = isRegular ? nil : MonotonicTime.now + options.pipeTimeout.nanoseconds
  }

  func read(_ bytes: UnsafeMutableRawBufferPointer) -> Int32 {
    var growthDeadline: MonotonicTime?
    while true {
      if interrupt.isSet { return kite_error_exit }
      if !isRegular {
        switch waitForData() {
        case .ready: break
        case .ended: return kite_error_eof
        case .nothing: continue
        }
      }
      let result = Glibc.read(file.rawValue, bytes.baseAddress, bytes.count)
      if result > 0 {
        firstDataDeadline = nil
        return Int32(result)
      }
      if result == 0 {
        guard waitsForGrowth, isRegular, isBeingWritten else { return kite_error_eof }
        let deadline = growthDeadline ?? MonotonicTime.now + growthTimeout.nanoseconds
        growthDeadline = deadline
        guard MonotonicTime.now < deadline else { return kite_error_eof }
        usleep(UInt32(Self.pollInterval) * 1000)
        continue
      }
      switch errno {
      case EINTR, EAGAIN: continue
      default: return kite_error_from_errno(errno)
      }
    }
  }

  /// Whether somebody has written to the file since it was opened, or just before.
  private var isBeingWritten: Bool {
    var status = stat()
    var now = timespec()
    guard fstat(file.rawValue, &status) == 0, clock_gettime(CLOCK_REALTIME, &now) == 0 else { return false }
    if Int64(status.st_size) > byteCount { return true }
    let age =
      Double(now.tv_sec - status.st_mtim.tv_sec) + Double(now.tv_nsec - status.st_mtim.tv_nsec) / 1e9
    return age < Self.writingInterval
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

  var beginsLikeMP4: Bool {
    var head = [UInt8](repeating: 0, count: 8)
    return isRegular && pread(file.rawValue, &head, 8, 0) == 8 && InputReader.isMP4(head)
  }

  func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    guard isRegular else { return Int64(kite_error_seek) }
    switch whence {
    case kite_seek_size:
      // The file may still grow while it is played.
      var status = stat()
      return fstat(file.rawValue, &status) == 0 ? Int64(status.st_size) : byteCount
    case SEEK_SET, SEEK_CUR, SEEK_END:
      let position = lseek(file.rawValue, Int(offset), whence)
      return position >= 0 ? Int64(position) : Int64(kite_error_from_errno(errno))
    default:
      return Int64(kite_error_invalid)
    }
  }
}
