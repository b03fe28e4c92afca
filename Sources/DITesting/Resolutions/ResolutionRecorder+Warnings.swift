internal import DependencyInjection

// The warnings of a test at its end: of overrides that cannot have worked.

extension ResolutionRecorder {
  /// Warns of what the test overrides, registers or declares unexpected, while its code asks for something else.
  func warnOfUselessStatements() {
    let (overrides, registered, others) = state.withLock { ($0.overrides, $0.registered, $0.statements) }
    let candidates = (overrides.filter { !$0.isResolved } + registered).filter { !$0.isOfLibrary }
    let statements = candidates.map { ($0.container, $0.statement) } + others.map { (container, $0) }
    if statements.isEmpty { return }
    let mentioned = Set((overrides.map(\.statement) + statements.map(\.1)).flatMap { $0.keys.map(\.key) })
    let requests = requests(from: Set(statements.map(\.0)))
    for (container, statement) in statements {
      guard let text = statement.warning(about: requests[container]!, besides: mentioned, in: test) else { continue }
      warn(text, statement.location!)
    }
  }

  /// Returns the first requests to each container and its descendants; the test's own container stands for all.
  private func requests(from containers: Set<Int>) -> [Int: Requests] {
    var requests = Dictionary(uniqueKeysWithValues: containers.map { ($0, Requests()) })
    let parents = parents
    for resolution in resolutions {
      for number in sequence(first: resolution.container, next: { parents[$0] }) where number != container {
        requests[number]?.add(resolution)
      }
      requests[container]?.add(resolution)
    }
    return requests
  }

  /// Warns of overrides that came too late.
  func warnOfLateOverrides() {
    let (overrides, unused) = (overrides, unusedOverrides(isOwn: true).filter { !$0.isOfTrait })
    if unused.isEmpty { return }
    let (resolutions, parents) = (resolutions, parents)
    let keys = Set(unused.flatMap { $0.statement.keys.map(\.key) })
    var positions: [Key: [Int]] = [:]
    for index in resolutions.indices where keys.contains(resolutions[index].key) {
      positions[resolutions[index].key, default: []].append(index)
    }
    for override in unused {
      let former = override.statement.keys.lazy.flatMap { positions[$0.key] ?? [] }.filter { index in
        index < override.position
          && sequence(first: resolutions[index].container) { parents[$0] }.contains(override.container)
      }.max().map { resolutions[$0] }
      // Who puts back what was there before has no use for it.
      guard let former, !overrides.contains(where: { $0.registration == former.answer?.identity }) else { continue }
      warn(
        """
        '\(override.statement.description)' was overridden after it had been resolved, and nothing has resolved it since.
          overridden \(override.location)
          resolved   \(former.pathAndPlace)
          note       override first, then create what you test
        """, override.location)
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
      "  \(override.statement.description) (\(override.location))"
    }
    let which = unused.count == 1 ? "this one" : "these"
    return (["Expected every override to be resolved, but nothing resolved \(which):"] + lines).joined(separator: "\n")
  }

  private func warn(_ message: String, _ location: CodeLocation) {
    guard isFirst(message) else { return }
    test.reportAtEnd { [test] in
      report(message, at: FailureLocation(of: test, or: location), to: test.framework, isWarning: true)
    }
  }
}
