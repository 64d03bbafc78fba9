import CAss

/// libass, as it was found when text was first to be drawn; nil where it is not installed.
enum AssLibrary {
  static let table: kite_ass? = {
    var table = kite_ass()
    return kite_load_ass(&table) ? table : nil
  }()
}
