import Foundation

/// What the tests, and the programs that were built with them, run under.
enum Sanitizer {
  /// The address sanitizer keeps freed memory for a while, and the thread sanitizer a history of all of it: under either,
  /// how much a process has says nothing of what it keeps.
  static var hidesGrowth: Bool {
    dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
  }
}
