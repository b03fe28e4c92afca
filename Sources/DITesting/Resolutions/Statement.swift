internal import DependencyInjection

/// A test's statement about a type or a declared dependency: that it is overridden, registered or decorated, or that
/// nothing resolves it.
///
/// It has no effect if the code asks for something else: another name, the protocol instead of the mock, the declared
/// dependency instead of its type, or the other way around.
struct Statement {
  enum Verb: String {
    case overridden, registered, decorated
    case unexpected = "declared unexpected"
    case unresolved = "expected not to be resolved"
    case uncreated = "expected not to be created"

    fileprivate var label: String { self == .decorated ? "decorated " : "\(self)" }
  }

  let verb: Verb
  let keys: [(key: Key, type: Any.Type)]
  let name: DependencyName?
  /// The location of the declared dependency; nil for a type.
  let declarationLocation: CodeLocation?

  /// A Boolean value that indicates whether the code can ask for it, because something else is registered for it.
  var isFound: Bool

  /// The location; nil if the warning is shown there.
  let location: CodeLocation?

  /// Returns whether it is about a key.
  func isAbout(_ key: Key) -> Bool { keys.contains { $0.key == key } }

  /// The names in reports.
  var description: String { keys.map { displayName($0.type, name) }.joined(separator: ", ") }

  /// Returns the warning that the code asked for a similar key, but never for this one.
  ///
  /// - Parameters:
  ///   - requests: What the code asked for.
  ///   - overridden: The other keys that the test overrides.
  ///   - mentioned: These and the keys that it registers.
  ///   - test: The test.
  /// - Returns: The text; nil if there is nothing similar.
  func warning(
    about requests: Requests, overridden: Set<Key> = [], mentioned: Set<Key> = [], in test: IsolatedTest
  ) -> String? {
    for (key, type) in keys where !requests.keys.contains(key) {
      let similar = requests.firsts.filter { $0.type == type }
      let others = similar.filter { !mentioned.contains($0.key) }
      if let declarationLocation {
        let statement = "'\(displayName(type))' was \(verb.rawValue) as a declared dependency"
        let declared = others.first { $0.answer.map { "\($0.location)" == "\(declarationLocation)" } == true }
        if let declared {
          return warning(
            statement, "another one that is declared at the same line", declared,
            "write `static let`: a computed property declares a new dependency at each access",
            "declared   \(declarationLocation)")
        }
        guard let byType = others.first(where: { !$0.isOfDependency && $0.name == nil }) else { continue }
        return warning(
          statement, "it by its type", byType,
          "name the type as well: `\(sourceName(type, ".self"))`")
      }
      // An expectation of a type counts its declared dependencies, unless it deliberately asks for no name.
      if name == nil, location != nil, let declared = others.first(where: { $0.answer?.isDeclared == true }) {
        return warning(
          "'\(displayName(type))' was \(verb.rawValue) by its type", "it as a declared dependency", declared,
          "name the declaration, as in `DIContainer.api`, and not its type", "declared   \(declared.answer!.location)")
      }
      // What is only added may be meant for another test.
      let isAdded = verb == .registered
      let known = isAdded ? mentioned : overridden
      let byType = similar.filter { !$0.isOfDependency && !known.contains($0.key) }
      let otherName = byType.first { isMisspelling(of: $0.name) } ?? (isAdded ? nil : byType.first)
      if !isFound, let otherName {
        return warning(
          "'\(description)' was \(verb.rawValue)", "'\(otherName.asked)'", otherName,
          otherName.name == nil ? "leave out the name, as the code does" : "use the name that the code asks for")
      }
      let above = requests.firsts.first { other in
        if known.contains(other.key) { return false }
        // The same registration under another of its types, or one that the test did not make.
        let isSame = other.answer?.keys.contains { $0.key == key } == true
        let isOfApp =
          !isAdded || !(other.type is AnyClass) && other.answer.map { !test.isCode(at: $0.location) } ?? true
        return (isSame || !isFound && isOfApp) && type != other.type && isSubtype(wrappedType(of: type), of: other.type)
      }
      if let above {
        return warning(
          "'\(description)' was \(verb.rawValue)", "'\(above.asked)'", above, "use the type that the code asks for")
      }
    }
    return nil
  }

  private func isMisspelling(of other: DependencyName?) -> Bool {
    guard let name = name.map({ "\($0)" }), let other else { return false }
    return "\(other)".difference(from: name).count <= name.count / 2
  }

  private func warning(
    _ statement: String, _ other: String, _ resolution: ResolutionEvent, _ note: String, _ line: String? = nil
  ) -> String {
    let lines = [
      "\(statement), but the test resolved \(other).", location.map { "  \(verb.label) \($0)" },
      "  resolved   \(resolution.pathAndPlace)", line.map { "  \($0)" }, "  note       \(note)",
    ]
    return lines.compactMap(\.self).joined(separator: "\n")
  }
}

extension Statement {
  init(_ verb: Verb, _ definition: Definition, isFound: Bool) {
    self.init(
      verb: verb, keys: definition.keys, name: definition.name, declarationLocation: definition.declarationLocation,
      isFound: isFound, location: definition.location)
  }
}

/// The first resolution of each key that the code of a test asked for, in order.
struct Requests {
  private(set) var firsts: [ResolutionEvent] = []
  private(set) var keys: Set<Key> = []

  init(_ resolutions: [ResolutionEvent] = []) { for resolution in resolutions { add(resolution) } }

  mutating func add(_ resolution: ResolutionEvent) {
    if keys.insert(resolution.key).inserted { firsts.append(resolution) }
  }
}
