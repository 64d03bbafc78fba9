import KiteCore
import Testing

@Suite struct VideoFrameTests {
  private final class Owner: Sendable {}

  private static func properties(
    _ width: Int, _ height: Int, aspect: PixelRatio = .square, rotation: Orientation.Rotation = .none
  ) -> VideoFrame.Properties {
    VideoFrame.Properties(
      format: .yuv420p, codedSize: PixelSize(width: 1920, height: 1088),
      crop: PixelRect(x: 0, y: 0, width: width, height: height), sampleAspect: aspect,
      orientation: Orientation(rotation: rotation))
  }

  @Test(arguments: [
    (properties(1920, 1080), 1920, 1080),
    (properties(720, 576, aspect: PixelRatio(64, 45)), 1024, 576),
    (properties(720, 480, aspect: PixelRatio(8, 9)), 720, 540),
    (properties(1920, 1080, rotation: .clockwise90), 1080, 1920),
    (properties(1920, 1080, rotation: .half), 1920, 1080),
    (properties(720, 576, aspect: PixelRatio(64, 45), rotation: .clockwise270), 576, 1024),
    (properties(853, 479, aspect: PixelRatio(0, 1)), 853, 479),
    (properties(853, 479, aspect: PixelRatio(-4, 3)), 853, 479),
  ])
  func displaySizeIsCroppedStretchedAndTurned(properties: VideoFrame.Properties, width: Int, height: Int) {
    #expect(properties.displaySize == PixelSize(width: width, height: height))
  }

  @Test func memoryLivesAsLongAsTheLongerLivedOfTwo() {
    weak var owner: Owner?
    var copy: VideoFrame?
    do {
      let strong = Owner()
      owner = strong
      let frame = VideoFrame(
        properties: Self.properties(16, 16), memory: .heap, planes: [], owner: strong)
      copy = frame.duplicate()
    }
    #expect(owner != nil)
    copy = nil
    #expect(owner == nil)
    let isGone = copy == nil
    #expect(isGone)
  }
}
