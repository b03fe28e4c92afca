/// A check that resolves the registrations of a copy of a container one by one, and collects problems and dependencies.
///
/// The copy has the registrations and none of the instances. The instances that are created in it are released with it.
/// A synchronous factory that is isolated to no actor runs on a thread of its own, because a `resolve` that cannot
/// succeed has no way to return. Such a thread is abandoned, and the check continues without it. Every other factory
/// runs as it does in an app: such a `resolve` ends the process, with all problems found until then.
final class Verification: ResolutionObserver {
  private let sandbox: DIContainer
  private let registrations: [Node]
  private let isLeftOut: @Sendable (RegistrationInfo) -> Bool
  private let arguments: @Sendable (RegistrationInfo) -> Any?

  /// The registrations of the container and its ancestors, including those that a descendant hides.
  private let known: Set<ObjectIdentifier>

  /// The observers of the original container.
  private let observers: [any ResolutionObserver]

  /// The locations at which one registration's factory requested another registration, by the identities of both.
  private let seen = Locked<[[ObjectIdentifier]: Dependence]>([:])

  /// A dependency of one registration on another.
  ///
  /// It keeps the definitions alive, so that their identities stay unique.
  private typealias Dependence = (requester: Definition, answer: Definition, location: CodeLocation)

  private let findings = Locked<Findings>(([], [], nil, false))

  /// What the check found, the failure for which it last abandoned a thread, and whether it is over.
  private typealias Findings = (
    failures: [ResolutionError], mistakes: Set<String>, abandonment: ResolutionError?, isOver: Bool
  )

  /// The time that a factory has to return, once a thread that may hold a lock was abandoned.
  private let limit: Duration

  init(
    of container: DIContainer, limit: Duration = .seconds(60),
    except isLeftOut: @escaping @Sendable (RegistrationInfo) -> Bool,
    arguments: @escaping @Sendable (RegistrationInfo) -> Any?
  ) {
    registrations = container.registry.visibleDefinitions
    known = Set(container.registry.allRegistrations.flatMap { $0.all.map { ObjectIdentifier($0.definition.root) } })
    observers = container.registry.observers
    sandbox = DIContainer(copying: container.registry, withObservers: false)
    self.limit = limit
    self.isLeftOut = isLeftOut
    self.arguments = arguments
  }

  @concurrent
  func run() async {
    sandbox.addObserver(self)
    for (definition, info) in registrations {
      if isLeftOut(info) { continue }
      // A decorator may wrap it under its own type alone.
      let own = sandbox.registry.answer(to: definition.key, definition.label)?.definition
      let isOwnDecorated = own.map { $0.isDecoration && $0.root === definition } ?? false
      let types = info.aliases + (info.aliases.isEmpty || isOwnDecorated ? [info.type] : [])
      for type in types where !Task.isCancelled && !isOver { await check(definition, as: type, info) }
    }
    // While the sandbox is current, because a `deinit` may resolve.
    DIContainer.withCurrent(sandbox) { sandbox.end() }
    sandbox.removeObserver(self)
    findings.withLock { $0.isOver = true }
  }

  /// A Boolean value that indicates whether the check has ended; work that its factories started may still continue.
  private var isOver: Bool { findings.withLock { $0.isOver } }

  func didResolve(_ event: ResolutionEvent, for requester: Definition?, from answer: Definition?) {
    guard let requester, let answer else { return }
    let identities = [ObjectIdentifier(requester), ObjectIdentifier(answer)]
    seen.withLock { if $0[identities] == nil { $0[identities] = (requester, answer, event.location) } }
  }

  /// Informs the observers of the original container, so that a test knows that the check ends the process, and then
  /// ends it.
  ///
  /// It ends the process even if a thread of a factory does not have the check's handler.
  func willTrap(_ error: ResolutionError) {
    for observer in observers { observer.willTrap(error) }
    endProcess(with: error)
  }

  // MARK: What was found

  var error: VerificationError? {
    let (nodes, edges) = nodesAndEdges()
    // Dependencies with a shorter lifetime than the instance that keeps them.
    let captives = edges.compactMap { edge, location -> ResolutionError? in
      let (requester, answer) = (nodes[edge.from], nodes[edge.to])
      if isLeftOut(requester.info) || isLeftOut(answer.info) { return nil }
      return captivity(of: answer.definition, in: requester.definition, location)
    }
    let failures = findings.withLock { $0.failures } + captives
    return failures.isEmpty ? nil : VerificationError(failures: failures, count: nodes.count)
  }

  var graph: DependencyGraph {
    let (nodes, edges) = nodesAndEdges()
    return DependencyGraph(registrations: nodes.map(\.info), edges: edges.map(\.edge))
  }

  private typealias Node = (definition: Definition, info: RegistrationInfo)
  private typealias Edge = (edge: DependencyGraph.Edge, location: CodeLocation)

  /// Returns the registrations and their edges.
  ///
  /// What only a request found comes last: a declared dependency, or a registration that a descendant hides.
  private func nodesAndEdges() -> (nodes: [Node], edges: [Edge]) {
    let dependences = seen.withLock { Array($0.values) }
    var found = Set(registrations.map { ObjectIdentifier($0.definition) })
    var others: [Node] = []
    for definition in dependences.flatMap({ [$0.requester, $0.answer] }) {
      let identity = ObjectIdentifier(definition)
      guard definition.isDeclared || known.contains(identity), found.insert(identity).inserted else { continue }
      others.append((definition, RegistrationInfo(definition, as: definition.types)))
    }
    let nodes = registrations + others.sortedUnspecialized { "\($0.info)" < "\($1.info)" }
    let indices = Dictionary(uniqueKeysWithValues: zip(nodes.map { ObjectIdentifier($0.definition) }, nodes.indices))
    var edges: [Edge] = []
    for (requester, answer, location) in dependences {
      // A registration that was made during the check is not in the list.
      if let from = indices[ObjectIdentifier(requester)], let to = indices[ObjectIdentifier(answer)] {
        edges.append((DependencyGraph.Edge(from: from, to: to), location))
      }
    }
    return (nodes, edges.sortedUnspecialized { ($0.edge.from, $0.edge.to) < ($1.edge.from, $1.edge.to) })
  }

  /// Adds a failure, unless it follows from a mistake that was found before.
  private func add(_ failure: ResolutionError, of definition: Definition?) {
    // These failures are about one type of a registration, and all others about the registration, whichever type is
    // requested.
    let isOfType = [.aliasMismatch, .optionalRegistration].contains(failure.code)
    let type = displayName((isOfType ? nil : failure.registeredType) ?? failure.type, failure.name)
    // These failures belong to the registration, wherever it is requested.
    let isOwn = [.factoryFailed, .aliasMismatch, .notAnObject].contains(failure.code)
    let registration = failure.registration?.description ?? ""
    let place = "\(registration) \(isOwn ? "" : failure.location.description)"
    let what = failure.code == .cycle ? failure.cycle : "\(type) \(place)"
    let isOfAbsent = [.asynchronous, .wrongActor].contains(failure.code)
    findings.withLock { findings in
      // The instance would exist if its own creation had not failed. What ends the process is listed in any case.
      let isConsequence = isOfAbsent && definition != nil && findings.mistakes.contains("\(type) \(registration)")
      if let definition, definition.isKept {
        // If an asynchronous decorator wraps the instance, the decorator is absent, too.
        for layer in definition.layers {
          findings.mistakes.insert("\(displayName(layer.type, layer.label.name)) \(layer.location)")
        }
      }
      if isConsequence { return }
      if findings.mistakes.insert("\(failure.code) \(what)").inserted { findings.failures.append(failure) }
    }
  }

  // MARK: Resolving

  /// Resolves a type of a registration, and adds the failure, if there is one.
  private func check(_ definition: Definition, as type: Any.Type, _ info: RegistrationInfo) async {
    func box<Value>(_ value: Value) -> Box { Box(value) }
    var request = Request(type, definition.label, definition.location, from: sandbox.resolver)
    if let error = request.optionalRegistration(definition) { return add(error, of: definition) }
    let answer = request.answer
    let answering = answer?.definition ?? definition
    if definition.takesArguments {
      guard let passed = arguments(info) else {
        let note =
          "pass them: `arguments: { $0.type == \(sourceName(definition.type, ".self")) ? … : nil }`, "
          + "or leave the type out with `except:`"
        return add(request.wrongArguments(definition, note: note), of: answering)
      }
      request = request.passing(_openExistential(passed, do: box))
    }
    let mayHop = answer.map { request.isAwaited($0) || $0.definition.isolation != nil } ?? false
    do {
      if mayHop {
        let trap: Resolver.TrapHandler = { [self] in if $1 { endProcess(with: $0) } }
        try await awaitResolution { [self, request] attempt in
          Task {
            do {
              try await Resolver.$trapHandlers.withValue([trap]) {
                // An instance is released while the sandbox is current, because its `deinit` may resolve.
                try await DIContainer.withCurrent(sandbox) { _ = try await request.resolveAsync() }
              }
              attempt.end(.success(Box(())))
            } catch {
              attempt.end(.failure(error))
            }
          }
        }
      } else {
        // The thread, which may be abandoned, does not keep the container that is current here.
        request.context = nil
        try await awaitResolution { [request] attempt in
          startThread(ending: attempt) {
            // Nothing else keeps the arguments.
            defer { withExtendedLifetime(request) {} }
            try DIContainer.withCurrent(self.sandbox) { _ = try Box(type) { try request.resolve(into: $0) } }
          }
          return nil
        }
      }
    } catch CreationError.timeout {
      // What the factory began never ends, and whatever needs that would take as long.
      let abandonment = findings.withLock { findings in
        findings.isOver = true
        return findings.abandonment
      }
      add(request.timeout(definition, limit, after: abandonment), of: answering)
    } catch {
      // A failure after a cancellation may be caused by it, and a registration that a factory removed in the meantime is
      // not a failure.
      guard let failure = error as? ResolutionError, !Task.isCancelled,
        failure.code != .missingRegistration || request.answer != nil
      else { return }
      add(failure, of: answering)
    }
  }

  /// Runs a resolution until it returns, its thread is abandoned, or the current task is canceled; but no longer than
  /// the limit, if it may be waiting for an abandoned thread.
  ///
  /// - Parameter start: A closure that starts the resolution, which ends the attempt, and returns its task, if it has
  ///   one.
  /// - Throws: The error of the resolution, `CreationError.timeout`, or a `CancellationError`.
  private func awaitResolution(_ start: (_ attempt: Creation) -> Task<Void, Never>?) async throws {
    try Task.checkCancellation()
    // The current task waits for the attempt from the beginning. The attempt belongs to the shared container, so that
    // its thread does not keep the sandbox.
    let attempt = Creation(nil, as: Void.self, for: .shared, in: nil, isAsync: true)
    let limit = findings.withLock { $0.abandonment == nil } ? nil : limit
    let timer = limit.map { limit in
      Task {
        try await Task.sleep(for: limit)
        attempt.end(.failure(CreationError.timeout))
      }
    }
    defer { timer?.cancel() }
    let task = start(attempt)
    do {
      _ = try await attempt.waitAsStarter(of: task)
    } catch {
      // Awaited, because the task then lets go of the sandbox, unless an abandoned thread may block it for good.
      if limit == nil || error is ResolutionError { await task?.value } else { task?.cancel() }
      throw error
    }
  }

  /// Starts a thread that runs a resolution and ends an attempt.
  private func startThread(ending attempt: Creation, _ resolve: @escaping @Sendable () throws -> Void) {
    let work: @Sendable () -> Creation.Outcome = { [self] in
      let thread = ThreadState.current
      let leave: Resolver.TrapHandler = { [self] error, haveObserversLearned in
        if haveObserversLearned { return endProcess(with: error) }
        // A task that the factory started runs elsewhere.
        if ThreadState.current !== thread { return }
        // The thread stays suspended, with everything on its stack, because no other code needs it.
        thread.abandonCreations()
        _ = findings.withLock { exchange(&$0.abandonment, with: error) }
        attempt.end(.failure(error))
        CLibrary.suspendThread()
      }
      return Result { try Resolver.$trapHandlers.withValue([leave], operation: resolve) }.map { nil }
    }
    // The thread lets go of the closure, and so of the sandbox, before the check learns that it has returned.
    let pending = Locked(Optional(work))
    // Not in a task, which would keep the current container for a moment after the check.
    CLibrary.startThread {
      let outcome = pending.withLock { $0.take() }?()
      attempt.end(outcome ?? .success(nil))
    }
  }

  /// Ends the process with all problems that the check found, unless the check has ended.
  private func endProcess(with failure: ResolutionError) {
    if isOver { return }
    add(failure, of: nil)
    fatalError(
      """
      \(error.map { "\($0)" } ?? "")
      This ends the process, and the check with it: neither `resolve()` nor `@Inject` can throw.
      Use `try resolve.tryResolve()` in the factory, or let `autowire:` pass the dependency to an initializer that does not
      await, instead of the code at \(failure.location).
      """, file: failure.location.file, line: failure.location.line)
  }

  private func captivity(
    of answer: Definition, in requester: Definition, _ location: CodeLocation
  ) -> ResolutionError? {
    let isShorter =
      switch answer.lifetime {
      case .new, .perGraph: true
      case .scoped: answer.lifetime != requester.lifetime
      case .shared, .weak: false
      }
    guard requester.isKept, isShorter else { return nil }
    let (holder, held) = (
      displayName(requester.type, requester.label.name), displayName(answer.type, answer.label.name)
    )
    return ResolutionError(
      (
        code: .captiveDependency, type: answer.type, name: answer.label.name,
        summary: "'\(holder)' is \(requester.lifetime) and keeps '\(held)', which is \(answer.lifetime).",
        path: [holder, held], location: location, registration: (answer.type, answer.location),
        cycle: "",
        notes: [
          "let \(holder) resolve it each time it needs one, "
            + (answer.label.declaration != nil ? "by calling the dependency" : "with `DIContainer.resolve`")
            + (answer.lifetime == .scoped(in: .container)
              ? ", because a resolver or a `@LazyInject` in it asks the container of \(holder); or give \(holder) "
                + "the lifetime `Scoped(in: .container)`, too"
              : ", or give both the same lifetime")
        ], underlyingError: nil
      ))
  }
}
