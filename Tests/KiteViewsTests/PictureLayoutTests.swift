import KiteCore
import Testing

@testable import KiteViews

@Suite struct PictureLayoutTests {
  @Test(arguments: [
    // picture, view, expected rectangle
    (853, 479, 1280, 720, PixelRect(x: 0, y: 0, width: 1280, height: 719)),
    (1024, 576, 1280, 720, PixelRect(x: 0, y: 0, width: 1280, height: 720)),
    (720, 1280, 1280, 720, PixelRect(x: 437, y: 0, width: 405, height: 720)),
    (1920, 1080, 1000, 1000, PixelRect(x: 0, y: 218, width: 1000, height: 563)),
    (16, 16, 1, 1000, PixelRect(x: 0, y: 499, width: 1, height: 1)),
    (10000, 1, 100, 100, PixelRect(x: 0, y: 49, width: 100, height: 1)),
  ])
  func fitKeepsTheAspectAndTouchesTwoEdges(
    pictureWidth: Int, pictureHeight: Int, viewWidth: Int, viewHeight: Int, expected: PixelRect
  ) {
    let layout = PictureLayout(
      picture: PixelSize(width: pictureWidth, height: pictureHeight),
      in: PixelSize(width: viewWidth, height: viewHeight), scaleMode: .fit)
    #expect(layout?.destination == expected)
    #expect(layout?.source.width == Double(pictureWidth))
  }

  @Test func fillCutsTheLongerSideEqually() {
    let layout = PictureLayout(
      picture: PixelSize(width: 2000, height: 1000), in: PixelSize(width: 500, height: 500), scaleMode: .fill)
    #expect(layout?.destination == PixelRect(x: 0, y: 0, width: 500, height: 500))
    #expect(layout?.source == PictureLayout.Rect(x: 500, y: 0, width: 1000, height: 1000))
  }

  @Test func nothingIsLaidOutWithoutPixels() {
    #expect(PictureLayout(picture: .zero, in: PixelSize(width: 5, height: 5), scaleMode: .fit) == nil)
    #expect(PictureLayout(picture: PixelSize(width: 5, height: 5), in: .zero, scaleMode: .stretch) == nil)
  }

  @Test(arguments: [(120, 1000, 1000), (150, 1000, 1250), (150, 333, 416), (180, 333, 500), (240, 7, 14)])
  func physicalSizesRoundHalfAwayFromZero(scale120: Int, logical: Int, physical: Int) {
    let geometry = SurfaceGeometry(
      logicalSize: PixelSize(width: logical, height: logical), scale120: scale120)
    #expect(geometry.physicalSize == PixelSize(width: physical, height: physical))
  }
}
