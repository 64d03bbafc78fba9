internal import CWayland
internal import Glibc

/// Builds libwayland's structures out of the scanner's text.
///
/// The text is copied once; its words end in zero bytes there, so that names and signatures point straight
/// into it.
struct InterfaceTableReader {
  private typealias Word = UnsafeMutablePointer<CChar>

  /// The words of each line. All memory reached from here stays for the life of the process.
  private var lines: [[Word]] = []
  /// Messages in the order of the text, each with the names of its types.
  private var pending: [(message: UnsafeMutablePointer<wl_message>, types: ArraySlice<Word>)] = []

  init(_ text: StaticString) {
    let count = text.utf8CodeUnitCount
    let copy = Word.allocate(capacity: count + 1)
    UnsafeMutableRawPointer(copy).copyMemory(from: text.utf8Start, byteCount: count)
    copy[count] = 0
    var words: [Word] = []
    var start = 0
    for index in 0...count {
      let byte = copy[index]
      guard byte == 0x20 || byte == 0x0A || byte == 0 else { continue }
      copy[index] = 0
      if index > start { words.append(copy + start) }
      start = index + 1
      guard byte != 0x20, !words.isEmpty else { continue }
      lines.append(words)
      words = []
    }
  }

  /// Everything but the types of the messages, which may name any interface.
  mutating func readInterfaces() -> UnsafeMutableBufferPointer<wl_interface> {
    let starts = lines.indices.filter { lines[$0][0][0] == InterfaceTableReader.interfaceInitial }
    let interfaces = UnsafeMutableBufferPointer<wl_interface>.allocate(capacity: starts.count)
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : lines.count
      let messages = lines[(start + 1)..<end]
      let requests = read(messages.filter { $0[0][0] == InterfaceTableReader.requestInitial })
      let events = read(messages.filter { $0[0][0] == InterfaceTableReader.eventInitial })
      interfaces.initializeElement(
        at: index,
        to: wl_interface(
          name: lines[start][1], version: Int32(atoi(lines[start][2])),
          method_count: Int32(requests.count), methods: UnsafePointer(requests.baseAddress),
          event_count: Int32(events.count), events: UnsafePointer(events.baseAddress)))
    }
    return interfaces
  }

  /// Fills in the types, looking for names here first, then in the other tables.
  func connect(
    _ interfaces: UnsafeMutableBufferPointer<wl_interface>, others: [UnsafeMutableBufferPointer<wl_interface>]
  ) {
    let tables = [interfaces] + others
    for (message, names) in pending {
      guard let signature = message.pointee.signature else { continue }
      var types: [UnsafePointer<wl_interface>?] = []
      var rest = names
      for letter in UnsafeBufferPointer(start: signature, count: strlen(signature)) {
        switch UInt8(bitPattern: letter) {
        case UInt8(ascii: "o"), UInt8(ascii: "n"):
          types.append(rest.popFirst().flatMap { find($0, in: tables) })
        case UInt8(ascii: "?"), UInt8(ascii: "0")...UInt8(ascii: "9"): break
        default: types.append(nil)
        }
      }
      guard !types.isEmpty else { continue }
      let memory = UnsafeMutableBufferPointer<UnsafePointer<wl_interface>?>.allocate(capacity: types.count)
      _ = memory.initialize(from: types)
      message.pointee.types = memory.baseAddress
    }
  }

  private static let interfaceInitial = CChar(UInt8(ascii: "i"))
  private static let requestInitial = CChar(UInt8(ascii: "r"))
  private static let eventInitial = CChar(UInt8(ascii: "e"))

  private mutating func read(_ lines: [[Word]]) -> UnsafeMutableBufferPointer<wl_message> {
    guard !lines.isEmpty else { return UnsafeMutableBufferPointer(start: nil, count: 0) }
    let messages = UnsafeMutableBufferPointer<wl_message>.allocate(capacity: lines.count)
    for (index, words) in lines.enumerated() {
      if words[2][0] == CChar(UInt8(ascii: ".")) { words[2][0] = 0 }
      messages.initializeElement(at: index, to: wl_message(name: words[1], signature: words[2], types: nil))
      guard let base = messages.baseAddress else { continue }
      pending.append((base + index, words[3...]))
    }
    return messages
  }

  private func find(
    _ name: Word, in tables: [UnsafeMutableBufferPointer<wl_interface>]
  ) -> UnsafePointer<wl_interface>? {
    for table in tables {
      guard let base = table.baseAddress else { continue }
      for index in table.indices where strcmp(table[index].name, name) == 0 {
        return UnsafePointer(base + index)
      }
    }
    return nil
  }
}
