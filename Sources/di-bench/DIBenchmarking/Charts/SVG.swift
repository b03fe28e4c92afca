/// Writes XML for pictures.
struct SVG {
  private(set) var text = ""
  private var depth = 0

  /// Adds an element with nothing in it.
  mutating func add(_ name: String, _ attributes: KeyValuePairs<String, String>) {
    text += indentation + "<\(name)\(Self.joined(attributes))/>\n"
  }

  /// Adds an element with text in it.
  mutating func add(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], text content: String) {
    text += indentation + "<\(name)\(Self.joined(attributes))>\(Self.escaped(content))</\(name)>\n"
  }

  /// Adds an element with what a closure adds in it.
  mutating func add(_ name: String, _ attributes: KeyValuePairs<String, String>, _ body: (inout SVG) -> Void) {
    text += indentation + "<\(name)\(Self.joined(attributes))>\n"
    depth += 1
    body(&self)
    depth -= 1
    text += indentation + "</\(name)>\n"
  }

  private var indentation: String { String(repeating: "  ", count: depth) }

  private static func joined(_ attributes: KeyValuePairs<String, String>) -> String {
    attributes.map { " \($0.key)=\"\(escaped($0.value))\"" }.joined()
  }

  /// The text without what has a meaning in XML.
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
