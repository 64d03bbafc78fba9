import KiteCore
import KiteSystem
import KiteViews
import Testing

/// What is read out, word for word.
@Suite struct AccessibilityTextTests {
  private static let times: [(nanoseconds: Int64, text: String)] = [
    (0, "0:00"), (-1, "0:00"), (.min, "0:00"), (999_999_999, "0:00"), (1_000_000_000, "0:01"),
    (59_999_999_999, "0:59"), (60_000_000_000, "1:00"), (83_000_000_000, "1:23"), (600_000_000_000, "10:00"),
    (3_599_999_999_999, "59:59"), (3_600_000_000_000, "1:00:00"), (3_661_000_000_000, "1:01:01"),
    (36_000_000_000_000, "10:00:00"), (.max, "2562047:47:16"),
  ]

  @Test(arguments: times.indices) func timesAreCutToWholeSeconds(_ row: Int) {
    let row = Self.times[row]
    #expect(KitePlayerView.accessibilityTimeText(MediaTime(nanoseconds: row.nanoseconds)) == row.text)
  }

  private static let states: [(status: PlaybackStatus, with: String, without: String)] = [
    (.idle, "No media", "No media"),
    (.opening, "Opening, 1:23 of 4:56", "Opening"),
    (.paused, "Paused, 1:23 of 4:56", "Paused"),
    (.playing, "Playing, 1:23 of 4:56", "Playing"),
    (.buffering, "Buffering, 1:23 of 4:56", "Buffering"),
    (.ended, "Ended, 1:23 of 4:56", "Ended"),
    (.failed, "Failed, 1:23 of 4:56", "Failed"),
  ]

  @Test(arguments: states.indices) func theStatesWordComesFirst(_ row: Int) {
    let row = Self.states[row]
    let (position, duration) = (MediaTime(seconds: 83.9), MediaTime(seconds: 296.9))
    #expect(KitePlayerView.accessibilityStateText(row.status, position, duration) == row.with)
    #expect(KitePlayerView.accessibilityStateText(row.status, position, nil) == row.without)
  }

  @Test func hoursAreShownOnlyWhereThereAreAny() {
    #expect(
      KitePlayerView.accessibilityStateText(.playing, MediaTime(seconds: 59), MediaTime(seconds: 3700))
        == "Playing, 0:59 of 1:01:40")
  }
}
