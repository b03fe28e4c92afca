internal import DependencyInjection

extension ResolutionRecorder {
  /// A registration that overrides another, or one that the code of the test adds.
  ///
  /// It does not keep the registration, which may hold objects that the test expects to be released.
  struct Override {
    let identity: Identity
    var statement: Statement
    let location: CodeLocation
    var container: Int

    /// A Boolean value that indicates whether a trait made it.
    fileprivate(set) var isOfTrait = false

    /// A Boolean value that indicates whether it is an override of the enclosing test.
    private(set) var isInherited = false

    /// The number of resolutions before it.
    var position = 0
    var isResolved = false

    init(_ definition: Definition, in container: DIContainer) {
      let registry = container.registry
      lazy var known = Set((container.recorder?.overrides ?? []).map(\.identity))
      // Where nothing else is registered, an override is how a test registers.
      let isFound =
        definition.keys.contains { registry.visibleDefinition(of: $0.key) != nil }
        || registry.hasBegunEmpty && registry.roots.allSatisfy { known.contains(Identity($0)) }
      self.init(.overridden, definition, in: container, isFound: isFound)
    }

    /// Creates the note of a registration, whether or not it replaces one of the app.
    init(_ verb: Statement.Verb, _ definition: Definition, in container: DIContainer, isFound: Bool) {
      identity = Identity(definition)
      location = definition.location
      self.container = container.registry.number
      statement = Statement(verb, definition, isFound: isFound)
    }

    /// Returns the override as a nested test with a container of its own inherits it.
    func inherited(by container: DIContainer) -> Self {
      var override = self
      (override.isInherited, override.container) = (true, container.registry.number)
      // The enclosing test warns.
      override.statement.isFound = true
      return override
    }

    /// The identity of a registration, which a later one at the same address does not share.
    struct Identity: Hashable {
      private let registration: ObjectIdentifier
      private let line: UInt

      init(_ definition: Definition) {
        (registration, line) = (ObjectIdentifier(definition), definition.location.line)
      }

      init(_ answer: ResolutionEvent.Answer) { (registration, line) = (answer.identity, answer.location.line) }
    }

    /// A Boolean value that indicates whether restoring an earlier snapshot undid it.
    ///
    /// It then replaces only overrides that were undone, too.
    var isUndone = false

    /// Returns whether it replaces an earlier override.
    ///
    /// An override of the enclosing test is older than all of the test's own.
    func covers(_ other: Override) -> Bool {
      !isInherited && (!isUndone || other.isUndone) && container == other.container
        && other.statement.keys.allSatisfy { statement.isAbout($0.key) }
    }
  }
}

extension ResolutionRecorder {
  /// Records an override, before it can be resolved.
  func note(_ override: Override) {
    let replaced = state.withLock { state -> [Override.Identity] in
      var override = override
      override.position = state.resolutions.count
      state.known.insert(override.identity)
      for (key, type) in override.statement.keys {
        state.use(key, of: type, isOfDependency: override.statement.declarationLocation != nil)
      }
      state.indices[override.identity] = state.overrides.count
      state.overrides.append(override)
      if outer == nil { return [] }
      return state.overrides.filter { $0.isInherited && override.covers($0) }.map(\.identity)
    }
    // The enclosing test need not resolve it.
    for identity in replaced { outer?.markResolved(identity) }
  }

  /// Notes that the registrations of the trait are complete, and the test begins.
  func noteBeginning() {
    state.withLock { state in
      for index in state.overrides.indices { state.overrides[index].isOfTrait = true }
      for index in state.registered.indices { state.registered[index].isOfTrait = true }
    }
  }

  /// Notes that this test need not resolve the overrides that a nested test replaces: those that answer in the current
  /// container, but not in the nested test's.
  func markReplaced(in container: DIContainer) {
    let answering = Set(overrides(thatAnswerIn: container).map(\.identity))
    for override in overrides(thatAnswerIn: .current) where !answering.contains(override.identity) {
      markResolved(override.identity)
    }
  }

  /// Notes which overrides are undone after a container was restored: those that it no longer answers with.
  func noteRestoration(of container: DIContainer) {
    let answering = Set(overrides(thatAnswerIn: container).map(\.identity))
    state.withLock { state in
      for index in state.overrides.indices where state.overrides[index].container == container.registry.number {
        state.overrides[index].isUndone = !answering.contains(state.overrides[index].identity)
      }
    }
  }

  /// Notes that a type must not be resolved, or is decorated.
  func note(_ statement: Statement) { state.withLock { $0.statements.append(statement) } }

  /// Notes a decorator that the code of the test registers.
  func note(decorator: Definition) {
    guard decorator.isDecoration, test.isCode(at: decorator.location) else { return }
    note(Statement(.decorated, decorator, isFound: !decorator.root.isDecoration))
  }

  /// Returns the location of the test's last registration or override of a key, if it is in the test's code.
  func locationOfMock(of key: Key) -> CodeLocation? {
    let (overrides, registered) = state.withLock { ($0.overrides, $0.registered) }
    return (overrides + registered).last { $0.statement.isAbout(key) && test.isCode(at: $0.location) }?.location
  }

  /// Returns the last override of a key in a container, unless it was resolved.
  func unusedOverride(of key: Key, in container: Int) -> Override? {
    state.withLock { state in
      let last = state.overrides.last { $0.container == container && $0.statement.isAbout(key) }
      return last?.isResolved == false ? last : nil
    }
  }

  /// Notes that a nested test resolved an override.
  func markResolved(_ identity: Override.Identity) {
    let isInherited = state.withLock { state in
      guard let index = state.indices[identity] else { return false }
      state.overrides[index].isResolved = true
      return state.overrides[index].isInherited
    }
    if isInherited { outer?.markResolved(identity) }
  }

  var overrides: [Override] { state.withLock(\.overrides) }

  /// The keys that the test has overridden or registered.
  var mentionedKeys: Set<Key> {
    state.withLock { Set(($0.overrides + $0.registered).flatMap { $0.statement.keys.map(\.key) }) }
  }

  /// Returns whether a report is the first with this text, or about this resolution.
  func isFirst(_ report: String) -> Bool { state.withLock { $0.reported.insert(report).inserted } }

  /// The overrides that nothing has resolved, and that no later one replaces, in order.
  var unusedOverrides: [Override] {
    var (unused, later): ([Override], [Key: [Override]]) = ([], [:])
    for override in overrides.reversed() {
      let keys = override.statement.keys.map(\.key)
      // What replaces it is about its first key, too.
      if !override.isResolved, later[keys[0]]?.contains(where: { $0.covers(override) }) != true {
        unused.append(override)
      }
      for key in keys { later[key, default: []].append(override) }
    }
    return unused.reversed()
  }

  /// Warns from now on when anything but an override replaces a registration of a trait.
  func watch(_ definition: Definition) { state.withLock { $0.ofTraits.append(definition) } }

  /// Returns the overrides with which another container, made from the test's, answers.
  func overrides(thatAnswerIn container: DIContainer) -> [Override] {
    overrides.filter { override in
      override.statement.keys.contains {
        container.registry.visibleRoot(of: $0.key).map { Override.Identity($0.definition) } == override.identity
      }
    }
  }
}

extension ResolutionRecorder.Override {
  /// A Boolean value that indicates whether it is of a type such as `URL`, which many declarations may have.
  var isOfLibrary: Bool {
    statement.keys.contains { _, type in
      let name = _typeName(wrappedType(of: type), qualified: true)
      return ["Swift.", "Foundation.", "FoundationEssentials."].contains { name.hasPrefix($0) }
    }
  }
}
