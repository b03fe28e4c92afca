/// Resolves the registrations of a container one by one in a copy of it, and finds out what is wrong with them and what
/// they depend on.
///
/// The copy has the registrations and none of the instances, and what is created in it goes with it.
final class Verification: ResolutionObserver, @unchecked Sendable {
  // Unchecked: what is seen and found is locked, and everything else is changed only by the task that verifies.
  private let registry: Registry
  private let registrations: [(definition: Definition, info: RegistrationInfo)]
  private let isLeftOut: (RegistrationInfo) -> Bool
  private let arguments: (RegistrationInfo) -> Any?

  /// The identity of the executor that waits for all of this, if it cannot be used meanwhile.
  private let blocked: UInt?

  /// The copy of the moment: after a resolve that could not be left, a new one.
  private var sandbox: DIContainer

  /// Who wants to know what happens in the container that is checked.
  private let observers: [any ResolutionObserver]

  /// How many seconds something may take once a failure has been left.
  @TaskLocal
  static var patience = 300

  private let patience = Verification.patience

  /// Where the factory of one registration has asked for what another one answers, by the identities of both.
  private let seen = Locked<[[ObjectIdentifier]: Dependence]>([:])

  /// The definitions are kept alive, so that their identities remain their own.
  private typealias Dependence = (asker: Definition, answer: Definition, location: SourceLocation)

  private let findings = Locked(Findings())

  private struct Findings {
    var failures: [ResolutionError] = []
    var mistakes: Set<String> = []

    /// What still has to be checked, beginning with what is just being checked.
    var rest: ArraySlice<RegistrationInfo> = []

    /// Threads that cannot be left and stand by, by the identities of their executors; 0 is that of no actor.
    var standIns: [UInt: SandboxExecutor] = [:]

    /// Where they failed.
    var places: [SourceLocation] = []

    /// Where the registration that is just being checked is resolved.
    var executor: SandboxExecutor?

    /// What has come to no end.
    var unchecked: [RegistrationInfo] = []

    /// Whether somebody looks whether the check goes on.
    var isWatched = false

    var isOver = false
  }

  init(
    of container: DIContainer, blocked: UInt?, except isLeftOut: @escaping (RegistrationInfo) -> Bool,
    arguments: @escaping (RegistrationInfo) -> Any?
  ) {
    registrations = container.registrationsWithDefinitions()
    registry = container.merged()
    observers = container.observers
    sandbox = DIContainer(registry: registry)
    self.blocked = blocked
    self.isLeftOut = isLeftOut
    self.arguments = arguments
  }

  @concurrent
  func run(_ records: [Registry.Record]) async {
    let infos = Dictionary(
      registrations.map { (ObjectIdentifier($0.definition), $0.info) }, uniquingKeysWith: { first, _ in first })
    let checked = records.compactMap { record in infos[ObjectIdentifier(record.definition)].map { (record, $0) } }
      .filter { !isLeftOut($0.1) }
    findings.withLock { $0.rest = checked.map(\.1)[...] }
    sandbox.addObserver(self)
    for (record, info) in checked {
      if Task.isCancelled { break }
      // What fails then may do so because it is cancelled.
      if let failure = await failure(of: record, info), !Task.isCancelled { add(failure) }
      findings.withLock { _ = $0.rest.popFirst() }
    }
    sandbox.removeObserver(self)
    conclude(isCancelled: Task.isCancelled)
  }

  package func didResolve(_ event: ResolutionEvent) {
    guard let asker = event.asker, let answer = event.definition else { return }
    let identities = [ObjectIdentifier(asker), ObjectIdentifier(answer)]
    seen.withLock { if $0[identities] == nil { $0[identities] = (asker, answer, event.location) } }
  }

  /// Lets it be known which test ends with the process.
  package func willTrap(_ error: ResolutionError) {
    for observer in observers { observer.willTrap(error) }
  }

  // MARK: What was found

  var error: VerificationError? {
    let (nodes, edges) = picture()
    let failures = findings.withLock { $0.failures } + captives(nodes, edges)
    let unchecked = findings.withLock { $0.unchecked }
    return failures.isEmpty ? nil : VerificationError(failures: failures, count: nodes.count, unchecked: unchecked)
  }

  var graph: DependencyGraph {
    let (nodes, edges) = picture()
    return DependencyGraph(registrations: nodes.map(\.info), edges: edges.map(\.edge))
  }

  private typealias Node = (definition: Definition, info: RegistrationInfo)
  private typealias Edge = (edge: DependencyGraph.Edge, location: SourceLocation)

  /// The registrations, then what was declared and is registered only now, and what depends on what among them.
  private func picture() -> (nodes: [Node], edges: [Edge]) {
    let dependences = seen.withLock { Array($0.values) }
    var indices: [ObjectIdentifier: Int] = [:]
    for (index, node) in registrations.enumerated() { indices[ObjectIdentifier(node.definition)] = index }
    var declared: [ObjectIdentifier: Node] = [:]
    for definition in dependences.flatMap({ [$0.asker, $0.answer] })
    where definition.isDeclared && indices[ObjectIdentifier(definition)] == nil {
      declared[ObjectIdentifier(definition)] = (definition, RegistrationInfo(definition))
    }
    let nodes = registrations + declared.values.sorted { "\($0.info)" < "\($1.info)" }
    for (index, node) in nodes.enumerated() { indices[ObjectIdentifier(node.definition)] = index }
    let edges = dependences.compactMap { dependence -> Edge? in
      // The registration of a type that was registered on the way is in no list.
      guard let from = indices[ObjectIdentifier(dependence.asker)],
        let to = indices[ObjectIdentifier(dependence.answer)]
      else { return nil }
      return (DependencyGraph.Edge(from: from, to: to), dependence.location)
    }
    return (nodes, edges.sorted { ($0.edge.from, $0.edge.to) < ($1.edge.from, $1.edge.to) })
  }

  /// Adds a failure, unless it is the same mistake as one before.
  private func add(_ failure: ResolutionError) {
    let type = displayName(failure.type, failure.name)
    // Some are the registration's own, wherever it is asked for.
    let isOwn = [.factoryFailed, .aliasMismatch, .notAnObject].contains(failure.code)
    let place = "\(failure.registration?.description ?? "") \(isOwn ? "" : failure.location.description)"
    let what = failure.code == .cycle ? circle(in: failure.path) : "\(type) \(place)"
    findings.withLock { findings in
      if findings.mistakes.insert("\(failure.code) \(what)").inserted { findings.failures.append(failure) }
    }
  }

  /// The names in a circle, the same wherever it was entered.
  private func circle(in path: [String]) -> String {
    guard let last = path.last, let first = path.firstIndex(of: last) else { return "" }
    return Set(path[first...]).sorted().joined(separator: " ")
  }

  // MARK: Failures that cannot be left

  /// The threads that cannot be left, by the identities of their executors.
  var standIns: [UInt: SandboxExecutor] { findings.withLock { $0.standIns } }

  /// What the calling thread, which cannot be left, does until everything has been checked.
  ///
  /// What is isolated to its actor can be created nowhere else. A failure that cannot be left can be thrown to nobody, so
  /// that the process has to end. It does with everything that is found.
  ///
  /// - Returns: What to work for; nil if the check is over.
  func standIn(after error: ResolutionError) -> SandboxExecutor? {
    add(error)
    let executor = ExecutorCheck.current ?? 0
    let standIn = findings.withLock { findings -> SandboxExecutor? in
      if findings.isOver { return nil }
      let standIn = findings.standIns[executor] ?? SandboxExecutor(isRunning: true)
      findings.standIns[executor] = standIn
      let place = error.location
      if !findings.places.contains(where: { "\($0)" == "\(place)" }) { findings.places.append(place) }
      return standIn
    }
    didLoseThread()
    return standIn
  }

  /// Takes care that the check comes to an end, although others may wait for what a thread had that does not go on: a
  /// lock, or its actor.
  func didLoseThread() {
    let isWatched = findings.withLock { findings in
      defer { findings.isWatched = true }
      return findings.isWatched
    }
    if !isWatched { SystemThread.start { self.watch() } }
  }

  private func watch() {
    var (rest, seconds, isOver) = (0, 0, false)
    while !isOver {
      SystemThread.sleep(milliseconds: 1000)
      let executor = findings.withLock { findings -> SandboxExecutor? in
        isOver = findings.isOver
        (rest, seconds) = (findings.rest.count, findings.rest.count == rest ? seconds + 1 : 0)
        let limit = findings.places.isEmpty ? patience : 10
        // The limit may have become shorter meanwhile.
        guard seconds >= limit, let waiting = findings.rest.first else { return nil }
        seconds = 0
        findings.unchecked.append(waiting)
        return findings.executor
      }
      executor?.end((nil, true))
    }
  }

  /// Ends the check, and the process if there are threads that cannot be left.
  func conclude(isCancelled: Bool = false) {
    let (places, wasOver) = findings.withLock { findings in
      defer { findings.isOver = true }
      if !isCancelled { findings.unchecked += findings.rest }
      return (findings.places, findings.isOver)
    }
    guard let place = places.first else { return }
    // Somebody else is just saying it.
    if wasOver { SystemThread.sleep() }
    fatalError(
      """
      \(error.map { "\($0)\n" } ?? "")This ends the process, because `resolve()` does not throw, and fails on a thread \
      that cannot be left at \(places.map(\.description).joined(separator: ", ")).
      Use `try resolve.tryResolve()` there, which throws.
      """, file: place.file, line: place.line)
  }

  // MARK: Finding it

  /// Why what a record stands for cannot be resolved, if it cannot.
  private func failure(of record: Registry.Record, _ info: RegistrationInfo) async -> ResolutionError? {
    let definition = record.definition
    func box<Value>(_ value: Value) -> Box { Box(value) }
    // As an optional, so that a registration of an optional is meant itself, and not what it wraps; and what a factory
    // takes away again is none to check.
    func optional<Value>(_: Value.Type) -> Any.Type { Value?.self }
    let isDeclared = definition.label.declaration != nil
    let asked = isDeclared ? record.type : _openExistential(record.type, do: optional)
    var request = Request(asked, definition.label, definition.location)
    if definition.arguments != nil {
      guard let passed = arguments(info) else {
        return request.wrongArguments(
          definition,
          notes: ["return them from the closure that is passed as `arguments:`, or leave the registration out"])
      }
      request = request.passing(_openExistential(passed, do: box))
    }
    func resolve<Value>(_: Value.Type) -> @Sendable () async throws -> Void {
      { [sandbox, request] in let _: Value = try await sandbox.answerAsync(request) }
    }
    let executor = SandboxExecutor(for: self, blocked: blocked)
    findings.withLock { $0.executor = executor }
    let outcome = await executor.outcome(of: _openExistential(asked, do: resolve))
    if outcome.isLost {
      sandbox.removeObserver(self)
      sandbox = DIContainer(registry: registry)
      sandbox.addObserver(self)
    }
    return outcome.error
  }

  /// Where one that is kept holds one that is not to be kept as long.
  private func captives(_ nodes: [Node], _ edges: [Edge]) -> [ResolutionError] {
    edges.compactMap { edge, location in
      let (asker, answer) = (nodes[edge.from], nodes[edge.to])
      if isLeftOut(asker.info) || isLeftOut(answer.info) { return nil }
      return captivity(of: answer.definition, in: asker.definition, location)
    }
  }

  private func captivity(
    of answer: Definition, in asker: Definition, _ location: SourceLocation
  ) -> ResolutionError? {
    let isShorter =
      switch answer.kind {
      case .new, .perGraph: true
      case .scoped: answer.lifetime != asker.lifetime
      case .shared, .weak: false
      }
    guard asker.lifetime.isKept, asker !== answer, isShorter else { return nil }
    let (holder, held) = (displayName(asker.type, asker.label.name), displayName(answer.type, answer.label.name))
    return ResolutionError(
      .init(
        code: .captiveDependency, type: answer.type, name: answer.label.name,
        summary: "'\(holder)' is \(asker.lifetime) and keeps '\(held)', which is \(answer.lifetime).",
        path: [holder, held], location: location, registration: answer.location,
        notes: [
          "let \(holder) resolve it when it needs one, "
            + "or give \(holder) a lifetime that is no longer than that of \(held)"
        ]))
  }
}
