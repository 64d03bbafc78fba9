import CFFmpeg
import Glibc
import KiteCore

/// An app's bytes as FFmpeg reads them. Believes nothing that it can't check.
final class ByteSourceInput: ByteInput {
  private let source: any ByteSource
  private let subject: String
  private let interrupt: InterruptFlag
  /// Of the next byte that is read.
  private var position: Int64 = 0
  /// The first bytes of the whole.
  private var head: [UInt8] = []
  let isSeekable: Bool
  private(set) var failure: MediaError?

  var beginsLikeMP4: Bool { InputReader.isMP4(head) }

  init(_ source: any ByteSource, subject: String, interrupt: InterruptFlag) {
    self.source = source
    self.subject = subject
    self.interrupt = interrupt
    isSeekable = source.isSeekable
  }

  func read(_ bytes: UnsafeMutableRawBufferPointer) -> Int32 {
    if interrupt.isSet { return kite_error_exit }
    guard failure == nil else { return kite_error_io }
    let count: Int
    do {
      count = try source.read(into: bytes)
    } catch {
      if interrupt.isSet { return kite_error_exit }
      failure =
        error as? MediaError
        ?? MediaError(
          kind: .unreadable, subject: subject, reason: "could not be read on: \(error)",
          advice: "Ask whoever provides it.")
      return kite_error_io
    }
    guard (0...bytes.count).contains(count) else {
      failure = MediaError(
        kind: .unreadable, subject: subject,
        reason: "says that it read \(count) bytes into a buffer of \(bytes.count)",
        advice: "Correct its ByteSource.read.")
      return kite_error_io
    }
    if count == 0 { return interrupt.isSet ? kite_error_exit : kite_error_eof }
    if position == 0 { head = Array(bytes.prefix(min(count, 8))) }
    position += Int64(count)
    return Int32(clamping: count)
  }

  func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    let size = source.size.flatMap { $0 >= 0 ? $0 : nil }
    let base: Int64
    switch whence {
    case kite_seek_size: return size ?? Int64(kite_error_no_size)
    case SEEK_SET: base = 0
    case SEEK_CUR: base = position
    case SEEK_END:
      guard let size else { return Int64(kite_error_seek) }
      base = size
    default: return Int64(kite_error_invalid)
    }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return Int64(kite_error_invalid) }
    guard target != position else { return position }
    guard isSeekable, failure == nil, !interrupt.isSet else { return Int64(kite_error_seek) }
    do {
      try source.seek(to: target)
    } catch {
      return Int64(kite_error_io)
    }
    position = target
    return target
  }
}
