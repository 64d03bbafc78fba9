import Glibc

/// A system call that failed: which one, for what, and the kernel's reason.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call's name as in its manual page, such as `memfd_create`.
  public let call: String
  /// What the call was for, in the caller's words.
  public let subject: String
  /// `errno` as the call left it.
  public let code: Int32

  /// Makes an error of a call that has just failed; `code` is `errno` unless given.
  public init(call: String, subject: String, code: Int32? = nil) {
    // Before anything else here can change it.
    let current = errno
    self.call = call
    self.subject = subject
    self.code = code ?? current
  }

  /// One line: the subject, the kernel's reason, the call.
  public var description: String {
    "\(subject): \(reason) (\(call), errno \(code))"
  }

  /// The kernel's reason as text, such as "No such file or directory".
  public var reason: String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }
}
