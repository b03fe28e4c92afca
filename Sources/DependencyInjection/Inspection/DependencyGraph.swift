/// Which registrations depend on which, as ``DIContainer/graph(except:arguments:)`` returns it.
///
/// The README shows one; its order is that of the registrations, so two graphs of the same registrations are the same.
public struct DependencyGraph: Sendable {
  /// The registrations.
  public let registrations: [RegistrationInfo]

  /// Which of them depend on which.
  public let edges: [Edge]

  /// One registration's dependency on another.
  public struct Edge: Hashable, Sendable {
    /// The index of the registration whose factory asked.
    public let from: Int

    /// The index of the registration that answered.
    public let to: Int
  }

  /// The graph as Mermaid, which GitHub and DocC's readers render.
  public var mermaid: String {
    let nodes = registrations.enumerated().map { index, registration in
      "  n\(index)[\"\(label(registration).map(Self.mermaidText).joined(separator: "<br/>"))\"]"
    }
    return (["graph TD"] + nodes + edges.map { "  n\($0.from) --> n\($0.to)" }).joined(separator: "\n") + "\n"
  }

  /// The graph in the language of Graphviz.
  public var dot: String {
    let nodes = registrations.enumerated().map { index, registration in
      "  n\(index) [label=\"\(label(registration).map(Self.dotText).joined(separator: "\\n"))\"];"
    }
    let lines = ["digraph dependencies {", "  node [shape=box];"] + nodes + edges.map { "  n\($0.from) -> n\($0.to);" }
    return lines.joined(separator: "\n") + "\n}\n"
  }

  /// What a node says: the type, what it is found as, its lifetime, and where it is written.
  private func label(_ registration: RegistrationInfo) -> [String] {
    let aliases =
      registration.aliases.isEmpty
      ? [] : ["as " + registration.aliases.map { displayName($0) }.joined(separator: ", ")]
    let name = displayName(registration.type, registration.name)
    return [name] + aliases + ["\(registration.lifetime)", "\(registration.location)"]
  }

  /// A text in which nothing ends a quoted label or is markup: Mermaid has character entities that begin with `#`.
  private static func mermaidText(_ text: String) -> String {
    let entities: [Character: String] = ["\"": "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "#": "#35;"]
    return text.map { entities[$0] ?? String($0) }.joined()
  }

  /// A text in which nothing ends a quoted label.
  private static func dotText(_ text: String) -> String {
    text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
  }
}
