internal import DependencyInjection

// The warnings of a test at its end: of overrides that cannot have worked.

extension ResolutionRecorder {
  /// Warns of overrides that nothing resolved, and that came too late or replaced nothing.
  func warnOfUselessOverrides() {
    let (overrides, unused) = (overrides, unusedOverrides(isOwn: true).filter { !$0.isOfTrait })
    if unused.isEmpty { return }
    let (resolutions, parents) = (resolutions, parents)
    let keys = Set(unused.flatMap { $0.keys.map(\.key) })
    var positions: [Key: [Int]] = [:]
    for index in resolutions.indices where keys.contains(resolutions[index].key) {
      positions[resolutions[index].key, default: []].append(index)
    }
    for override in unused {
      let former = override.keys.lazy.flatMap { positions[$0.key] ?? [] }.filter { index in
        index < override.position
          && sequence(first: resolutions[index].container) { parents[$0] }.contains(override.container)
      }.max().map { resolutions[$0] }
      let name = override.keys.map { displayName($0.type, override.name) }.joined(separator: ", ")
      let others = resolutions.filter { resolution in
        !override.isOfDependency && override.keys.contains { $0.type == resolution.type }
      }
      if let former {
        // Who puts back what was there before has no use for it.
        if overrides.contains(where: { $0.registration == former.answer?.identity }) { continue }
        warn(
          """
          '\(name)' was overridden after it had been resolved, and nothing has resolved it since.
            overridden \(override.location)
            resolved   \(former.pathAndPlace)
            note       override first, then create what you test
          """, override.location)
      } else if override.replaces || override.isOfDependency {
        continue
      } else if let other = others.first(where: { !$0.isOfDependency }) {
        warn(
          """
          '\(name)' was overridden, but nothing else is registered for it, and nothing has resolved it.
            overridden \(override.location)
            note       override the name that the code asks for: it resolved '\(other.asked)' at \(other.location)
          """, override.location)
      } else if others.isEmpty, override.keys.allSatisfy({ $0.type is AnyClass }) {
        // A protocol may be what the code asks for elsewhere.
        warn(
          """
          '\(name)' was overridden, but nothing else is registered for it, and nothing has resolved it.
            overridden \(override.location)
            note       override the type that the code asks for
          """, override.location)
      }
    }
  }

  /// Warns of types that must not be resolved, and that cannot be.
  func warnOfUselessUnexpected() {
    for unexpected in unexpected where !unexpected.isRegistered {
      guard let other = resolutions.first(where: { unexpected.expected.isSubtype(of: $0.type) }) else { continue }
      warn(
        unexpected.expected.message(onlyRegisteredAs: other, "unexpected \(unexpected.location)"),
        unexpected.location.code)
    }
  }

  /// Warns of an override that a later registration of the app replaces.
  func warnOfReplaced(_ override: CodeLocation, by new: CodeLocation, of type: Any.Type) {
    warn(
      """
      A registration of '\(displayName(type))' replaces the override of the test.
        overridden \(override)
        registered \(new)
        note       override what is registered already: put the override behind it
      """, override)
  }

  /// The failure about the overrides that nothing has resolved; nil if there are none.
  var unusedOverridesMessage: String? { message(of: unusedOverrides()) }

  func message(of unused: [Override]) -> String? {
    if unused.isEmpty { return nil }
    let lines = unused.map { override in
      "  \(override.keys.map { displayName($0.type) }.joined(separator: ", ")) (\(override.location))"
    }
    let which = unused.count == 1 ? "this one" : "these"
    return (["Expected every override to be resolved, but nothing resolved \(which):"] + lines).joined(separator: "\n")
  }

  /// The resolutions from a container and its descendants.
  private struct Seen {
    /// The first resolution of each key.
    var keys: [Key: ResolutionEvent] = [:]

    /// The first resolution of a type that a declaration answered.
    var declared: [ObjectIdentifier: ResolutionEvent.Answer] = [:]

    mutating func add(_ resolution: ResolutionEvent) {
      if keys[resolution.key] == nil { keys[resolution.key] = resolution }
      if let answer = resolution.answer, answer.isDeclared, declared[ObjectIdentifier(resolution.type)] == nil {
        declared[ObjectIdentifier(resolution.type)] = answer
      }
    }
  }

  /// Warns of a type that the test registers and never resolves, where it resolves a `Dependency` of the type, or the other way
  /// round.
  func warnOfMixedDeclarations() {
    let candidates = (overrides.filter { !$0.isResolved } + registered).filter { !$0.isOfLibrary }
    if candidates.isEmpty { return }
    let parents = parents
    var seen = Dictionary(candidates.map { ($0.container, Seen()) }, uniquingKeysWith: { first, _ in first })
    for resolution in resolutions {
      var next: Int? = resolution.container
      while let number = next {
        seen[number]?.add(resolution)
        next = parents[number]
      }
      // The test's own container stands for all.
      seen[container]?.add(resolution)
    }
    let byTypes = Set((overrides + registered).lazy.filter { !$0.isOfDependency }.flatMap { $0.keys.map(\.key) })
    for override in candidates {
      guard let seen = seen[override.container] else { continue }
      for (key, type) in override.keys where seen.keys[key] == nil {
        let byType = Key(type, named: nil)
        if override.isOfDependency, !byTypes.contains(byType), let resolution = seen.keys[byType] {
          warn(
            """
            '\(displayName(type))' is overridden as a declared dependency, but the test resolved it by its type.
              overridden \(override.location)
              resolved   \(resolution.pathAndPlace)
              note       override the type as well: `DIContainer.override(\(sourceName(type, ".self")), with: mock)`
            """, override.location)
        } else if key == byType, let answer = seen.declared[ObjectIdentifier(type)] {
          warn(
            """
            '\(displayName(type))' is overridden by its type, but the test resolved it as a declared dependency.
              overridden \(override.location)
              declared   \(answer.location)
              note       override the declaration, and not its type: `DIContainer.override(DIContainer.dependency, with: mock)`
            """, override.location)
        }
      }
    }
  }

  private func warn(_ message: String, _ location: CodeLocation) {
    guard isFirst(message) else { return }
    test.reportAtEnd { [test] in
      report(message, at: FailureLocation(of: test, or: location), to: test.framework, isWarning: true)
    }
  }
}
