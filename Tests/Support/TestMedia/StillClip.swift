/// What a clip that shows the same picture for a minute is made of: whenever one looks, the answer is the same.
///
/// The picture is a smooth ramp of many colours with a white frame around it, so that its edges can be found; with
/// `hasDetail` also a field of lines one pixel wide, which a shift, a blur or a scaling would ruin.
public struct StillClip: Sendable, CustomStringConvertible {
  /// The codecs, each in a container that is usual for it.
  public enum Codec: String, Sendable {
    case h264, hevc, vp9, av1, mpeg2, mjpeg
  }

  /// The matrices, as FFmpeg's options spell them.
  public enum Matrix: String, Sendable {
    case bt601 = "smpte170m"
    case bt709
  }

  public var codec = Codec.h264
  /// FFmpeg's name, such as `yuv420p10le`.
  public var format = "yuv420p"
  /// nil says nothing about colours in the file; the picture is then made as BT.601.
  public var matrix: Matrix? = .bt709
  public var isFullRange = false
  public var width = 320
  public var height = 180
  /// Width to height of a pixel, as `64/45`; nil for square ones.
  public var sampleAspect: String?
  /// How far a player has to turn the picture clockwise, in degrees. With H.264 and HEVC alone.
  public var rotation = 0
  public var hasDetail = true

  /// 320×180, H.264, 8 bits, 4:2:0, BT.709, limited range, upright.
  public init() {}

  public var description: String {
    var words = [codec.rawValue, "\(width)x\(height)", format, matrix.map { "\($0)" } ?? "untagged"]
    words.append(isFullRange ? "full" : "limited")
    if let sampleAspect { words.append("sar\(sampleAspect.replacing("/", with: "-"))") }
    if rotation != 0 { words.append("turned\(rotation)") }
    if !hasDetail { words.append("smooth") }
    return words.joined(separator: "_")
  }

  /// The file.
  public var clip: TestClip {
    let clip = TestClip("\(description).\(container)", .ffmpeg(source + filter + encoder + ["{out}"]))
    guard rotation != 0 else { return clip }
    return TestClip(
      "\(description)_matrix.\(container)", from: [clip],
      .bytes(label: "tkhd matrix \(rotation)") { [rotation] in
        let turn: (Int32, Int32, Int32, Int32) =
          switch rotation {
          case 90: (0, 1, -1, 0)
          case 180: (-1, 0, 0, -1)
          default: (0, -1, 1, 0)
          }
        return Patch.displayMatrix(of: $0[0], turn)
      })
  }

  private var container: String {
    switch codec {
    case .h264, .hevc: "mp4"
    case .vp9: "webm"
    case .av1: "mkv"
    case .mpeg2: "ts"
    case .mjpeg: "avi"
    }
  }

  /// Most of a minute; at one frame in three seconds where the codec allows it, which is made in no time.
  private var source: [String] {
    let (rate, frames) =
      switch codec {
      case .mpeg2: ("25", 1000)
      case .av1: ("1", 40)
      default: ("1/3", 20)
      }
    let ramp = "geq=r='255*X/W':g='255*Y/H':b='255*(1-X/W)'"
    let lines = "geq=r='\(line("r"))':g='\(line("g"))':b='\(line("b"))'"
    var filters = ["color=size=\(width)x\(height):rate=\(rate)", "format=gbrp", ramp]
    if hasDetail { filters.append(lines) }
    filters.append("drawbox=color=white:thickness=4")
    // One picture is made; the rest are copies of it.
    filters.append("loop=loop=\(frames - 1):size=1")
    return ["-f", "lavfi", "-i", filters.joined(separator: ","), "-frames:v", "\(frames)"]
  }

  /// Black and white columns in the third quarter of the width, in the upper half.
  private func line(_ component: String) -> String {
    "if(between(X,W/2,W*3/4)*between(Y,H/8,H/2),255*mod(X,2),\(component)(X,Y))"
  }

  private var filter: [String] {
    let matrix = (self.matrix ?? .bt601).rawValue
    let range = isFullRange ? "pc" : "tv"
    var filters = [
      "scale=out_color_matrix=\(matrix):out_range=\(range):flags=bicubic+accurate_rnd+full_chroma_int"
        + "+full_chroma_inp", "format=\(format)",
    ]
    if let sampleAspect { filters.append("setsar=\(sampleAspect)") }
    return ["-vf", filters.joined(separator: ",")]
  }

  private var encoder: [String] {
    var options: [String]
    // Keyframes alone, of a constant quality: every frame is the first one again.
    switch codec {
    case .h264: options = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "8", "-g", "1"]
    case .hevc:
      options = ["-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1"]
      options += ["-x265-params", "keyint=1:qp=8:log-level=error:pools=1"]
    case .vp9:
      options = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-crf", "8", "-b:v", "0"]
      options += ["-g", "1"]
    case .av1:
      options = ["-c:v", "libaom-av1", "-usage", "realtime", "-cpu-used", "8", "-crf", "8", "-b:v", "0"]
      options += ["-g", "1"]
    case .mpeg2: options = ["-c:v", "mpeg2video", "-q:v", "2", "-g", "1000"]
    case .mjpeg: options = ["-c:v", "mjpeg", "-q:v", "2"]
    }
    if let matrix {
      let name = matrix.rawValue
      options += ["-colorspace", name, "-color_primaries", name, "-color_trc", name]
      options += ["-color_range", isFullRange ? "pc" : "tv"]
    }
    return ["-pix_fmt", format, "-threads", "1"] + options
  }
}

extension TestClip {
  /// H.264, 320×180 at 30 frames a second; 10 seconds.
  public static let tenSeconds = TestClip(
    "ten_seconds.mp4",
    .ffmpeg(pattern("320x180", "30", seconds: 10) + ["-pix_fmt", "yuv420p"] + x264 + ["{out}"]))
}
