import KiteCore
import KiteViews
import Testing

@testable import KiteOutput

@Suite struct SubtitleBoxTests {
  private func geometry(_ width: Int, _ height: Int, scale120: Int) -> SurfaceGeometry {
    SurfaceGeometry(logicalSize: PixelSize(width: width, height: height), scale120: scale120)
  }

  @Test(arguments: [120, 133, 150, 160, 180, 240, 300], [true, false])
  func aBoxHoldsTheInkAndItsPixelsAreThoseOfTheScreen(scale: Int, hasViewport: Bool) throws {
    for (width, height) in [(640, 360), (853, 479), (101, 67), (7, 5)] {
      let geometry = geometry(width, height, scale120: scale)
      let canvas = geometry.bufferSize(hasViewport: hasViewport)
      for ink in [
        PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height),
        PixelRect(x: canvas.width / 3, y: canvas.height / 2, width: max(1, canvas.width / 5), height: 1),
        PixelRect(x: canvas.width - 1, y: canvas.height - 1, width: 1, height: 1),
      ] {
        let box = try #require(SubtitleBox(around: ink, in: geometry, hasViewport: hasViewport))
        #expect(box.origin.union(ink) == box.origin, "\(box) around \(ink)")
        let factor = hasViewport ? scale : geometry.bufferScale(hasViewport: false) * 120
        // Its corner is a whole pixel on both sides of the scale.
        #expect(box.place.x * factor == box.origin.x * 120 && box.place.y * factor == box.origin.y * 120)
        #expect(box.place.x + box.place.width <= width && box.place.y + box.place.height <= height)
        // Nothing is scaled: the size that is shown is that of the pixels taken.
        let taken =
          box.source
          ?? PictureLayout.Rect(
            x: 0, y: 0, width: Double(box.origin.width), height: Double(box.origin.height))
        #expect(abs(taken.width * 120 - Double(box.place.width * factor)) < 0.01)
        #expect(taken.width <= Double(box.origin.width) && taken.height <= Double(box.origin.height))
        #expect(hasViewport || box.source == nil && box.destination == nil)
        #expect(box.origin.width % box.bufferScale == 0 && box.origin.height % box.bufferScale == 0)
      }
    }
  }

  @Test func aBoxIsKeptAsLongAsItDoes() throws {
    let geometry = geometry(1920, 1080, scale120: 120)
    let wide = try #require(
      SubtitleBox(
        around: PixelRect(x: 500, y: 900, width: 900, height: 60), in: geometry, hasViewport: true))
    let inside = PixelRect(x: 600, y: 910, width: 600, height: 40)
    #expect(SubtitleBox(around: inside, in: geometry, hasViewport: true, former: wide) == wide)
    let small = PixelRect(x: 900, y: 910, width: 20, height: 20)
    #expect(SubtitleBox(around: small, in: geometry, hasViewport: true, former: wide) != wide)
    let outside = PixelRect(x: 400, y: 910, width: 600, height: 40)
    #expect(SubtitleBox(around: outside, in: geometry, hasViewport: true, former: wide)?.place.x == 384)
    let scaled = SurfaceGeometry(logicalSize: geometry.logicalSize, scale120: 180)
    #expect(SubtitleBox(around: inside, in: scaled, hasViewport: true, former: wide)?.origin.x != 600)
    #expect(SubtitleBox(around: .zero, in: geometry, hasViewport: true) == nil)
  }

  @Test func theCanvasKnowsWhereThePictureIs() throws {
    func canvas(_ frame: VideoFrame.Properties, _ mode: ScaleMode) throws -> SubtitleCanvas {
      var geometry = geometry(400, 400, scale120: 150)
      geometry.scaleMode = mode
      return try #require(SubtitleCanvas(frame: frame, geometry: geometry, hasViewport: true))
    }
    // 720×576 with pixels of 64:45 is 16:9.
    var frame = VideoFrame.Properties(
      format: .yuv420p, codedSize: PixelSize(width: 720, height: 576), sampleAspect: PixelRatio(64, 45))
    let fitted = try canvas(frame, .fit)
    #expect(fitted.size == PixelSize(width: 500, height: 500))
    #expect(fitted.picture == PixelRect(x: 0, y: 109, width: 500, height: 281))
    #expect(fitted.storage == PixelSize(width: 720, height: 576))
    let filled = try canvas(frame, .fill)
    #expect(filled.picture == PixelRect(x: -194, y: 0, width: 889, height: 500))
    frame.orientation = Orientation(rotation: .clockwise90)
    let turned = try canvas(frame, .fit)
    #expect(turned.storage == PixelSize(width: 576, height: 720))
    #expect(turned.picture.height == 500)
  }
}
