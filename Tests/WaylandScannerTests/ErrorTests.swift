import Testing
import WaylandScanner

@Suite struct ErrorTests {
  private func text(_ body: String) -> String {
    "<protocol name=\"p\">\n<interface name=\"i\" version=\"2\">\n\(body)\n</interface>\n</protocol>\n"
  }

  @Test(arguments: [
    ("<request/>", "<request> without the attribute 'name'"),
    ("<request name=\"r\" since=\"3\"/>", "'r' is since version 3, newer than its interface"),
    ("<request name=\"r\" since=\"0\"/>", "<request> has since=\"0\", which means nothing here"),
    ("<request name=\"r\" type=\"destroy\"/>", "<request> has type=\"destroy\", which means nothing here"),
    ("<event name=\"e\"><arg name=\"a\" type=\"float\"/></event>", "<arg> has type=\"float\""),
    ("<event name=\"e\"><arg name=\"a\"/></event>", "<arg> without the attribute 'type'"),
    ("<event name=\"e\"/><event name=\"e\"/>", "second event named 'e'"),
    ("<enum name=\"n\"><entry name=\"x\" value=\"one\"/></enum>", "<entry> has value=\"one\""),
    ("<enum name=\"n\" bitfield=\"yes\"/>", "<enum> has bitfield=\"yes\""),
  ])
  func aMistakeIsNamedWithItsPlace(body: String, problem: String) throws {
    let error = #expect(throws: ScannerError.self) { try WireProtocol(text: text(body), file: "p.xml") }
    let description = try #require(error).description
    #expect(description.hasPrefix("p.xml:"))
    #expect(description.contains(problem))
  }

  @Test func theLineIsThatOfTheElement() throws {
    let error = #expect(throws: ScannerError.self) {
      try WireProtocol(text: text("\n\n<request name=\"r\" since=\"9\"/>"), file: "p.xml")
    }
    #expect(try #require(error).line == 5)
  }

  @Test func brokenXMLAndOtherDocumentsAreNamed() throws {
    let broken = #expect(throws: ScannerError.self) { try WireProtocol(text: "<protocol>", file: "p.xml") }
    #expect(try #require(broken).description.contains("not well-formed XML"))
    let other = #expect(throws: ScannerError.self) { try WireProtocol(text: "<html/>", file: "p.xml") }
    #expect(try #require(other).problem == .notAProtocol(root: "html"))
    let missing = #expect(throws: ScannerError.self) { try WireProtocol(contentsOf: "/nowhere/p.xml") }
    #expect(try #require(missing).description.hasPrefix("/nowhere/p.xml: error: can't read the file"))
  }

  @Test func anEventThatMakesAnUndescribedObjectIsRefused() throws {
    let body = "<event name=\"e\"><arg name=\"a\" type=\"new_id\" interface=\"j\"/></event>"
    let wire = try WireProtocol(text: text(body), file: "p.xml")
    let error = #expect(throws: ScannerError.self) {
      _ = try ProtocolScanner([wire]).emit("p", side: .client)
    }
    #expect(try #require(error).problem == .unknownCreatedInterface(message: "i.e", interface: "j"))
  }

  @Test func aCapOfAnUnknownInterfaceIsRefused() throws {
    let wire = try WireProtocol(text: text(""), file: "p.xml")
    #expect(throws: ScannerError.self) { _ = try ProtocolScanner([wire], caps: ["j": 1]) }
  }
}
