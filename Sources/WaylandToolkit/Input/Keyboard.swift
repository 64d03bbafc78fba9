internal import KiteSystem
internal import Wayland

/// A seat's keyboard: tells the surface that has the focus what is typed.
@MainActor
final class Keyboard {
  private let proxy: WlKeyboard
  private weak var connection: Connection?
  private let timers: TimerSource
  private weak var focus: SurfaceInput?
  private var keymapFile: (file: ReceivedDescriptor, size: UInt32)?
  private var keymap: Keymap?
  private var held = HeldModifiers()
  private var repetition = KeyRepeat()
  private var timer: TimerSource.Token?
  private var pressSerial: UInt32 = 0

  init(_ proxy: WlKeyboard, connection: Connection) {
    self.proxy = proxy
    self.connection = connection
    timers = connection.timers
    proxy.onEvent = { [weak self] in self?.receive($0) }
  }

  func end() {
    repetition.stop()
    schedule()
    focusChanged(to: nil)
    guard proxy.isAlive else { return }
    if proxy.supports(3) { proxy.release() } else { proxy.end() }
  }

  private func receive(_ event: WlKeyboard.Event) {
    switch event {
    case .keymap(let format, let file, let size):
      keymap = nil
      // Compiling takes milliseconds, which a start has better uses for: it waits for the first key.
      keymapFile = format == .xkbV1 ? (file, size) : nil
    case .enter(_, let surface, _): focusChanged(to: connection?.input(for: surface))
    case .leave: focusChanged(to: nil)
    case .key(let serial, _, let code, let state): key(code, state, serial: serial)
    case .modifiers(_, let depressed, let latched, let locked, let group):
      held = HeldModifiers(depressed: depressed, latched: latched, locked: locked, group: group)
      keymap?.update(held)
    case .repeatInfo(let rate, let delay):
      repetition.configured(rate: rate, delay: delay)
      schedule()
    }
  }

  private func focusChanged(to input: SurfaceInput?) {
    repetition.stop()
    schedule()
    guard focus !== input else { return }
    let old = focus
    focus = input
    old?.onFocus?(false)
    input?.onFocus?(true)
  }

  private func key(_ code: UInt32, _ state: WlKeyboard.KeyState, serial: UInt32) {
    readKeymap()
    switch state {
    case .pressed:
      pressSerial = serial
      if keymap?.repeats(code) ?? false { repetition.pressed(code, at: .now) }
      tell(.pressed, code, serial)
    case .repeated: tell(.repeated, code, serial)
    default:
      repetition.released(code)
      tell(.released, code, serial)
    }
    schedule()
  }

  private func tell(_ action: KeyEvent.Action, _ code: UInt32, _ serial: UInt32) {
    focus?.onKey?(
      KeyEvent(
        action: action, keysym: keymap?.keysym(code) ?? Keysym(rawValue: 0),
        text: action == .released ? "" : keymap?.text(code) ?? "", modifiers: keymap?.modifiers ?? [],
        code: code,
        serial: serial))
  }

  private func readKeymap() {
    guard let (file, size) = keymapFile else { return }
    keymapFile = nil
    keymap = Keymap(file, size: size)
    keymap?.update(held)
  }

  private func schedule() {
    if let timer { timers.cancel(timer) }
    timer = repetition.deadline.map { deadline in
      timers.set(at: deadline) { [weak self] in self?.repeatKey() }
    }
  }

  private func repeatKey() {
    timer = nil
    if let code = repetition.fired(at: .now) { tell(.repeated, code, pressSerial) }
    schedule()
  }
}
