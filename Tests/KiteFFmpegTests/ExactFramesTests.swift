import Foundation
import KiteCore
import KiteFFmpeg
import TestMedia
import Testing

/// A clip and whether its decoder writes into the pool.
struct CodecCase: Sendable, CustomTestStringConvertible {
  let clip: TestClip
  var format: PixelFormat = .yuv420p
  var usesPool = true
  var testDescription: String { clip.fileName }

  static let all: [CodecCase] = [
    CodecCase(clip: .h264360p), CodecCase(clip: .h264Matroska), CodecCase(clip: .h264TransportStream),
    CodecCase(clip: .h264Elementary), CodecCase(clip: .h264422, format: .yuv422p),
    CodecCase(clip: .h264444, format: .yuv444p), CodecCase(clip: .h26442210, format: .yuv422p10),
    CodecCase(clip: .hevc), CodecCase(clip: .hevc10, format: .yuv420p10), CodecCase(clip: .vp8),
    CodecCase(clip: .vp9), CodecCase(clip: .mpeg2), CodecCase(clip: .mpeg4), CodecCase(clip: .mjpeg),
    CodecCase(clip: .theora), CodecCase(clip: .av1, usesPool: false),
  ]
}

@Suite struct ExactFramesTests {
  @Test(arguments: CodecCase.all, [1, 2, 4])
  func framesAreThoseOfTheFFmpegCommand(codec: CodecCase, threads: Int) throws {
    let url = try codec.clip.url()
    let expected = try FrameHashes.of(url)
    #expect(!expected.isEmpty)
    let pool = FramePool(limit: 32)
    let frames = try Decoding.frames(of: url.path, threads: threads, pool: pool)
    #expect(frames.map(\.md5) == expected)
    #expect(frames.allSatisfy { $0.properties.format == codec.format })
    #expect(frames.allSatisfy { $0.isShared == codec.usesPool })
    #expect(pool.slotsOnLoan == 0)
  }
}
