import Foundation
import KiteCore
import KiteFFmpeg
import KiteSystem
import TestMedia
import Testing

/// A layout of FFmpeg's and what becomes of it.
struct FormatCase: Sendable, CustomTestStringConvertible {
  let source: String
  var codec = "rawvideo"
  let format: PixelFormat
  /// FFmpeg's name of the result, where a conversion has to give just FFmpeg's own bytes.
  var exact: String?
  var testDescription: String { "\(source) \(codec)" }

  static let all: [FormatCase] = [
    // Read as they are.
    FormatCase(source: "nv12", format: .nv12, exact: "nv12"),
    FormatCase(source: "yuyv422", format: .yuyv422, exact: "yuyv422"),
    FormatCase(source: "uyvy422", format: .uyvy422, exact: "uyvy422"),
    FormatCase(source: "rgb24", format: .rgb24, exact: "rgb24"),
    FormatCase(source: "bgr24", format: .bgr24, exact: "bgr24"),
    FormatCase(source: "bgra", format: .bgrx8888, exact: "bgra"),
    FormatCase(source: "yuv440p", format: .yuv440p, exact: "yuv440p"),
    FormatCase(source: "yuv444p12le", codec: "ffv1", format: .yuv444p12, exact: "yuv444p12le"),
    FormatCase(source: "gbrp", codec: "magicyuv", format: .gbrp, exact: "gbrp"),
    FormatCase(source: "gray", codec: "ffv1", format: .gray8, exact: "gray"),
    FormatCase(source: "yuva420p", codec: "ffv1", format: .yuva420p, exact: "yuva420p"),
    FormatCase(source: "yuva422p", codec: "ffv1", format: .yuv422p, exact: "yuv422p"),
    // Converted.
    FormatCase(source: "pal8", codec: "gif", format: .bgrx8888),
    FormatCase(source: "yuv410p", codec: "ffv1", format: .yuv420p),
    FormatCase(source: "yuv411p", codec: "ffv1", format: .yuv422p),
    FormatCase(source: "bgr565le", format: .bgrx8888),
    FormatCase(source: "rgb555le", format: .bgrx8888),
    FormatCase(source: "gray16le", codec: "ffv1", format: .gray12),
    FormatCase(source: "ya8", codec: "png", format: .gray8),
    FormatCase(source: "rgb48be", codec: "png", format: .gbrp12),
    FormatCase(source: "yuv420p16le", codec: "ffv1", format: .yuv420p12),
    FormatCase(source: "yuv422p14le", codec: "ffv1", format: .yuv422p12),
    FormatCase(source: "yuv420p9le", codec: "ffv1", format: .yuv420p10),
    FormatCase(source: "gbrp14le", codec: "ffv1", format: .gbrp12),
    FormatCase(source: "argb", format: .bgrx8888),
    FormatCase(source: "monob", format: .gray8),
  ]
}

@Suite struct FormatTests {
  @Test(arguments: FormatCase.all)
  func everyLayoutBecomesOneOfOurs(format: FormatCase) throws {
    let clip = TestClip.pixels(format.source, codec: format.codec)
    let frames = try Decoding.frames(of: clip.path(), pool: FramePool(limit: 32))
    #expect(frames.count == 5)
    #expect(frames.allSatisfy { $0.properties.format == format.format })
    #expect(frames.allSatisfy { $0.properties.displaySize == PixelSize(width: 320, height: 240) })
    // FFmpeg's bgra has an alpha that ours doesn't care about; the bytes are the same.
    if let exact = format.exact {
      #expect(frames.map(\.md5) == (try FrameHashes.of(clip.url(), format: exact)))
    }
  }

  @Test(arguments: FormatCase.all.filter { $0.exact == nil })
  func conversionsKeepThePicture(format: FormatCase) throws {
    let url = try TestClip.pixels(format.source, codec: format.codec).url()
    var options = ReferencePicture.Options()
    options.hasSquarePixels = false
    let expected = try ReferencePicture.frame(2, of: url, options: options)
    let actual = try Decoding.rgb(of: url.path, index: 2)
    #expect(actual.meanError(against: expected) < 2)
  }

  @Test func rowsFromTheBottomUpComeTheRightWayRound() throws {
    let url = try TestClip.bottomUp.url()
    let frames = try Decoding.frames(of: url.path)
    #expect(frames.map(\.md5) == (try FrameHashes.of(url, format: "bgr24")))
  }
}
