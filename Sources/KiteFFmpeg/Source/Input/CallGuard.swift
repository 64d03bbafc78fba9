import CFFmpeg
import KiteCore
import KiteSystem
import Synchronization

/// Says when a call of FFmpeg is to end: when the engine wants it to, or when a server has sent nothing for too long.
///
/// FFmpeg asks several times a second while it waits, on whichever thread does; so it is safe on all.
final class CallGuard: Sendable {
  let interrupt: InterruptFlag
  /// How long nothing may come; nil: for ever.
  let patience: MediaTime?
  /// In nanoseconds of the monotonic clock.
  private let deadline = Atomic<Int64>(.max)

  init(_ interrupt: InterruptFlag, patience: MediaTime?) {
    self.interrupt = interrupt
    self.patience = patience
  }

  /// A call begins, or bytes have come.
  func restart() {
    guard let patience else { return }
    let (end, overflow) = MonotonicTime.now.nanoseconds.addingReportingOverflow(patience.nanoseconds)
    deadline.store(overflow ? .max : end, ordering: .relaxed)
  }

  /// Whether nothing has come for too long.
  var isExpired: Bool {
    let deadline = deadline.load(ordering: .relaxed)
    return deadline != .max && MonotonicTime.now.nanoseconds >= deadline
  }

  /// Whether what is under way is to end.
  var isOver: Bool { interrupt.isSet || isExpired }

  /// For FFmpeg, which has to forget it before this object goes.
  var callback: AVIOInterruptCB {
    AVIOInterruptCB(
      callback: { @Sendable opaque in
        guard let opaque else { return 0 }
        return Unmanaged<CallGuard>.fromOpaque(opaque).takeUnretainedValue().isOver ? 1 : 0
      }, opaque: Unmanaged.passUnretained(self).toOpaque())
  }
}
