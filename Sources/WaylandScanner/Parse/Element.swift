/// One element of an XML document, with where it stood.
final class Element {
  let name: String
  let attributes: [String: String]
  let line: Int
  private(set) var children: [Element] = []
  var text = ""

  init(name: String, attributes: [String: String], line: Int) {
    self.name = name
    self.attributes = attributes
    self.line = line
  }

  func append(_ child: Element) { children.append(child) }

  func children(named name: String) -> [Element] { children.filter { $0.name == name } }
}
