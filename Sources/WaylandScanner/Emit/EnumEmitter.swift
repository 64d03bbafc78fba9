/// Emits an enum of the wire as a struct around its number, so that numbers of a newer protocol survive.
struct EnumEmitter {
  let enumeration: WireEnum
  let owner: Interface

  func emit(into text: inout SourceText) {
    let name = SwiftNames.type(enumeration.name)
    let summary =
      enumeration.summary.isEmpty ? "Values of `\(owner.name).\(enumeration.name)`" : enumeration.summary
    let conformance = enumeration.isBitfield ? "OptionSet" : "RawRepresentable, Hashable"
    text.line()
    text.documentation(summary, since(enumeration.since))
    text.block("public struct \(name): \(conformance), Sendable {") { text in
      text.documentation("The number on the wire; one that has no name here is kept as it is.")
      text.line("public let rawValue: UInt32")
      text.line()
      text.documentation("Wraps a number of the wire.")
      text.line("public init(rawValue: UInt32) { self.rawValue = rawValue }")
      for entry in enumeration.entries {
        let summary = entry.summary.isEmpty ? "`\(entry.name)`" : entry.summary
        text.line()
        text.documentation(summary, since(entry.since))
        let member = SwiftNames.entry(entry.name, of: enumeration.name)
        text.line("public static var \(member): \(name) { \(name)(rawValue: \(entry.value)) }")
      }
    }
  }

  private func since(_ version: UInt32) -> [String] { version > 1 ? ["Since version \(version)."] : [] }
}
