import Foundation
import KiteCore
import KiteFFmpeg
import KiteSystem
import TestMedia
import Testing

@Suite struct PropertiesTests {
  private func frames(_ clip: TestClip, limit: Int = .max) throws -> [SeenFrame] {
    try Decoding.frames(of: clip.path(), pool: FramePool(limit: 32), hashing: false, limit: limit)
  }

  @Test func theCropIsCarriedAndThePlanesStayWhereTheBufferHasThem() throws {
    let first = try #require(try frames(.h264360p, limit: 1).first)
    #expect(first.properties.crop == PixelRect(x: 0, y: 0, width: 640, height: 360))
    #expect(first.properties.codedSize.height >= 368)
    #expect(first.properties.codedSize.height % 2 == 0)
    #expect(first.properties.displaySize == PixelSize(width: 640, height: 360))
  }

  @Test(arguments: [TestClip.odd444, .odd420])
  func oddSizesStayOdd(clip: TestClip) throws {
    let first = try #require(try frames(clip, limit: 1).first)
    #expect(first.properties.crop.size == PixelSize(width: 853, height: 479))
    #expect(first.isShared)
  }

  @Test func theSampleAspectStretchesTheWidth() throws {
    let first = try #require(try frames(.sampleAspect, limit: 1).first)
    #expect(first.properties.sampleAspect == PixelRatio(64, 45))
    #expect(first.properties.displaySize == PixelSize(width: 1024, height: 576))
  }

  @Test(arguments: [0, 90, 180, 270], [false, true])
  func theOrientationTurnsThePictureAsTheFFmpegCommandDoes(degrees: Int, isMirrored: Bool) throws {
    let url = try TestClip.oriented(clockwise: degrees, isMirrored: isMirrored).url()
    let expected = try #require(
      try FrameHashes.of(url, filter: "extractplanes=y", isRotated: true).first)
    #expect(try Decoding.firstUprightLuma(of: url.path) == expected)
    let first = try #require(
      try frames(.oriented(clockwise: degrees, isMirrored: isMirrored), limit: 1).first)
    #expect(first.properties.orientation.rotation.rawValue == degrees)
    #expect(first.properties.orientation.isMirrored == isMirrored)
  }

  @Test func coloursAreThoseOfTheStream() throws {
    typealias Case = (clip: TestClip, matrix: ColorDescription.Matrix, range: ColorDescription.Range)
    let cases: [Case] = [
      (.bars601Limited, .smpte170m, .limited), (.bars601Full, .smpte170m, .full),
      (.bars709Limited, .bt709, .limited), (.bars709Full, .bt709, .full), (.mjpeg, .bt470bg, .full),
      (.h264360p, .smpte170m, .limited), (.h2641080p30, .bt709, .limited),
    ]
    for (clip, matrix, range) in cases {
      let color = try #require(try frames(clip, limit: 1).first).properties.color
      #expect(color.matrix == matrix, "\(clip.fileName)")
      #expect(color.range == range, "\(clip.fileName)")
      #expect(color.chromaLocation != .unspecified, "\(clip.fileName)")
    }
  }

  @Test(arguments: [
    TestClip.h264360p, .h264Matroska, .h264TransportStream, .variableRate, .oneFramePerSecond,
    .frames240PerSecond, .mpeg2, .mpeg4, .vp9, .av1, .theora, .fragmented, .lateStart, .wrapping,
  ])
  func timesAreThoseOfTheFFmpegCommand(clip: TestClip) throws {
    let expected = try FrameTimes.of(clip.url())
    let frames = try frames(clip)
    #expect(frames.count == expected.count)
    for (frame, time) in zip(frames, expected) {
      #expect(abs(frame.properties.pts.seconds - time) < 0.002)
    }
  }

  @Test func timesThatAreMissingFollowTheFrameRate() throws {
    let frames = try frames(.h264Elementary)
    #expect(frames.count == 60)
    let steps = zip(frames, frames.dropFirst()).map { $1.properties.pts - $0.properties.pts }
    #expect(steps.allSatisfy { $0 > .zero })
    let first = try #require(steps.first)
    #expect(steps.allSatisfy { abs($0.nanoseconds - first.nanoseconds) < 1_000_000 })
  }

  @Test func durationsAreTheTimeToTheNextFrame() throws {
    let frames = try frames(.frames240PerSecond)
    #expect(frames.count == 120)
    #expect(frames.allSatisfy { abs($0.properties.duration.seconds - 1 / 240) < 0.0005 })
  }

  @Test func sizeAndFormatMayChangeOnTheWay() throws {
    let frames = try frames(.changing)
    var seen: [String] = []
    for frame in frames {
      let text =
        "\(frame.properties.displaySize.width)×\(frame.properties.displaySize.height) \(frame.properties.format)"
      if seen.last != text { seen.append(text) }
    }
    #expect(seen == ["640×360 yuv420p", "320×240 yuv420p", "320×240 yuv422p"])
    #expect(frames.count == 45)
  }

  @Test func theSmallestAndTheLargestPicturesCome() throws {
    let tiny = try #require(try frames(.tiny, limit: 1).first)
    #expect(tiny.properties.displaySize == PixelSize(width: 16, height: 16))
    let huge = try #require(try frames(.huge, limit: 1).first)
    #expect(huge.properties.displaySize == PixelSize(width: 7680, height: 4320))
    #expect(huge.isShared)
  }

  @Test func anExhaustedPoolIsNoError() throws {
    let pool = FramePool(limit: 2)
    let frames = try Decoding.frames(of: TestClip.h264360p.path(), threads: 2, pool: pool)
    #expect(frames.map(\.md5) == (try FrameHashes.of(TestClip.h264360p.url())))
    #expect(frames.contains { !$0.isShared })
    #expect(pool.slotsOnLoan == 0)
  }

  @Test func framesOutliveTheirDecoderAndItsPool() throws {
    let pool = FramePool(limit: 32)
    let frame = try Decoding.firstFrame(of: TestClip.h264360p.path(), pool: pool)
    #expect(pool.slotsOnLoan == 1)
    #expect(Decoding.md5(of: frame) == (try FrameHashes.of(TestClip.h264360p.url()).first))
  }

  @Test func thePlanesOfAPoolFrameLieAsWlShmWantsThem() throws {
    for clip in [TestClip.h264360p, .odd420, .odd444, .h264422, .hevc10, .mjpeg] {
      let frame = try Decoding.firstFrame(of: clip.path(), pool: FramePool(limit: 32))
      guard case .shared(let memory) = frame.memory else {
        Issue.record("\(clip.fileName) is not in the pool")
        continue
      }
      let layouts = frame.properties.format.planes
      let size = frame.properties.codedSize
      let stride = frame.planes[0].stride
      var offset = 0
      for (layout, plane) in zip(layouts, frame.planes) {
        #expect(plane.offset == offset, "\(clip.fileName)")
        #expect(plane.stride == stride >> layout.shiftX, "\(clip.fileName)")
        #expect(plane.stride >= layout.rowBytes(width: size.width))
        #expect(plane.baseAddress == UnsafeRawPointer(memory.baseAddress) + offset)
        offset += plane.stride * layout.rows(height: size.height)
      }
      #expect(offset <= memory.byteCount)
    }
  }
}
