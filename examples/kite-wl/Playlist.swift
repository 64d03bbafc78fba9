import Kite

/// The files of the command line, and which of them is played.
struct Playlist {
  private let files: [String]
  /// Of the items that the player was given, the places in the list.
  private var places: [QueueItem.ID: Int] = [:]
  private var place = 0

  /// A list that stands at its first file.
  init(_ files: [String]) { self.files = files }

  /// Gives the player the file `offset` further, and those behind it. False where there is none.
  mutating func play(in player: KitePlayer, at offset: Int = 0) -> Bool {
    guard files.indices.contains(place + offset) else { return false }
    place += offset
    // All at once: the first one may have failed before the others could be queued one by one.
    let items = player.startOpening(files.dropFirst(place).map { MediaLocation($0) }, playsWhenReady: true)
    places = [:]
    for (index, item) in items.enumerated() { places[item.id] = place + index }
    return true
  }

  /// The player shows this item.
  mutating func shown(_ item: QueueItem) {
    if let index = places[item.id] { place = index }
  }

  /// The current file's name without its folders, for the window's title.
  var title: String {
    guard files.indices.contains(place) else { return "Kite" }
    return files[place].split(separator: "/").last.map(String.init) ?? files[place]
  }
}
