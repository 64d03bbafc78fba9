import CSystemd

/// sd-bus, as it was found when it was first needed; nil where it is not installed.
enum SystemBusLibrary {
  static let table: kite_sd_bus? = {
    var table = kite_sd_bus()
    return kite_load_sd_bus(&table) ? table : nil
  }()
}

/// The functions, for those who have a bus or a message, and so know that they are there.
var sd: kite_sd_bus { SystemBusLibrary.table ?? kite_sd_bus() }
