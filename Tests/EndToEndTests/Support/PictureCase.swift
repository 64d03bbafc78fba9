import TestMedia

/// The still clips whose pictures are held against those of the `ffmpeg` command.
enum PictureCase {
  private static func still(_ change: (inout StillClip) -> Void) -> StillClip {
    var still = StillClip()
    change(&still)
    return still
  }

  /// Every matrix, range, depth, chroma layout and codec, shown pixel for pixel.
  static let colors: [StillClip] =
    [
      still { $0.matrix = .bt601 },
      still {
        $0.matrix = .bt601
        $0.isFullRange = true
      },
      still { $0.matrix = .bt709 },
      still {
        $0.matrix = .bt709
        $0.isFullRange = true
      },
      still { $0.matrix = nil },
      still { $0.format = "yuv422p" },
      still { $0.format = "yuv444p" },
      still { $0.format = "yuv420p10le" },
      still {
        $0.format = "yuv422p10le"
        $0.matrix = .bt601
      },
      still {
        $0.codec = .hevc
        $0.matrix = .bt601
      },
      still {
        $0.codec = .hevc
        $0.format = "yuv420p10le"
      },
      still {
        $0.codec = .hevc
        $0.format = "yuv420p10le"
        $0.matrix = .bt601
        $0.isFullRange = true
      },
      still {
        $0.codec = .hevc
        $0.format = "yuv444p10le"
      },
      still { $0.codec = .vp9 },
      still {
        $0.codec = .vp9
        $0.format = "yuv420p10le"
      },
      still {
        $0.codec = .vp9
        $0.format = "yuv444p"
        $0.isFullRange = true
      },
      still { $0.codec = .av1 },
      still {
        $0.codec = .av1
        $0.format = "yuv420p10le"
        $0.matrix = .bt601
      },
      still {
        $0.codec = .mpeg2
        $0.matrix = .bt601
      },
      still {
        $0.codec = .mpeg2
        $0.format = "yuv422p"
      },
      still {
        $0.codec = .mjpeg
        $0.format = "yuvj420p"
        $0.matrix = nil
        $0.isFullRange = true
      },
      still {
        $0.codec = .mjpeg
        $0.format = "yuvj422p"
        $0.matrix = nil
        $0.isFullRange = true
      },
    ]

  /// Odd sizes, pixels that aren't square, turned pictures.
  static let shapes: [StillClip] =
    [
      still {
        ($0.width, $0.height) = (853, 479)
        $0.format = "yuv444p"
      },
      still {
        ($0.width, $0.height) = (853, 479)
        $0.codec = .vp9
      },
      still {
        ($0.width, $0.height) = (853, 479)
        $0.format = "yuv444p10le"
      },
      still {
        ($0.width, $0.height) = (360, 288)
        $0.sampleAspect = "64/45"
        $0.hasDetail = false
      },
      still { $0.rotation = 90 },
      still { $0.rotation = 180 },
      still {
        $0.rotation = 270
        $0.codec = .hevc
        $0.format = "yuv420p10le"
      },
    ]
}

extension StillClip {
  /// The size in square pixels, upright.
  var shownSize: (width: Int, height: Int) {
    var size = (width: width, height: height)
    if sampleAspect == "64/45" { size.width = Int((Double(width) * 64 / 45).rounded()) }
    return rotation % 180 == 90 ? (size.height, size.width) : size
  }
}
