/// One registration, as ``DIContainer/registrations`` lists it.
public struct RegistrationInfo: Sendable {
  /// The type of what the factory returns.
  public let type: Any.Type

  /// The types it is found under, if they are others than its own.
  public let aliases: [Any.Type]

  /// The name it is registered with, if any.
  public let name: DependencyName?

  /// How long an instance lives.
  public let lifetime: Lifetime

  /// Where it is written.
  public let location: SourceLocation

  /// Where the registrations are written that it has replaced.
  ///
  /// Of each of its types only the last; nothing is remembered of an override that a snapshot has undone.
  public let replaced: [SourceLocation]

  init(_ definition: Definition, as types: [Any.Type] = [], replacing replaced: [SourceLocation] = []) {
    type = definition.type
    aliases = definition.aliases.isEmpty ? [] : types
    name = definition.label.name
    lifetime = definition.lifetime
    location = definition.location
    self.replaced = replaced
  }
}

extension RegistrationInfo: CustomStringConvertible {
  /// One line: `Shared RouterImpl as Router, DeeplinkHandler (name) at App/Dependencies.swift:31`, and what it replaced.
  public var description: String {
    var text = "\(lifetime) \(displayName(type))"
    if !aliases.isEmpty { text += " as " + aliases.map { displayName($0) }.joined(separator: ", ") }
    if let name { text += " (\(name))" }
    text += " at \(location)"
    if !replaced.isEmpty { text += ", replaces " + replaced.map(\.description).joined(separator: ", ") }
    return text
  }
}

extension DIContainer {
  /// What can be resolved from this container, in the order of registration, those of its ancestors first.
  ///
  /// A registration of which another one has replaced all types is not listed any more, but is named by that one. A
  /// ``Dependency`` is listed once it has been resolved or overridden. O(n log n).
  public var registrations: [RegistrationInfo] { registrationsWithDefinitions().map(\.info) }

  func registrationsWithDefinitions() -> [(definition: Definition, info: RegistrationInfo)] {
    visibleDefinitions().map { definition, types in
      var replaced: [SourceLocation] = []
      definition.forEachKey { key, _ in
        guard let location = self.replaced(by: definition, at: key) else { return }
        if !replaced.contains(where: { "\($0)" == "\(location)" }) { replaced.append(location) }
      }
      return (definition, RegistrationInfo(definition, as: types, replacing: replaced))
    }
  }

  /// The registrations that a resolve from here may find, in order, each with the types that it is found under.
  func visibleDefinitions() -> [(definition: Definition, types: [Any.Type])] {
    var found: [(definition: Definition, types: [Any.Type])] = []
    var indices: [ObjectIdentifier: Int] = [:]
    for record in visibleRecords(where: { !$0.isImplicit }) {
      let index = indices[ObjectIdentifier(record.definition), default: found.count]
      if index == found.count { found.append((record.definition, [])) }
      indices[ObjectIdentifier(record.definition)] = index
      found[index].types.append(record.type)
    }
    return found
  }

  /// Whether to register a type, with the same name or none, that is registered here already traps with both locations.
  ///
  /// Off at first. Turn it on before an app registers what its modules contribute, so that no module silently replaces
  /// what another one has registered. An override in a child, in a test, of a ``Dependency`` or of what
  /// ``DependencyRegistering`` has registered is none.
  public var rejectsDuplicates: Bool {
    get { state.withLock { $0.rejectsDuplicates } }
    set { state.withLock { $0.rejectsDuplicates = newValue } }
  }

  /// The records that a resolve from here may find and that are wanted, in order.
  func visibleRecords(where isWanted: (Registry.Record) -> Bool = { _ in true }) -> [Registry.Record] {
    registerPendingDefaults()
    return merged().records.values.filter(isWanted).sorted { ($0.order, $0.shortAlias) < ($1.order, $1.shortAlias) }
  }

  private func replaced(by definition: Definition, at key: Key) -> SourceLocation? {
    for container in lineage(below: nil) {
      let here = container.state.withLock { state in
        state.registry.records[key].map { ($0.definition === definition, state.registry.replaced[key]) }
      }
      if let (isHere, location) = here { return isHere ? location : nil }
    }
    return nil
  }
}
