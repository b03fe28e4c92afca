internal import DependencyInjection

// What a test hears at its end of overrides that cannot have worked.

extension ResolutionRecorder {
  /// A registration that overrides another.
  ///
  /// It does not keep the registration, which may hold objects that the test expects to be released.
  struct Override {
    let identity: ObjectIdentifier
    let keys: [(key: Key, type: Any.Type)]
    let location: CodeLocation
    let container: Int
    let isOfDependency: Bool
    let isOfTrait: Bool

    /// A Boolean value that indicates whether it is an override of the test around this one.
    var isInherited = false

    /// A Boolean value that indicates whether something was registered for one of the keys before.
    let replaces: Bool

    /// The number of resolutions before it.
    var position = 0
    var isResolved = false

    init(_ definition: Definition, in container: DIContainer, isOfTrait: Bool = false) {
      self.isOfTrait = isOfTrait
      // In a container that begins empty, an override is how a test registers.
      replaces =
        container.registry.hasBegunEmpty
        || definition.keys.contains { container.registry.visibleDefinition(of: $0.key) != nil }
      identity = ObjectIdentifier(definition)
      keys = definition.keys
      location = definition.location
      self.container = container.registry.number
      isOfDependency = definition.isOfDependency
    }
  }
}

extension ResolutionRecorder {
  /// Warns of overrides that nothing resolved, and that came too late or replaced nothing.
  func warnOfUselessOverrides() {
    let overrides = overrides
    for override in ownUnusedOverrides where !override.isOfTrait {
      let name = override.keys.map { displayName($0.type) }.joined(separator: ", ")
      let former = resolutions.prefix(override.position).last { former in
        override.keys.contains { $0.key == former.key }
      }
      let message: String
      if let former, !overrides.contains(where: { $0.identity == former.answer?.identity }) {
        message = """
          '\(name)' was overridden after it had been resolved, and nothing has resolved it since.
            overridden \(override.location)
            resolved   \(former.pathAndPlace)
            note       override first, then create what you test
          """
      } else if !override.replaces, !override.isOfDependency,
        // A protocol may be what the code asks for elsewhere.
        override.keys.allSatisfy({ $0.type is AnyClass }),
        // By another name, or as a declared dependency.
        !resolutions.contains(where: { resolution in override.keys.contains { $0.type == resolution.type } })
      {
        message = """
          '\(name)' was overridden, but nothing else is registered for it, and nothing has resolved it.
            overridden \(override.location)
            note       override the type that the code asks for
          """
      } else {
        continue
      }
      test.reportAtEnd { [test] in
        report(message, at: FailureLocation(of: test, or: override.location), to: test.framework, isWarning: true)
      }
    }
  }

  /// The failure about the overrides that nothing has resolved; nil if there are none.
  var unusedOverridesMessage: String? { message(of: unusedOverrides) }

  func message(of unused: [Override]) -> String? {
    if unused.isEmpty { return nil }
    let lines = unused.map { override in
      "  \(override.keys.map { displayName($0.type) }.joined(separator: ", ")) (\(override.location))"
    }
    let which = unused.count == 1 ? "this one" : "these"
    return (["Expected every override to be resolved, but nothing resolved \(which):"] + lines).joined(separator: "\n")
  }

  /// Warns of a type that the test registers and never resolves, where it resolves a `Dependency` of the type, or the other way
  /// round.
  func warnOfMixedDeclarations() {
    let (resolutions, candidates) = (resolutions, overrides.filter { !$0.isResolved } + registered)
    for override in candidates {
      let seen = override.container == container ? resolutions : among(resolutions, from: override.container)
      for (key, type) in override.keys where !seen.contains(where: { $0.key == key }) {
        let byType = Key(type, named: nil)
        var message: String?
        if override.isOfDependency, let resolution = seen.first(where: { $0.key == byType }),
          !overrides.contains(where: { $0.keys.contains { $0.key == byType } })
        {
          message = """
            '\(displayName(type))' is overridden as a declared dependency, but the test resolved it by its type.
              overridden \(override.location)
              resolved   \(resolution.pathAndPlace)
              note       override the type as well: `DIContainer.override(\(displayName(type)).self, with: mock)`
            """
        } else if key == byType,
          let answer = seen.first(where: { $0.type == type && $0.answer?.isDeclared == true })?.answer
        {
          message = """
            '\(displayName(type))' is overridden by its type, but the test resolved it as a declared dependency.
              overridden \(override.location)
              declared   \(answer.location)
              note       override the declaration, and not its type: `DIContainer.override(DIContainer.dependency, with: mock)`
            """
        }
        guard let message, isFirst(message) else { continue }
        test.reportAtEnd { [test] in
          report(message, at: FailureLocation(of: test, or: override.location), to: test.framework, isWarning: true)
        }
      }
    }
  }

  /// Returns whether code is in the module of the test: what the app registers for a type and declares of it may differ.
  func isOfTest(_ location: CodeLocation) -> Bool {
    "\(location.file)".prefix { $0 != "/" } == test.place?.module ?? TestRun.module
  }
}
