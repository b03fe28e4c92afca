/// The registrations of a container and their dependencies, as ``DIContainer/graph(except:arguments:)`` returns them.
///
/// The order of a graph is that of the registrations, so two graphs of the same registrations
/// look the same.
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

  /// Returns the lines of a node's label: the type, its aliases, its lifetime, and its location.
  private func label(_ registration: RegistrationInfo) -> [String] {
    let aliases =
      registration.aliases.isEmpty
      ? [] : ["as " + registration.aliases.map { displayName($0) }.joined(separator: ", ")]
    let name = displayName(registration.type, registration.name)
    return [name] + aliases + ["\(registration.lifetime)", "\(registration.location)"]
  }

  /// Returns a text without characters that would end a quoted label or be markup, as Mermaid entities that begin with
  /// `#`.
  private static func mermaidText(_ text: String) -> String {
    let entities: [Character: String] = ["\"": "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "#": "#35;"]
    return text.map { entities[$0] ?? String($0) }.joined()
  }

  /// Returns a text without characters that would end a quoted label.
  private static func dotText(_ text: String) -> String {
    text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
  }
}

extension DependencyGraph: Equatable, CustomStringConvertible {
  /// Returns whether two graphs have the same registrations and dependencies, wherever and in whichever order they are
  /// registered.
  public static func == (first: DependencyGraph, second: DependencyGraph) -> Bool {
    first.description == second.description
  }

  /// A line for each registration, with its dependencies below it, and without locations: for a snapshot of the graph.
  public var description: String {
    let dependencies = Dictionary(grouping: edges, by: \.from)
    let nodes = registrations.indices.map { index in
      let lines = (dependencies[index] ?? []).map { "  \(registrations[$0.to].summary)" }
      return ([registrations[index].summary] + lines.sorted()).joined(separator: "\n")
    }
    return nodes.sorted().joined(separator: "\n")
  }
}
