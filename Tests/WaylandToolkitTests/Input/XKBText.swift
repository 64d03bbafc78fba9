/// A keyboard with a space bar, an F and a shift key.
let smallKeymap = """
  xkb_keymap {
    xkb_keycodes {
      minimum = 8; maximum = 255;
      <SPCE> = 65; <AC04> = 41; <LFSH> = 50;
    };
    xkb_types {
      type "ONE_LEVEL" { modifiers = none; level_name[Level1] = "Any"; };
      type "TWO_LEVEL" {
        modifiers = Shift; map[Shift] = Level2;
        level_name[Level1] = "Base"; level_name[Level2] = "Shift";
      };
      type "ALPHABETIC" {
        modifiers = Shift + Lock; map[Shift] = Level2; map[Lock] = Level2;
        level_name[Level1] = "Base"; level_name[Level2] = "Caps";
      };
    };
    xkb_compatibility {
      interpret.repeat = False;
      interpret Any + AnyOf(all) { action = SetMods(modifiers = modMapMods, clearLocks); };
    };
    xkb_symbols {
      key <SPCE> { [ space ] };
      key <AC04> { [ f, F ] };
      key <LFSH> { [ Shift_L ] };
      modifier_map Shift { <LFSH> };
    };
  };
  """

/// evdev's numbers of the three keys.
enum KeyCode {
  static let space: UInt32 = 57
  static let f: UInt32 = 33
  static let shift: UInt32 = 42
}
