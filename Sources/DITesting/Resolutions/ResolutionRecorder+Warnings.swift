internal import DependencyInjection

// The warnings at the end of a test about overrides that cannot have worked.

extension ResolutionRecorder {
  /// Warns of what the test overrides, registers, decorates or declares unexpected if its code asks for something else.
  func warnOfUselessStatements() {
    let (overrides, registered, others) = state.withLock { ($0.overrides, $0.registered, $0.statements) }
    let answers = registered.isEmpty ? [] : answers
    let unused = overrides.filter { !$0.isResolved } + registered.filter { !answers.contains($0.identity) }
    let candidates = unused.filter { !$0.isOfLibrary }
    let statements = candidates.map { ($0.container, $0.statement) } + others.map { (container, $0) }
    if statements.isEmpty { return }
    let overridden = Set((overrides.map(\.statement) + others).flatMap { $0.keys.map(\.key) })
    let mentioned = overridden.union(registered.flatMap { $0.statement.keys.map(\.key) })
    let requests = requests(from: Set(statements.map(\.0)))
    for (container, statement) in statements {
      let text = statement.warning(
        about: requests[container]!, overridden: overridden, mentioned: mentioned, in: test)
      if let text { warn(text, statement.location!) }
    }
  }

  /// Returns the first requests to each container and its descendants; the test's own container stands for all.
  private func requests(from containers: Set<Int>) -> [Int: Requests] {
    var requests = Dictionary(uniqueKeysWithValues: containers.map { ($0, Requests()) })
    let parents = parents
    for resolution in resolutions {
      for number in sequence(first: resolution.container, next: { parents[$0] }) {
        requests[number]?.add(resolution)
      }
      requests[container]?.add(resolution)
    }
    return requests
  }

  /// Warns of statements that nothing has resolved although it asked for their types: of overrides and registrations that
  /// came too late, and of overrides that a child hides.
  func warnOfUnansweredStatements() {
    let (overrides, registered) = state.withLock { ($0.overrides, $0.registered) }
    let all = overrides + registered
    let answers = registered.isEmpty ? [] : answers
    let unused = unusedOverrides + registered.filter { !answers.contains($0.identity) }
    if unused.isEmpty { return }
    let (resolutions, parents) = (resolutions, parents)
    let keys = Set(unused.flatMap { $0.statement.keys.map(\.key) })
    var positions: [Key: [Int]] = [:]
    for index in resolutions.indices where keys.contains(resolutions[index].key) {
      positions[resolutions[index].key, default: []].append(index)
    }
    let statements = Dictionary(all.map { ($0.identity, $0) }) { $1 }
    for override in unused {
      let asked = override.statement.keys.flatMap { positions[$0.key] ?? [] }.sorted()
      let isBelow = { number in sequence(first: number) { parents[$0] }.contains(override.container) }
      // Another container may see neither the override nor what it overrides.
      let last = asked.last { isBelow(resolutions[$0].container) } ?? asked.last { $0 >= override.position }
      guard let last, let answer = resolutions[last].answer else { continue }
      if last >= override.position {
        let isAbove = sequence(first: override.container) { parents[$0] }.contains(answer.container)
        if !isAbove, statements[Override.Identity(answer)] == nil {
          warnOfHidden(override, by: answer, ofChild: isBelow(answer.container), resolutions[last])
        }
        continue
      }
      // A test that registers again, or ends by replacing an override of its own, need not resolve it.
      let isRegistration = override.statement.verb == .registered
      if let former = statements[Override.Identity(answer)],
        isRegistration || !former.isOfTrait && override.position == resolutions.count
      {
        continue
      }
      let (verb, label) = isRegistration ? ("register", "registered") : ("override", "overridden")
      warn(
        """
        '\(override.statement.description)' was \(label) after it had been resolved, and nothing has resolved it since.
          \(label) \(override.location)
          resolved   \(resolutions[last].pathAndPlace)
          note       \(verb) first, then create what you test
        """, override.location)
    }
  }

  /// Warns of an override if a child or an unrelated container answers with a registration of its own.
  private func warnOfHidden(
    _ override: Override, by answer: ResolutionEvent.Answer, ofChild isOfChild: Bool, _ resolution: ResolutionEvent
  ) {
    let isOwn = !override.isOfTrait && !override.isInherited && !override.isUndone
    // A copy replaces an override on purpose, and does so at its top.
    guard override.statement.verb == .overridden, isOwn, !isOfChild || answer.level > 0 else { return }
    warn(
      """
      '\(resolution.asked)' was overridden, but \(isOfChild ? "a child" : "another container")'s own registration answers for it.
        overridden \(override.location)
        registered \(answer.location)
        resolved   \(resolution.pathAndPlace)
        note       override it in that container, or pass the mock to the code that creates it
      """, override.location)
  }

  /// The registrations that answered a request.
  private var answers: Set<Override.Identity> { Set(resolutions.compactMap { $0.answer.map(Override.Identity.init) }) }

  /// Notes a registration of the app that replaces an override.
  func noteReplacement(
    of override: CodeLocation, by new: Definition, of type: Any.Type, _ note: String = "register first, then override"
  ) {
    let warning = """
      A registration of '\(displayName(type))' replaces the override of the test.
        overridden \(override)
        registered \(new.location)
        note       \(note)
      """
    state.withLock { $0.replacements.append((Override.Identity(new), override, warning)) }
  }

  /// Warns of registrations of the app that replaced an override and were resolved.
  func warnOfReplacements() {
    let replacements = state.withLock(\.replacements)
    if replacements.isEmpty { return }
    let answers = answers
    for (new, override, warning) in replacements where answers.contains(new) { warn(warning, override) }
  }

  /// Returns the failure about overrides that nothing has resolved; nil if there are none.
  func message(about unused: [Override]) -> String? {
    if unused.isEmpty { return nil }
    let lines = unused.map { override in
      "  \(override.statement.description) (\(override.location))"
    }
    let which = unused.count == 1 ? "this one" : "these"
    return (["Expected every override to be resolved, but nothing resolved \(which):"] + lines).joined(separator: "\n")
  }

  private func warn(_ message: String, _ location: CodeLocation) {
    if isFirst(message) { test.reportAtEnd(message, at: location, isWarning: true) }
  }
}
