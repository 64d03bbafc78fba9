public import KiteCore
internal import KiteSystem
public import TestCompositor

/// Makes frames whose pixels are known, in memory of a pool as decoders use it.
public final class FramePainter: Sendable {
  /// Where the memory comes from.
  public let pool: FramePool
  /// What the frames are like; the size is that of the picture.
  public let properties: VideoFrame.Properties
  /// Bytes from one row of the first plane to the next.
  public let stride: Int

  /// - Parameters:
  ///   - pts: the time of its frames in the media.
  ///   - padding: pixels of the coded frame right of and below the picture.
  public init(
    _ format: PixelFormat = .yuv420p, width: Int, height: Int, padding: Int = 0,
    color: ColorDescription = ColorDescription(matrix: .bt709, range: .limited),
    orientation: Orientation = .upright, sampleAspect: PixelRatio = .square, limit: Int = 16,
    pts: MediaTime = .zero
  ) {
    let coded = PixelSize(width: width + padding, height: height + padding)
    properties = VideoFrame.Properties(
      format: format, codedSize: coded, crop: PixelRect(x: 0, y: 0, width: width, height: height),
      sampleAspect: sampleAspect, orientation: orientation,
      color: color.resolved(for: format, size: coded), pts: pts)
    pool = FramePool(limit: limit)
    let luma = format.planes[0]
    stride = (coded.width * luma.bytesPerSample + 63) / 64 * 64
  }

  /// No slot was free.
  public struct PoolIsEmpty: Error {}

  /// A frame with `color` in every pixel.
  public func frame(_ color: Picture.Pixel) throws -> VideoFrame { try frame { _, _ in color } }

  /// A frame of four colours: top left, top right, bottom left, bottom right.
  public func quarters(
    _ colors: [Picture.Pixel] = [.pureRed, .pureGreen, .pureBlue, .white]
  ) throws -> VideoFrame {
    let crop = properties.crop
    return try frame { x, y in colors[(y * 2 < crop.height ? 0 : 2) + (x * 2 < crop.width ? 0 : 1)] }
  }

  /// A frame whose pixels `color` knows; padding is white, so that it stands out when it is shown.
  public func frame(_ color: (_ x: Int, _ y: Int) -> Picture.Pixel) throws -> VideoFrame {
    let size = properties.codedSize
    let crop = properties.crop
    let layouts = properties.format.planes
    let lumaBytes = layouts[0].bytesPerSample
    var offset = 0
    var places: [(offset: Int, stride: Int)] = []
    for layout in layouts {
      let planeStride = ((stride / lumaBytes) >> layout.shiftX) * layout.bytesPerSample
      places.append((offset, planeStride))
      offset += planeStride * layout.rows(height: size.height)
    }
    guard let slot = try pool.lend(byteCount: offset) else { throw PoolIsEmpty() }
    let base = slot.memory.baseAddress
    let coder = PixelCoder(format: properties.format, color: properties.color)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let isInside = x < crop.width && y < crop.height
        coder.store(isInside ? color(x, y) : .white, x, y, base: base, places: places)
      }
    }
    let planes = places.map {
      VideoPlane(offset: $0.offset, stride: $0.stride, baseAddress: base + $0.offset)
    }
    return VideoFrame(properties: properties, memory: .shared(slot.memory), planes: planes, owner: slot)
  }
}

extension Picture.Pixel {
  public static let pureRed = Picture.Pixel(255, 0, 0)
  public static let pureGreen = Picture.Pixel(0, 255, 0)
  public static let pureBlue = Picture.Pixel(0, 0, 255)
  public static let white = Picture.Pixel(255, 255, 255)

  /// A grey that tells frames from one another.
  public static func gray(_ level: Int) -> Picture.Pixel {
    Picture.Pixel(UInt8(level), UInt8(level), UInt8(level))
  }
}
