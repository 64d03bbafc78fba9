import Foundation
import Testing

/// Windows in the compositors of Debian's packages, as their screenshots show them. One at a time: each
/// compositor is a process of its own.
@Suite(.serialized) struct RealCompositorTests {
  private static let compositors = ["weston", "sway"]
  private static let background: UInt32 = 0x204060
  private static let output = 1280 * 720

  /// What the output shows while the probe runs, once it is as `expected` says, else what it showed at last:
  /// a busy machine's compositor may still be on its way up. Nil, with the reason printed, where something
  /// isn't installed.
  private func colors(
    _ compositor: String, _ words: [String], until expected: (Screenshot) -> Bool
  ) throws -> Screenshot? {
    let needed = [compositor, compositor == "sway" ? "grim" : "weston-screenshooter", "ffmpeg"]
    if let missing = needed.first(where: { !Program.isInstalled($0) }) {
      print("Not tested in \(compositor): \(missing) is not installed.")
      return nil
    }
    var last: Screenshot?
    for settling in [200, 1_000, 5_000] {
      let path = FileManager.default.temporaryDirectory.appending(path: "kite-\(UUID().uuidString).png").path
      defer { try? FileManager.default.removeItem(atPath: path) }
      let options = ["settling", "\(settling)", "screenshot", path]
      let lines = try Program.probe(["window"] + words + options, in: compositor)
      #expect(!lines.contains { $0.hasPrefix("error") }, "\(lines)")
      let screenshot = try Screenshot(path)
      last = screenshot
      if expected(screenshot) { break }
    }
    return last
  }

  @Test(arguments: compositors)
  func aWindowAndItsSubsurfaceAreExact(compositor: String) throws {
    // Sway gives a lone window all of the output.
    let window = compositor == "sway" ? Self.output : 640 * 360
    var expected: [UInt32: Int] = [0xc02040: window / 4, 0x20c040: window - window / 4]
    if window < Self.output { expected[Self.background] = Self.output - window }
    let words = ["20c040", "640x360", "subsurface", "c02040"]
    guard let seen = try colors(compositor, words, until: { $0.counts == expected }) else { return }
    #expect(seen.counts == expected)
  }

  @Test(arguments: compositors)
  func fullscreenFillsTheOutput(compositor: String) throws {
    let expected: [UInt32: Int] = [0x20c040: Self.output]
    let words = ["20c040", "640x360", "fullscreen"]
    guard let seen = try colors(compositor, words, until: { $0.counts == expected }) else { return }
    #expect(seen.counts == expected)
  }

  @Test(arguments: compositors)
  func aHiddenWindowIsGone(compositor: String) throws {
    let expected: [UInt32: Int] = [Self.background: Self.output]
    let words = ["20c040", "640x360", "hidden"]
    guard let seen = try colors(compositor, words, until: { $0.counts == expected }) else { return }
    #expect(seen.counts == expected)
  }

  @Test(arguments: compositors)
  func aWindowThatWasHiddenComesBack(compositor: String) throws {
    // Weston places it anew, and a few columns may end up beside the output.
    let least = compositor == "sway" ? Self.output : 600 * 360
    let words = ["20c040", "640x360", "reshown"]
    guard let seen = try colors(compositor, words, until: { $0.counts[0x20c040, default: 0] >= least }) else {
      return
    }
    #expect(seen.counts[0x20c040, default: 0] >= least)
  }
}
