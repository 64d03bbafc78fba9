import CFFmpeg
public import KiteCore

/// Opens files and addresses with the system's FFmpeg (5.1 or later) and decodes them, on a device where there is one that can.
///
/// ```swift
/// let source = try FFmpegBackend().open(MediaLocation("film.mkv"), interrupt: InterruptFlag())
/// ```
///
/// A location whose text names an existing file is that file, whatever it looks like (`a:b.mp4`, `-x.mkv`); otherwise a
/// scheme (`https://…`) makes it an address, and anything else is a path at which nothing is. A local file reaches no
/// network: playlists in it may only name other files.
///
/// The first backend of a process takes over FFmpeg's log (`av_log_set_callback`): nothing is written to standard error.
public struct FFmpegBackend: MediaBackend {
  /// How sources are opened and decoded.
  public struct Options: Hashable, Sendable {
    /// Bytes read at most to find out what an unknown container holds. MP4 and Matroska mostly need none of it.
    public var probeByteCount = 2_000_000
    /// Media time read at most for the same end.
    public var probeDuration = MediaTime(seconds: 3)
    /// Threads of a decoder whose options leave it open; 0 chooses by the machine and the picture's size.
    public var threadCount = 0
    /// Whether a device decodes. Its pictures stay in its memory where the renderer takes them as dmabufs, and are read
    /// back else.
    public var hardware = HardwarePolicy.auto
    /// The node of the device that decodes, such as `/dev/dri/renderD129`; nil for the first one that opens.
    public var hardwareDevice: String?
    /// Pixels of the largest picture that is decoded; larger ones are refused, since they are damage or an attack.
    public var maxPixelCount = 8192 * 8192
    /// How long a pipe may stay without any data at its start before it counts as unreadable.
    public var pipeTimeout = MediaTime(seconds: 10)
    /// How long a server may send nothing, over all attempts to connect to it again, before it counts as dead.
    public var networkTimeout = MediaTime(seconds: 30)
    /// The pause before the second attempt to connect again, once bytes had come; the first is at once. It doubles up to
    /// 32 times as much.
    public var reconnectPause = MediaTime(seconds: 0.25)
    /// Whether servers at `https` addresses have to prove with a certificate that they are the ones that were asked.
    public var verifiesCertificates = true
    /// A file (PEM) of the certificates of the authorities that are trusted; nil: those that the system trusts.
    public var certificateFile: String?
    /// How long the end of a file that is still being written is waited for. One that nobody has written to since half
    /// a second before it was opened ends where it ends.
    public var growthTimeout = MediaTime(seconds: 2)

    /// The options described at each member.
    public init() {}
  }

  /// How sources are opened and decoded.
  public let options: Options

  /// A backend with `options`. Costs nothing until it opens something.
  public init(options: Options = Options()) {
    self.options = options
  }

  /// The version of the FFmpeg in use, such as `5.1.9-0+deb12u1`.
  public static var ffmpegVersion: String {
    guard let text = av_version_info() else { return "unknown" }
    return String(cString: text)
  }

  /// Opens `location` and learns its tracks. Blocks; any thread.
  ///
  /// - Throws: `MediaError` that says in one line what is wrong with what, and what to do; kind `cancelled` soon after
  ///   `interrupt` was set.
  public func open(_ location: MediaLocation, interrupt: InterruptFlag) throws(MediaError)
    -> sending any MediaSource
  {
    LogCollector.install()
    let origin = MediaOrigin.location(location)
    return try FFmpegSource(origin, interrupt: interrupt, options: options)
  }

  /// Opens bytes that the app gives; what they name, as playlists do, is not opened. Otherwise like `open`.
  public func open(_ source: any ByteSource, name: String, interrupt: InterruptFlag) throws(MediaError)
    -> sending any MediaSource
  {
    LogCollector.install()
    let origin = MediaOrigin.bytes(source, name: name)
    return try FFmpegSource(origin, interrupt: interrupt, options: options)
  }

  /// Opens a file of subtitles; otherwise like `open`.
  public func openSubtitles(_ location: MediaLocation, interrupt: InterruptFlag) throws(MediaError)
    -> sending any MediaSource
  {
    LogCollector.install()
    let origin = MediaOrigin.location(location)
    return try FFmpegSource(origin, interrupt: interrupt, options: options, content: .subtitles)
  }
}
