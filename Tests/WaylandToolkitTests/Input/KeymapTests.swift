import Testing

@testable import WaylandToolkit

@Suite struct KeymapTests {
  private func compiled(_ text: String) -> Keymap? {
    Array(text.utf8).withUnsafeBytes { Keymap($0) }
  }

  @Test func keysMeanWhatTheLayoutAndTheModifiersSay() throws {
    let keymap = try #require(compiled(smallKeymap))
    #expect(keymap.keysym(KeyCode.f) == Keysym("f"))
    #expect(keymap.text(KeyCode.f) == "f")
    #expect(keymap.keysym(KeyCode.space) == .space)
    #expect(keymap.modifiers == [])
    keymap.update(HeldModifiers(depressed: 1))
    #expect(keymap.keysym(KeyCode.f) == Keysym("F"))
    #expect(keymap.text(KeyCode.f) == "F")
    #expect(keymap.modifiers == .shift)
  }

  @Test func modifiersDontRepeatAndLettersDo() throws {
    let keymap = try #require(compiled(smallKeymap))
    #expect(keymap.repeats(KeyCode.f))
    #expect(!keymap.repeats(KeyCode.shift))
  }

  @Test func keysThatDontExistMeanNothing() throws {
    let keymap = try #require(compiled(smallKeymap))
    for code in [0, 1, 700, .max] as [UInt32] {
      #expect(keymap.keysym(code) == Keysym(rawValue: 0))
      #expect(keymap.text(code) == "")
    }
  }

  @Test(arguments: ["", "\0", "xkb_keymap {", "not a keymap"])
  func textThatIsNoKeymapGivesNone(text: String) {
    #expect(compiled(text) == nil)
  }
}
