extension ProtocolFacts {
  /// The facts as text, a line for each of them that has a name, in the order of the file.
  func lines() -> [String] {
    var lines = ["protocol \(name)"]
    for interface in interfaces {
      lines.append("interface \(interface.name) \(interface.version) \(interface.isFrozen)")
      for request in interface.requests { lines += request.lines("request") }
      for event in interface.events { lines += event.lines("event") }
      for enumeration in interface.enums { lines += enumeration.lines() }
    }
    return lines
  }
}

extension MessageFacts {
  fileprivate func lines(_ kind: String) -> [String] {
    var lines = ["\(kind) \(name) \(since) \(deprecatedSince ?? 0) \(isDestructor)"]
    for argument in arguments {
      let kind = "\(argument.type) \(argument.interface ?? "-") \(argument.enumeration ?? "-")"
      lines.append("arg \(argument.name) \(kind) \(argument.allowsNull)")
    }
    return lines
  }
}

extension EnumFacts {
  fileprivate func lines() -> [String] {
    var lines = ["enum \(name) \(since ?? 0) \(deprecatedSince ?? 0) \(isBitfield)"]
    for entry in entries {
      lines.append("entry \(entry.name) \(entry.value) \(entry.since ?? 0) \(entry.deprecatedSince ?? 0)")
    }
    return lines
  }
}
