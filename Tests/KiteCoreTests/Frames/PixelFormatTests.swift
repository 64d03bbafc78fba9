import KiteCore
import Testing

@Suite struct PixelFormatTests {
  @Test(arguments: [
    (PixelFormat.yuv420p, [1920 * 1080, 960 * 540, 960 * 540]),
    (.yuv422p, [1920 * 1080, 960 * 1080, 960 * 1080]),
    (.yuv444p, [1920 * 1080, 1920 * 1080, 1920 * 1080]),
    (.yuv420p10, [1920 * 1080 * 2, 960 * 540 * 2, 960 * 540 * 2]),
    (.nv12, [1920 * 1080, 1920 * 540]), (.p010, [1920 * 1080 * 2, 1920 * 540 * 2]),
    (.yuyv422, [1920 * 1080 * 2]), (.gray8, [1920 * 1080]), (.rgb24, [1920 * 1080 * 3]),
    (.bgrx8888, [1920 * 1080 * 4]), (.gbrp, [1920 * 1080, 1920 * 1080, 1920 * 1080]),
    (.yuva420p, [1920 * 1080, 960 * 540, 960 * 540, 1920 * 1080]),
  ])
  func planesHoldThePicture(format: PixelFormat, sizes: [Int]) {
    #expect(format.planes.map { $0.rowBytes(width: 1920) * $0.rows(height: 1080) } == sizes)
  }

  @Test func oddSizesRoundUp() {
    let chroma = PixelFormat.yuv420p.planes[1]
    #expect(chroma.rowBytes(width: 853) == 427)
    #expect(chroma.rows(height: 479) == 240)
    #expect(PixelFormat.yuyv422.planes[0].rowBytes(width: 5) == 12)
  }
}
