/// The registrations of a container and their dependencies, as ``DIContainer/graph(except:arguments:)`` returns them.
///
/// A graph lists the registrations in their order, so two graphs of the same registrations look the same.
public struct DependencyGraph: Sendable {
  /// The registrations.
  public let registrations: [RegistrationInfo]

  /// The dependencies between the registrations.
  public let edges: [Edge]

  /// The dependency of one registration on another.
  public struct Edge: Hashable, Sendable {
    /// The index of the registration whose factory made the request.
    public let from: Int

    /// The index of the registration that answered the request.
    public let to: Int
  }

  /// The graph in the Mermaid language, which GitHub and DocC readers render.
  public var mermaid: String {
    // Mermaid entities, which begin with `#`, for characters that would end a quoted label or be markup.
    let escapes: [Character: String] = [
      "\"": "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "#": "#35;", "`": "#96;", "\n": " ", "\r\n": " ",
    ]
    return "graph TD\n" + statements(label: "[\"", "<br/>", escapes, arrow: "-->", end: "")
  }

  /// The graph in the language of Graphviz.
  public var dot: String {
    // Characters that would end a quoted label, or its line.
    let escapes: [Character: String] = ["\"": "\\\"", "\\": "\\\\", "\n": " ", "\r\n": " "]
    return "digraph dependencies {\n  node [shape=box];\n"
      + statements(label: " [label=\"", "\\n", escapes, arrow: "->", end: ";") + "}\n"
  }

  /// Returns the statements for the nodes and the edges: a label has the type, its aliases, its lifetime, and the locations.
  private func statements(
    label start: String, _ lineBreak: String, _ escapes: [Character: String], arrow: String, end: String
  ) -> String {
    var text = ""
    for (index, registration) in registrations.enumerated() {
      let name = displayName(registration.type, registration.name)
      var lines = [name, registration.aliasList, "\(registration.lifetime)", "\(registration.location)"]
      lines += registration.decorators.map { "decorated at \($0)" }
      let escaped = lines.compactMap(\.self).map { line in line.map { escapes[$0] ?? String($0) }.joined() }
      text += "  n\(index)\(start)\(escaped.joined(separator: lineBreak))\"]\(end)\n"
    }
    for edge in edges { text += "  n\(edge.from) \(arrow) n\(edge.to)\(end)\n" }
    return text
  }
}

extension DependencyGraph: Equatable, CustomStringConvertible {
  /// Returns a Boolean value that indicates whether two graphs have the same registrations and dependencies, wherever
  /// and in whichever order they are registered.
  public static func == (first: DependencyGraph, second: DependencyGraph) -> Bool {
    first.description == second.description
  }

  /// A line for each registration, with its dependencies below it, and without locations: for a snapshot of the graph.
  public var description: String {
    var dependencies: [[String]] = registrations.map { _ in [] }
    for edge in edges { dependencies[edge.from].append("  \(registrations[edge.to].summary)") }
    let nodes = zip(registrations, dependencies).map { registration, lines in
      ([registration.summary] + lines.sortedUnspecialized(by: <)).joined(separator: "\n")
    }
    return nodes.sortedUnspecialized(by: <).joined(separator: "\n")
  }
}
