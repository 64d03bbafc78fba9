import Testing

@testable import KiteCore

@Suite struct SubtitleChoiceTests {
  private func track(
    _ id: Int, _ language: String? = nil, isDefault: Bool = false, isForced: Bool = false
  ) -> MediaTrack {
    MediaTrack(
      id: id, kind: .subtitle, codec: "subrip", language: language, isDefault: isDefault, isForced: isForced)
  }

  private let german = MediaTrack(id: 1, kind: .audio, codec: "aac", language: "ger")

  @Test func withoutMarksNoneAreShown() {
    #expect(SubtitleChoice.track(of: [german, track(2), track(3)], audio: german) == nil)
  }

  @Test func whatIsMarkedAsDefaultIsShown() {
    #expect(SubtitleChoice.track(of: [track(2), track(3, isDefault: true)], audio: german)?.id == 3)
  }

  @Test func forcedOnesOfTheSpokenLanguageComeFirst() {
    let tracks = [
      track(2, "eng", isDefault: true), track(3, "eng", isForced: true), track(4, "ger", isForced: true),
    ]
    #expect(SubtitleChoice.track(of: tracks, audio: german)?.id == 4)
    #expect(SubtitleChoice.track(of: [track(3, "eng", isForced: true)], audio: german) == nil)
    #expect(SubtitleChoice.track(of: [track(3, isForced: true)], audio: german)?.id == 3)
    #expect(SubtitleChoice.track(of: [track(3, "eng", isForced: true)], audio: nil)?.id == 3)
  }
}
