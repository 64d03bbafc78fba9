import Glibc

/// What is known of devices by their numbers: a graphics device has several nodes, for drawing and for the screen.
enum DeviceNodes {
  /// Whether two `dev_t` are nodes of one device.
  static func areOfOneDevice(_ a: UInt64, _ b: UInt64) -> Bool {
    if a == b { return true }
    guard let place = place(of: a) else { return false }
    return place == self.place(of: b)
  }

  /// The nodes for drawing, which any process may ask for memory and synchronization: those of `device` first.
  static func renderNodes(preferring device: UInt64?) -> [String] {
    let folder = "/dev/dri"
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var nodes: [(path: String, isPreferred: Bool)] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.hasPrefix("renderD") else { continue }
      let path = "\(folder)/\(name)"
      var facts = stat()
      let isKnown = device != nil && stat(path, &facts) == 0
      nodes.append((path, isKnown && areOfOneDevice(UInt64(facts.st_rdev), device ?? 0)))
    }
    nodes.sort { ($0.isPreferred ? 0 : 1, $0.path) < ($1.isPreferred ? 0 : 1, $1.path) }
    return nodes.map(\.path)
  }

  /// `major:minor`, as the kernel's messages name devices.
  static func name(of device: UInt64) -> String {
    // glibc's gnu_dev_major and gnu_dev_minor.
    let major = (device >> 8 & 0xfff) | (device >> 32 & 0xffff_f000)
    let minor = (device & 0xff) | (device >> 12 & 0xffff_ff00)
    return "\(major):\(minor)"
  }

  /// Where the device is among the machine's; nil when the kernel knows none of that number.
  private static func place(of device: UInt64) -> String? {
    guard let path = realpath("/sys/dev/char/\(name(of: device))/device", nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }
}
