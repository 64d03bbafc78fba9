import CAss
public import KiteCore

/// Draws subtitles of text with the system's libass, which is loaded when the first track of text is shown.
public struct AssRendererFactory: SubtitleTextRendererFactory {
  /// The factory; it loads nothing yet.
  public init() {}

  /// A renderer with the fonts of the system and of the film.
  ///
  /// - Throws: `MediaError` of kind `unsupported` where libass is not installed; of kind `resources` where it has no memory.
  public func makeRenderer(
    header: [UInt8], isStyled: Bool, fonts: [MediaAttachment]
  ) throws(MediaError) -> sending any SubtitleTextRenderer {
    guard let table = AssLibrary.table else { throw Self.notInstalled }
    return try AssRenderer(table: table, header: header, isStyled: isStyled, fonts: fonts)
  }

  /// What is said where libass is missing.
  static let notInstalled = MediaError(
    kind: .unsupported, subject: "subtitles",
    reason: "are text, and libass, which draws it, is not installed",
    advice: "Install libass 0.17 or newer (Debian: libass9).")
}
