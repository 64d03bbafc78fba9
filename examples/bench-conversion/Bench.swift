import ConversionReference
import Glibc
import KiteCore
import KiteOutput

/// The sections of the table.
struct Bench {
  /// Time at 1080p; the worst of the mean and the largest errors over three matrices and two ranges.
  func unscaled(isBrief: Bool) {
    print(
      "Unscaled, 1920×1080: CPU ms a frame; mean and largest error in levels of 255, worst of 601/709/2020 × ranges"
    )
    let size = PixelSize(width: 1920, height: 1080)
    let small = PixelSize(width: 256, height: 256)
    for format in PixelFormat.allCases {
      for target in [PixelFormat.bgrx8888, .xrgb2101010] where format.bitDepth > 8 || target == .bgrx8888 {
        print("\n\(format.rawValue) → \(target.rawValue)")
        let matrices: [ColorDescription.Matrix] =
          format.model == .rgb ? [.identity] : [.smpte170m, .bt709, .bt2020]
        let colors = matrices.flatMap { matrix in
          [ColorDescription.Range.limited, .full].map { ColorDescription(matrix: matrix, range: $0) }
        }
        let patches = colors.map { Patches(format, small, color: $0) }
        // RGB is nearly always of full range.
        let usual = format.model == .rgb ? colors[1] : colors[0]
        let timed = BenchPicture(Patches(format, size, color: usual).picture)
        for candidate in Candidate.all where !isBrief || candidate.library != "swscale" || candidate.isNotable
        {
          let job = Job(picture: timed, color: usual, target: BenchTarget(target, size))
          guard let work = candidate.make(job) else { continue }
          let time = measure(rounds: isBrief ? 3 : 5, work)
          var (mean, largest) = (0.0, 0.0)
          for patch in patches {
            let job = Job(
              picture: BenchPicture(patch.picture), color: patch.color, target: BenchTarget(target, small))
            guard let work = candidate.make(job) else { continue }
            work()
            let errors = patch.errors(job.target)
            mean = max(mean, errors.mean)
            largest = max(largest, errors.largest)
          }
          print(
            "  " + column(candidate.library, 8) + column(candidate.options, 34)
              + column(fixed(time, 2) + " ms", 12)
              + column("mean " + fixed(mean, 2), 12) + "max " + fixed(largest, 1))
        }
      }
    }
  }

  /// Time, and the likeness to the same scene rendered at the target's size.
  func scaled() {
    let color = ColorDescription(matrix: .bt709, range: .limited)
    let hd = PixelSize(width: 1920, height: 1080)
    let cases = [
      (PixelSize(width: 1280, height: 720), hd), (hd, PixelSize(width: 1600, height: 900)),
      (PixelSize(width: 3840, height: 2160), hd), (hd, hd),
    ]
    for format in [PixelFormat.yuv420p, .yuv420p10] {
      for (from, to) in cases {
        print(
          "\nScaled, \(format.rawValue) \(from.width)×\(from.height) → \(to.width)×\(to.height): CPU ms, PSNR in dB"
        )
        let picture = Scene.frame(format, from, color: color)
        let truth = Scene.render(to)
        for candidate in Candidate.all {
          let job = Job(picture: picture, color: color, target: BenchTarget(.bgrx8888, to))
          guard let work = candidate.make(job) else { continue }
          let time = measure(rounds: 3, work)
          var errors = ConversionErrors()
          for index in truth.indices {
            let rgb = truth[index].map { $0 * 255 }
            errors.add(job.target.color(index % to.width, index / to.width), (rgb[0], rgb[1], rgb[2]))
          }
          print(
            "  " + column(candidate.library, 8) + column(candidate.options, 34)
              + column(fixed(time, 2) + " ms", 12)
              + fixed(10 * log10(255 * 255 / max(errors.meanSquare, 1e-9)), 2) + " dB")
        }
      }
    }
  }

  /// Time of each turn at 1080p.
  func turned() {
    print("\nTurned, 1920×1080 → XRGB8888: CPU ms")
    let size = PixelSize(width: 1920, height: 1080)
    let color = ColorDescription(matrix: .bt709, range: .limited)
    for format in [PixelFormat.yuv420p, .yuv420p10] {
      let picture = BenchPicture(Patches(format, size, color: color).picture)
      for rotation in Orientation.Rotation.allCases {
        for isMirrored in [false, true] {
          let orientation = Orientation(rotation: rotation, isMirrored: isMirrored)
          let target = BenchTarget(.bgrx8888, orientation.swapsAxes ? size.transposed : size)
          let source = ConversionSource(
            format: format, codedSize: size, orientation: orientation, color: color)
          guard
            let converter = try? FrameConverter(
              source: source, target: ConversionTarget(format: .bgrx8888, size: target.size))
          else { continue }
          let time = measure {
            do {
              try converter.convert(planes: picture.planes, into: target.bytes, stride: target.stride)
            } catch { print("conversion failed: \(error)") }
          }
          let name = "\(rotation.rawValue)°" + (isMirrored ? " mirrored" : "")
          print("  " + column(format.rawValue, 12) + column(name, 16) + fixed(time, 2) + " ms")
        }
      }
    }
  }
}
