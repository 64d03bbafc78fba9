import Foundation
import WaylandScanner

/// The command: reads its arguments, scans, writes the files that changed.
struct Tool {
  static let usage = """
    usage: wayland-scanner-swift --side client|server [options] (--protocol IN.xml --output OUT.swift)…

      --side client|server   which end of the wire the Swift text is for
      --protocol FILE        a protocol to emit; the next --output says where to
      --output FILE          written only if its text changes
      --context FILE         a protocol that is emitted elsewhere and may be referred to
      --cap INTERFACE=N      leave out what is newer than version N of an interface
      --import MODULE        a module the text imports
    """

  private var side: ProtocolScanner.Side?
  private var pairs: [(input: String, output: String)] = []
  private var context: [String] = []
  private var caps: [String: UInt32] = [:]
  private var imports: [String] = []

  init(arguments: ArraySlice<String>) throws(ToolError) {
    var rest = arguments
    var input: String?
    while let flag = rest.popFirst() {
      guard let value = rest.popFirst() else { throw ToolError(reason: "\(flag) needs a value") }
      switch flag {
      case "--side":
        guard let side = ProtocolScanner.Side(rawValue: value) else {
          throw ToolError(reason: "no side '\(value)'")
        }
        self.side = side
      case "--protocol": input = value
      case "--output":
        guard let given = input else {
          throw ToolError(reason: "--output \(value) without a --protocol before it")
        }
        pairs.append((given, value))
        input = nil
      case "--context": context.append(value)
      case "--import": imports.append(value)
      case "--cap":
        let parts = value.split(separator: "=")
        guard parts.count == 2, let version = UInt32(parts[1]), version > 0 else {
          throw ToolError(reason: "--cap wants INTERFACE=N, not '\(value)'")
        }
        caps[String(parts[0])] = version
      default: throw ToolError(reason: "unknown option \(flag)")
      }
    }
    if let input { throw ToolError(reason: "--protocol \(input) without an --output after it") }
    guard side != nil, !pairs.isEmpty else {
      throw ToolError(reason: "a side and at least one protocol are needed")
    }
  }

  func run() throws {
    guard let side else { return }
    var wanted: [(wire: WireProtocol, output: String)] = []
    for pair in pairs { wanted.append((try WireProtocol(contentsOf: pair.input), pair.output)) }
    let others = try context.map { path throws(ScannerError) in try WireProtocol(contentsOf: path) }
    let scanner = try ProtocolScanner(wanted.map(\.wire) + others, caps: caps)
    for (wire, output) in wanted {
      guard let text = try scanner.emit(wire.name, side: side, imports: imports) else { continue }
      // An untouched file keeps its date, so that nothing is compiled again without need.
      if let old = try? String(contentsOfFile: output, encoding: .utf8), old == text { continue }
      try text.write(toFile: output, atomically: true, encoding: .utf8)
    }
  }
}

/// A mistake on the command line.
struct ToolError: Error, CustomStringConvertible {
  let reason: String
  var description: String { "wayland-scanner-swift: \(reason)\n\(Tool.usage)" }
}
