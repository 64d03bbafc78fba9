import Glibc

/// What is known of devices by their numbers: a graphics device has several nodes, for drawing and for the screen.
enum DeviceNodes {
  /// Whether two `dev_t` are nodes of one device.
  static func areOfOneDevice(_ a: UInt64, _ b: UInt64) -> Bool {
    if a == b { return true }
    guard let place = place(of: a) else { return false }
    return place == self.place(of: b)
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
