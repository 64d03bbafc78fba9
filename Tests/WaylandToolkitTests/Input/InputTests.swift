import Glibc
import KiteSystem
import TestCompositor
import Testing
import Wayland

@testable import WaylandToolkit

@MainActor
@Suite struct InputTests {
  /// A window that has the keyboard of a seat.
  private func focused(_ stage: Stage) throws -> Window {
    let window = try stage.openWindow(Painter())
    stage.actors.seats[0].sendCapabilities([.keyboard, .pointer, .touch])
    stage.settle()
    let text = Array(smallKeymap.utf8) + [0]
    let memory = try SharedMemory(byteCount: text.count, name: "keymap")
    text.withUnsafeBytes { memory.baseAddress.copyMemory(from: $0.baseAddress!, byteCount: text.count) }
    let keyboard = stage.actors.keyboards[0]
    keyboard.sendKeymap(format: .xkbV1, fd: memory.descriptor, size: UInt32(text.count))
    keyboard.sendRepeatInfo(rate: 100, delay: 5)
    keyboard.sendEnter(serial: 1, surface: stage.actors.surfaces[0], keys: [])
    stage.settle()
    return window
  }

  @Test func typedKeysReachTheWindow() throws {
    let stage = try Stage()
    let window = try focused(stage)
    var seen: [KeyEvent] = []
    window.input.onKey = { seen.append($0) }
    let keyboard = stage.actors.keyboards[0]
    keyboard.sendModifiers(serial: 2, modsDepressed: 1, modsLatched: 0, modsLocked: 0, group: 0)
    keyboard.sendKey(serial: 3, time: 0, key: KeyCode.f, state: .pressed)
    keyboard.sendKey(serial: 4, time: 0, key: KeyCode.f, state: .released)
    stage.settle()
    #expect(
      seen == [
        KeyEvent(
          action: .pressed, keysym: Keysym("F"), text: "F", modifiers: .shift, code: KeyCode.f, serial: 3),
        KeyEvent(
          action: .released, keysym: Keysym("F"), text: "", modifiers: .shift, code: KeyCode.f, serial: 4),
      ])
  }

  @Test func aHeldKeyRepeatsUntilTheFocusGoes() throws {
    let stage = try Stage()
    let window = try focused(stage)
    var repeats = 0
    var focus: [Bool] = []
    window.input.onKey = { if $0.action == .repeated { repeats += 1 } }
    window.input.onFocus = { focus.append($0) }
    stage.actors.keyboards[0].sendKey(serial: 3, time: 0, key: KeyCode.space, state: .pressed)
    stage.settle()
    let loop = PollLoop()
    loop.add(stage.connection.timers)
    while repeats < 3 { loop.turn(timeout: 1_000_000_000) }
    stage.actors.keyboards[0].sendLeave(serial: 4, surface: stage.actors.surfaces[0])
    stage.settle()
    #expect(focus == [false])
    let before = repeats
    loop.turn(timeout: 30_000_000)
    #expect(repeats == before)
  }

  @Test func aKeymapLongerThanItsFileIsRefusedAndKeysStillCome() throws {
    let stage = try Stage()
    let window = try focused(stage)
    let memory = try SharedMemory(byteCount: 16, name: "keymap")
    stage.actors.keyboards[0].sendKeymap(format: .xkbV1, fd: memory.descriptor, size: 1 << 20)
    var seen: [KeyEvent] = []
    window.input.onKey = { seen.append($0) }
    stage.actors.keyboards[0].sendKey(serial: 3, time: 0, key: KeyCode.f, state: .pressed)
    stage.settle()
    #expect(seen.map(\.code) == [KeyCode.f])
    #expect(seen.map(\.keysym) == [Keysym(rawValue: 0)])
  }

  @Test func aPointerTellsTheWindowAndHidesItsCursor() throws {
    let stage = try Stage(Offer(cursorShape: 1))
    let window = try focused(stage)
    var seen: [PointerEvent] = []
    window.input.onPointer = { seen.append($0) }
    let pointer = stage.actors.pointers[0]
    pointer.sendEnter(serial: 5, surface: stage.actors.surfaces[0], surfaceX: 10, surfaceY: 20)
    pointer.sendFrame()
    stage.settle()
    window.input.cursor = .hidden
    window.input.cursor = .pointer
    pointer.sendLeave(serial: 6, surface: stage.actors.surfaces[0])
    pointer.sendFrame()
    stage.settle()
    window.input.cursor = .default
    stage.settle()
    #expect(seen == [.entered(SurfacePoint(x: 10, y: 20)), .left])
    let looks = stage.actors.log.filter { $0.hasPrefix("shape") || $0.hasSuffix("cursor") }
    #expect(looks == ["shape 1", "no cursor", "shape 4"])
  }

  @Test func withoutNamedCursorsTheUsersThemeIsDrawn() throws {
    let stage = try Stage()
    let window = try focused(stage)
    let pointer = stage.actors.pointers[0]
    stage.actors.log = []
    pointer.sendEnter(serial: 5, surface: stage.actors.surfaces[0], surfaceX: 10, surfaceY: 20)
    pointer.sendFrame()
    stage.settle()
    #expect(stage.actors.log.contains { $0.hasPrefix("cursor at") })
    #expect(stage.actors.log.filter { $0 == "attach" || $0 == "commit" } == ["attach", "commit"])
    window.input.cursor = .hidden
    stage.settle()
    #expect(stage.actors.log.last == "no cursor")
    // Its buffers belong to libwayland-cursor, and end before their queue.
    stage.connection.close()
    #expect(stage.errors == [])
  }

  @Test func aFingerTellsTheWindowThatItCameDownOn() throws {
    let stage = try Stage()
    let window = try focused(stage)
    var seen: [TouchEvent] = []
    window.input.onTouch = { seen.append($0) }
    let touch = stage.actors.touches[0]
    touch.sendDown(serial: 7, time: 0, surface: stage.actors.surfaces[0], id: 3, x: 1, y: 2)
    touch.sendMotion(time: 1, id: 3, x: 4, y: 5)
    touch.sendUp(serial: 8, time: 2, id: 3)
    touch.sendMotion(time: 3, id: 3, x: 6, y: 7)
    touch.sendFrame()
    stage.settle()
    #expect(
      seen == [
        .down(id: 3, at: SurfacePoint(x: 1, y: 2), serial: 7), .moved(id: 3, to: SurfacePoint(x: 4, y: 5)),
        .up(id: 3),
      ])
  }

  @Test func devicesComeAndGo() throws {
    let stage = try Stage()
    let window = try focused(stage)
    let seat = stage.connection.seats[0]
    #expect(seat.hasKeyboard && seat.hasPointer && seat.hasTouch)
    var focus: [Bool] = []
    window.input.onFocus = { focus.append($0) }
    stage.actors.seats[0].sendCapabilities(.pointer)
    stage.settle()
    #expect(!seat.hasKeyboard && seat.hasPointer && !seat.hasTouch)
    #expect(focus == [false])
    stage.actors.seats[0].sendCapabilities([.keyboard, .pointer])
    stage.settle()
    #expect(stage.actors.keyboards.count == 2 && stage.actors.pointers.count == 1)
    #expect(stage.errors == [])
  }

  @Test func aKeyMayCloseEverything() throws {
    let stage = try Stage()
    let window = try focused(stage)
    window.input.onKey = { _ in
      window.close()
      stage.connection.close()
    }
    for serial in 3..<9 as Range<UInt32> {
      stage.actors.keyboards[0].sendKey(serial: serial, time: 0, key: KeyCode.f, state: .pressed)
    }
    stage.settle()
    #expect(!stage.connection.isAlive)
    #expect(stage.errors == [])
  }
}
