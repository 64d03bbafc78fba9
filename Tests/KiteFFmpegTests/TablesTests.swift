import CFFmpeg
import KiteCore
import Testing

@testable import KiteFFmpeg

/// The pure parts, without a file.
@Suite struct TablesTests {
  @Test func aLocationIsAFileIfItExistsElseAnAddressIfItHasAScheme() {
    let existing: Set<String> = ["film.mp4", "a:b.mp4", "http://x/y"]
    func address(_ text: String) -> MediaAddress { MediaAddress(text) { existing.contains($0) } }
    #expect(address("film.mp4") == .path("film.mp4"))
    #expect(address("a:b.mp4") == .path("a:b.mp4"))
    #expect(address("http://x/y") == .path("http://x/y"))
    #expect(address("https://x/y") == .address("https://x/y"))
    #expect(address("rtsp://camera:554/1") == .address("rtsp://camera:554/1"))
    #expect(address("c:b.mp4") == .path("c:b.mp4"))
    #expect(address("C://x") == .path("C://x"))
    #expect(address("-") == .path("-"))
    #expect(address("") == .path(""))
    #expect(address("file:///a%20b%2") == .path("/a b%2"))
    #expect(address("file://localhost/a") == .path("/a"))
    #expect(address("9p://x") == .path("9p://x"))
  }

  @Test func orientationsAreReadFromMatrices() {
    let one: Int32 = 1 << 16
    typealias Case = (a: Int32, b: Int32, c: Int32, d: Int32, expected: Orientation)
    let cases: [Case] = [
      (one, 0, 0, one, .upright),
      (0, one, -one, 0, Orientation(rotation: .clockwise90)),
      (-one, 0, 0, -one, Orientation(rotation: .half)),
      (0, -one, one, 0, Orientation(rotation: .clockwise270)),
      (-one, 0, 0, one, Orientation(isMirrored: true)),
      (one, 0, 0, -one, Orientation(rotation: .half, isMirrored: true)),
      // 100 degrees are nearest to 90, 44 to none; a scale changes nothing.
      (-11380, 64540, -64540, -11380, Orientation(rotation: .clockwise90)),
      (47143, 45525, -45525, 47143, .upright),
      (2 * one, 0, 0, one / 2, .upright),
      // No area, no sense.
      (0, 0, 0, 0, .upright), (one, one, one, one, .upright),
    ]
    for (a, b, c, d, expected) in cases {
      #expect(Orientation(a: a, b: b, c: c, d: d) == expected)
    }
    // Any matrix is read without a trap.
    for a in [Int32.min, -1, 0, 1, .max] {
      for b in [Int32.min, -1, 0, 1, .max] { _ = Orientation(a: a, b: b, c: b, d: a) }
    }
  }

  @Test(arguments: PixelFormat.allCases, [(1, 1), (16, 16), (853, 479), (1920, 1090), (7680, 4320)])
  func layoutsHoldTheirPictureAndTheConventionOfWlShm(format: PixelFormat, size: (Int, Int)) throws {
    for alignment in [1, 16, 32, 64] {
      let layout = try #require(
        PoolLayout(format: format, width: size.0, height: size.1, alignment: alignment))
      let planes = format.planes
      #expect(layout.codedSize.width >= size.0)
      #expect(layout.codedSize.height >= size.1)
      var end = 0
      for (index, plane) in planes.enumerated() {
        #expect(layout.offsets[index] == end)
        #expect(layout.strides[index] % alignment == 0)
        #expect(layout.strides[index] >= plane.rowBytes(width: layout.codedSize.width))
        end += layout.strides[index] * plane.rows(height: layout.codedSize.height)
      }
      #expect(layout.byteCount > end)
      if planes.count == 3 { #expect(layout.strides[1] == layout.strides[0] >> format.chromaShift.x) }
    }
  }

  @Test func layoutsBeyondAllSenseAreRefused() {
    #expect(PoolLayout(format: .yuv420p, width: 0, height: 10, alignment: 32) == nil)
    #expect(PoolLayout(format: .yuv420p, width: 10, height: -1, alignment: 32) == nil)
    #expect(PoolLayout(format: .yuv420p, width: .max, height: .max, alignment: 32) == nil)
  }

  @Test func framesWithoutATimeFollowTheLastOne() {
    var timer = FrameTimer(frameRate: 50)
    let step = MediaTime(nanoseconds: 20_000_000)
    #expect(timer.timed(pts: nil, duration: .zero).pts == .zero)
    #expect(timer.timed(pts: nil, duration: .zero).pts == step)
    #expect(timer.timed(pts: MediaTime(seconds: 5), duration: step + step).duration == step + step)
    #expect(timer.timed(pts: nil, duration: .zero).pts == MediaTime(seconds: 5) + step + step)
    timer.reset()
    #expect(timer.timed(pts: nil, duration: .zero).pts == .zero)
    var unknown = FrameTimer(frameRate: nil)
    #expect(unknown.timed(pts: .zero, duration: .zero).duration == .zero)
    #expect(unknown.timed(pts: nil, duration: .zero).pts == MediaTime(nanoseconds: 40_000_000))
  }

  @Test func timestampsOverflowIntoNoTime() {
    let clock = StreamClock(
      timeBase: .init(num: 1, den: 90000), origin: MediaTime(nanoseconds: 1_000_000_000))
    #expect(clock.time(.min) == nil)
    #expect(clock.time(90000) == .zero)
    #expect(clock.time(135_000) == MediaTime(seconds: 0.5))
    #expect(clock.timestamp(.zero) == 90000)
    #expect(StreamClock(timeBase: .init(num: 1_000_000, den: 1), origin: .zero).time(.max) == nil)
    #expect(StreamClock(timeBase: .init(num: 0, den: 0), origin: .zero).time(1) == nil)
    #expect(clock.span(-5) == .zero)
  }

  @Test func threadsFollowThePictureAndTheMachine() {
    #expect(DecoderChoice.threadCount(pixelCount: 1920 * 1080, cores: 2) == 2)
    #expect(DecoderChoice.threadCount(pixelCount: 1920 * 1080, cores: 64) == 2)
    #expect(DecoderChoice.threadCount(pixelCount: 3840 * 2160, cores: 64) == 4)
    #expect(DecoderChoice.threadCount(pixelCount: 7680 * 4320, cores: 64) == 8)
    #expect(DecoderChoice.threadCount(pixelCount: 7680 * 4320, cores: 6) == 6)
    #expect(DecoderChoice.threadCount(pixelCount: 16, cores: 0) == 1)
  }
}
