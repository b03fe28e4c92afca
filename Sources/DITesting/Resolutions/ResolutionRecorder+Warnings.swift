internal import DependencyInjection

// What a test hears at its end of overrides that cannot have worked.

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
  func warnOfMixedDeclarations(in container: DIContainer?, _ origin: [Registrations]?) {
    let (resolutions, overrides) = (resolutions, overrides)
    func warn(_ message: String, _ location: CodeLocation) {
      guard isFirst(message) else { return }
      test.reportAtEnd { [test] in
        report(message, at: FailureLocation(of: test, or: location), to: test.framework, isWarning: true)
      }
    }
    let resolved = Set(resolutions.map(\.key))
    var declarations: Set<Key> = []
    for declared in resolutions where declared.isOfDependency && declarations.insert(declared.key).inserted {
      let key = Key(declared.type, named: nil)
      guard let answer = declared.answer, answer.isDeclared, !resolved.contains(key) else { continue }
      var locations = overrides.filter { !$0.isResolved && $0.keys.contains { $0.key == key } }.map(\.location)
      if locations.isEmpty, let definition = container?.registry.visibleDefinition(of: key)?.root,
        !(origin ?? []).contains(where: { $0.definition(of: key)?.root === definition }),
        !overrides.contains(where: { $0.identity == ObjectIdentifier(definition) }), isOfTest(definition.location)
      {
        locations = [definition.location]
      }
      for location in locations {
        warn(
          """
          '\(displayName(declared.type))' is overridden by its type, but the test resolved it as a declared dependency.
            overridden \(location)
            declared   \(answer.location)
            note       override the declaration, and not its type: `DIContainer.override(DIContainer.dependency, with: mock)`
          """, location)
      }
    }
    for override in overrides where override.isOfDependency && !override.isResolved {
      for (_, type) in override.keys {
        let key = Key(type, named: nil)
        guard !overrides.contains(where: { $0.keys.contains { $0.key == key } }),
          let byType = resolutions.first(where: { $0.key == key })
        else { continue }
        warn(
          """
          '\(displayName(type))' is overridden as a declared dependency, but the test resolved it by its type.
            overridden \(override.location)
            resolved   \(byType.pathAndPlace)
            note       override the type as well: `DIContainer.override(\(displayName(type)).self, with: mock)`
          """, override.location)
      }
    }
  }

  /// Returns whether code is in the module of the test: what the app registers for a type and declares of it may differ.
  private func isOfTest(_ location: CodeLocation) -> Bool {
    guard let place = test.place else { return false }
    return "\(location)".prefix { $0 != "/" } == place.fileID.prefix { $0 != "/" }
  }
}
