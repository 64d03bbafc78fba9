import CFFmpeg
import Glibc
import KiteCore

/// A device that decodes, opened by FFmpeg. Nothing but its reference count changes after `init`.
final class HardwareDevice: @unchecked Sendable {
  /// Owned; FFmpeg's reference counts are atomic.
  let reference: UnsafeMutablePointer<AVBufferRef>
  let kind: AVHWDeviceType
  /// The node that was opened, such as `/dev/dri/renderD128`.
  let path: String
  /// Its `dev_t`; nil when nobody knows.
  let number: UInt64?

  /// Opens the node `path` as a device of `kind`.
  ///
  /// - Throws: `Failure` with FFmpeg's reason.
  init(_ kind: AVHWDeviceType, path: String) throws(Failure) {
    var reference: UnsafeMutablePointer<AVBufferRef>?
    let (code, hint) = LogCollector.lastError { av_hwdevice_ctx_create(&reference, kind, path, nil, 0) }
    guard code >= 0, let reference else {
      throw Failure(reason: "\(path): \(hint ?? MediaError.text(of: code))")
    }
    self.reference = reference
    self.kind = kind
    self.path = path
    var facts = stat()
    number = stat(path, &facts) == 0 ? UInt64(facts.st_rdev) : nil
  }

  deinit {
    var reference: UnsafeMutablePointer<AVBufferRef>? = reference
    av_buffer_unref(&reference)
  }

  /// Why there is no device.
  struct Failure: Error {
    /// A clause, such as "/dev/dri/renderD128: Permission denied".
    let reason: String
  }

  /// The nodes of devices that can draw and decode, the first device first.
  static func nodes(in directory: String = "/dev/dri") -> [String] {
    (128..<144).map { "\(directory)/renderD\($0)" }.filter { access($0, F_OK) == 0 }
  }

  /// The device of `kind` at the node `path`; where that is nil the first one that opens.
  static func open(_ kind: AVHWDeviceType, path: String? = nil) throws(Failure) -> HardwareDevice {
    let nodes = path.map { [$0] } ?? nodes()
    guard !nodes.isEmpty else { throw Failure(reason: "there is no /dev/dri/renderD…") }
    var reasons: [String] = []
    for node in nodes {
      do throws(Failure) { return try HardwareDevice(kind, path: node) } catch {
        reasons.append(error.reason)
      }
    }
    throw Failure(reason: reasons.joined(separator: "; "))
  }
}
