// One import: the view, the player, the toolkit to put them in a window.
@_exported public import KiteAudio
@_exported public import KiteCore
@_exported public import KiteDesktop
@_exported public import KiteFFmpeg
@_exported public import KiteOutput
@_exported public import KiteSubtitles
@_exported public import KiteSystem
@_exported public import KiteViews
@_exported public import Wayland
@_exported public import WaylandToolkit

extension KitePlayer {
  /// A player of everything that the system's FFmpeg reads, shown by Kite's own renderers.
  ///
  /// Installs `PlayerViewDefaults.rendererFactory` if nothing is there yet, so that views without a factory of their
  /// own show pictures; also views that were made before. Likewise `PlayerViewDefaults.displayHoldMechanism`, which asks
  /// the desktop to keep the display awake where the compositor can't be asked, and
  /// `PlayerViewDefaults.accessibilityBridge`, which speaks to screen readers.
  ///
  /// - Parameters:
  ///   - hardware: Whether a device decodes.
  ///   - hardwareDevice: The node of the device that decodes, such as `/dev/dri/renderD129`; nil for the first one that
  ///     opens.
  ///   - verifiesCertificates: Whether servers at `https` addresses have to prove who they are.
  ///   - certificateFile: The authorities that are trusted, a file of PEM; nil for those that the system trusts.
  ///   - sinks: Where its sound goes; nil for a silent player, which reads none.
  @MainActor public convenience init(
    hardware: HardwarePolicy = .auto, hardwareDevice: String? = nil,
    verifiesCertificates: Bool = true, certificateFile: String? = nil,
    sinks: (any AudioSinkFactory)? = PipeWireSinkFactory()
  ) {
    if PlayerViewDefaults.rendererFactory == nil {
      PlayerViewDefaults.rendererFactory = StandardRendererFactory()
    }
    if PlayerViewDefaults.displayHoldMechanism == nil {
      PlayerViewDefaults.displayHoldMechanism = DesktopDisplayHold()
    }
    if PlayerViewDefaults.accessibilityBridge == nil {
      PlayerViewDefaults.accessibilityBridge = DesktopAccessibility()
    }
    var options = FFmpegBackend.Options()
    options.hardware = hardware
    options.hardwareDevice = hardwareDevice
    options.verifiesCertificates = verifiesCertificates
    options.certificateFile = certificateFile
    self.init(backend: FFmpegBackend(options: options), sinks: sinks, texts: AssRendererFactory())
  }
}
