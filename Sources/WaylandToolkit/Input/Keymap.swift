internal import CXkbcommon
internal import Glibc
internal import Wayland

/// The user's keyboard layout, and what is held down on it: libxkbcommon's keymap and state.
final class Keymap {
  private let keymap: OpaquePointer
  private let state: OpaquePointer
  /// Larger ones are refused; real ones have 30 to 100 KB.
  private static let longest = 16 << 20
  /// evdev's numbers are 8 below X's.
  private static let offset: UInt32 = 8

  /// Reads `size` bytes of XKB text from a file; nil when they are none or make no keymap.
  convenience init?(_ file: ReceivedDescriptor, size: UInt32) {
    let size = Int(size)
    var status = stat()
    // A mapping that is longer than its file ends the process when it is read.
    guard size > 0, size <= Self.longest, fstat(file.rawValue, &status) == 0, status.st_size >= size,
      let memory = mmap(nil, size, PROT_READ, MAP_PRIVATE, file.rawValue, 0), memory != MAP_FAILED
    else { return nil }
    defer { munmap(memory, size) }
    self.init(UnsafeRawBufferPointer(start: memory, count: size))
  }

  /// Compiles XKB text, up to its first zero byte.
  init?(_ text: UnsafeRawBufferPointer) {
    let flags = XKB_CONTEXT_NO_DEFAULT_INCLUDES.rawValue | XKB_CONTEXT_NO_ENVIRONMENT_NAMES.rawValue
    guard let context = xkb_context_new(xkb_context_flags(flags)) else { return nil }
    // The keymap keeps the context.
    defer { xkb_context_unref(context) }
    xkb_context_set_log_level(context, XKB_LOG_LEVEL_CRITICAL)
    let length = text.firstIndex(of: 0) ?? text.count
    guard
      let keymap = xkb_keymap_new_from_buffer(
        context, text.bindMemory(to: CChar.self).baseAddress, length, XKB_KEYMAP_FORMAT_TEXT_V1,
        XKB_KEYMAP_COMPILE_NO_FLAGS)
    else { return nil }
    guard let state = xkb_state_new(keymap) else {
      xkb_keymap_unref(keymap)
      return nil
    }
    self.keymap = keymap
    self.state = state
  }

  deinit {
    xkb_state_unref(state)
    xkb_keymap_unref(keymap)
  }

  /// What the compositor says is held and locked, and the layout in use.
  func update(_ held: HeldModifiers) {
    xkb_state_update_mask(state, held.depressed, held.latched, held.locked, 0, 0, held.group)
  }

  /// What a key means now.
  func keysym(_ code: UInt32) -> Keysym {
    Keysym(rawValue: xkb_state_key_get_one_sym(state, code &+ Self.offset))
  }

  /// What a key types now.
  func text(_ code: UInt32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      let length = xkb_state_key_get_utf8(state, code &+ Self.offset, buffer.baseAddress, buffer.count)
      guard length > 0, length < buffer.count, let base = buffer.baseAddress else { return "" }
      return String(cString: base)
    }
  }

  /// Whether a key repeats while it is held.
  func repeats(_ code: UInt32) -> Bool { xkb_keymap_key_repeats(keymap, code &+ Self.offset) != 0 }

  /// What is in effect now.
  var modifiers: KeyModifiers {
    var modifiers: KeyModifiers = []
    let names: [(String, KeyModifiers)] = [
      ("Shift", .shift), ("Control", .control), ("Mod1", .alt), ("Mod4", .logo),
    ]
    for (name, modifier) in names
    where xkb_state_mod_name_is_active(state, name, XKB_STATE_MODS_EFFECTIVE) == 1 {
      modifiers.insert(modifier)
    }
    return modifiers
  }
}

/// `wl_keyboard.modifiers`: masks of the keymap's modifiers, and the layout's number.
struct HeldModifiers: Hashable {
  var depressed: UInt32 = 0
  var latched: UInt32 = 0
  var locked: UInt32 = 0
  var group: UInt32 = 0
}
