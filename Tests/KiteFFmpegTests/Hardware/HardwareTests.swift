import CFFmpeg
import Foundation
import KiteCore
import TestMedia
import Testing

@testable import KiteFFmpeg

/// What a machine without a device that decodes can show of hardware decoding: the policy, and what is given up when.
@Suite struct HardwareTests {
  private func decoder(_ policy: HardwarePolicy, of clip: TestClip) throws -> (
    FFmpegVideoDecoder, any MediaSource
  ) {
    var options = FFmpegBackend.Options()
    options.hardware = policy
    let source = try FFmpegBackend(options: options).open(
      MediaLocation(clip.url().path), interrupt: InterruptFlag())
    let track = try Decoding.videoTrack(of: source)
    source.select([track.id])
    let decoder = try source.makeVideoDecoder(for: track.id, options: VideoDecoderOptions())
    return (try #require(decoder as? FFmpegVideoDecoder), source)
  }

  private static var hasNodes: Bool { !HardwareDevice.nodes().isEmpty }

  @Test func aDeviceThatIsRequiredAndMissingIsAnError() throws {
    guard !Self.hasNodes else { return print("not held here: there is a /dev/dri/renderD…") }
    let error = #expect(throws: MediaError.self) { try decoder(.required, of: .h264360p) }
    #expect(error?.kind == .device)
    #expect(error?.reason.contains("VAAPI: there is no /dev/dri/renderD…") == true)
    #expect(error?.advice.contains("auto") == true)
  }

  @Test func withoutADeviceTheProcessorDecodesAndTheReportSaysWhy() throws {
    guard !Self.hasNodes else { return print("not held here: there is a /dev/dri/renderD…") }
    let (decoder, source) = try decoder(.auto, of: .h264360p)
    #expect(decoder.report.hardware.isEmpty)
    #expect(decoder.report.reason.contains("VAAPI: there is no /dev/dri/renderD…"))
    _ = try Decoding.next(of: decoder, from: source)
  }

  @Test func hardwareDecodingCanBeOff() throws {
    let (decoder, _) = try decoder(.off, of: .h264360p)
    #expect(decoder.report == DecoderReport(reason: "Hardware decoding is off."))
  }

  @Test(arguments: [TestClip.h264360p, .hevc, .vp9])
  func aDeviceThatFailsInMidStreamIsReplacedWithoutAFrameMissingOrTwice(clip: TestClip) throws {
    let expected = try Decoding.frames(of: clip.url().path).map(\.md5)
    for failing in [0, 1, 7, 20] {
      let (decoder, source) = try decoder(.off, of: clip)
      // The processor stands for the device.
      try decoder.begin(way: HardwareWay(decoder: decoder.decoder, format: AV_PIX_FMT_NONE, device: nil))
      var seen: [String] = []
      var hasEnded = false
      while !hasEnded {
        if seen.count == failing, decoder.report.reason.contains("failed") == false {
          #expect(try decoder.takesOver(because: "it was unplugged"))
          #expect(decoder.report.reason.hasSuffix("failed: it was unplugged."))
        }
        switch try decoder.receive() {
        case .frame(let frame): seen.append(Decoding.md5(of: frame))
        case .needsInput: try decoder.send(source.readPacket())
        case .ended: hasEnded = true
        }
      }
      #expect(seen == expected, "failed after \(failing) frames")
    }
  }
}

@Suite struct ReplayQueueTests {
  @Test func itHoldsWhatCameSinceTheLastKeyframe() {
    var queue = ReplayQueue<Int>()
    queue.append(1, byteCount: 10, isKeyframe: false)
    #expect(queue.take() == [])
    queue.append(2, byteCount: 10, isKeyframe: true)
    queue.append(3, byteCount: 10, isKeyframe: false)
    queue.append(4, byteCount: 10, isKeyframe: true)
    queue.append(5, byteCount: 10, isKeyframe: false)
    #expect(queue.take() == [4, 5])
    #expect(queue.take() == [])
  }

  @Test func whatIsTooMuchIsNotKeptUntilTheNextKeyframe() {
    var queue = ReplayQueue<Int>()
    queue.append(1, byteCount: 10, isKeyframe: true)
    queue.append(2, byteCount: ReplayQueue<Int>.limit, isKeyframe: false)
    queue.append(3, byteCount: 10, isKeyframe: false)
    #expect(queue.take() == [])
    queue.append(4, byteCount: 10, isKeyframe: true)
    #expect(queue.take() == [4])
  }
}
