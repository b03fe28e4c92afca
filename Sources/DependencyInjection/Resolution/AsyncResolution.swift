// The steps of an asynchronous resolution. A kept instance is created once, by a task of its own if its factory is
// asynchronous. The tasks that request the instance wait without blocking a thread.

extension Request {
  /// Resolves the request, and waits for instances that have to be created asynchronously or on another actor.
  func resolveAsync() async throws -> Box {
    // Nothing else keeps the arguments.
    defer { withExtendedLifetime(self) {} }
    while let answer {
      do {
        if let (box, isCreated) = try await obtainAsync(answer) {
          report(answer, isCreated: isCreated)
          return optional?.wrap(box) ?? box
        }
      } catch let error as ResolutionError where error.isOutdated {
      } catch {
        // A canceled request is not a failure.
        if !Task.isCancelled { report(answer, isCreated: nil) }
        throw error
      }
      try Task.checkCancellation()
    }
    report(nil, isCreated: nil)
    return try missing()
  }

  /// Obtains the instance of a registration according to its lifetime.
  ///
  /// - Returns: The instance as the type of the key, and whether it was created; nil if the registration is out of date.
  /// - Throws: The failure of its creation, or a `CancellationError`.
  private func obtainAsync(_ answer: Answer) async throws -> (box: Box, isCreated: Bool)? {
    let isAsync = isAwaited(answer)
    do {
      return try await obtainAsync(answer, isAsync: isAsync)
    } catch let error as ResolutionError
      where !isAsync && [.asynchronous, .wrongActor].contains(error.code) && isAwaited(answer, evenIfPresent: true)
    {
      // The instance was reset in the meantime, and has to be awaited, even if it exists again by now.
      return try await obtainAsync(answer, isAsync: true)
    }
  }

  private func obtainAsync(_ answer: Answer, isAsync: Bool) async throws -> (box: Box, isCreated: Bool)? {
    let definition = answer.definition
    // The factory of an actor is called on that actor, and the decision to call it is made there, too. Otherwise, a
    // thread of the actor could wait forever for a creation that still has to get to the actor.
    let actor = isAsync ? nil : missingActor(of: definition)
    guard let keeper = keeper(of: definition) else {
      if isAsync { return (try await createAsync(answer), true) }
      if let actor { return try await obtain(answer, on: actor) }
      return try obtain(answer)
    }
    let isCreatable = actor == nil && !(isAsync && Task.isCancelled) && hasArguments(for: definition)
    var own: Creation?
    guard let (record, step) = try step(toward: answer, keeper, &own, isCreatable: isCreatable, isAsync: isAsync) else {
      return nil
    }
    do {
      switch step {
      case .found, .foundWeak: return try existing(step, answer, record).map { ($0, false) }
      case .wait(let other):
        if other.isAround(creation) { throw cycle(definition) }
        return try await other.wait(in: creation).map {
          (try view(of: $0, answer, record), start != nil && other.takeOverReport())
        }
      case .missing:
        guard let own else {
          if let actor { return try await obtain(answer, on: actor) }
          _ = try withArguments(for: definition)
          return nil
        }
        if !isAsync { return (try create(own, answer, record), true) }
        // In a context of its own, because the requester's context keeps its container alive.
        var request = self
        let context = Context(own.registry, in: own, observedBy: context?.observation)
        request.context = context
        let task = context.run { [request] in Task { await request.createInTask(own, answer, record) } }
        let instance = try await own.waitAsStarter(of: task)
        return try instance.map { (try view(of: $0, answer, record), true) }
      }
    } catch CreationError.cycle(let entries) {
      throw cycle(definition, entries, across: "tasks")
    }
  }

  /// Returns a Boolean value that indicates whether the factory has to be awaited, or anything that it resolves: the
  /// parameters of an initializer, or what a decorator wraps.
  ///
  /// - Parameters:
  ///   - answer: The registration.
  ///   - evenIfPresent: A Boolean value that indicates whether an instance that exists counts as missing.
  /// - Returns: True if a task has to create the instance.
  func isAwaited(_ answer: Answer, evenIfPresent: Bool = false) -> Bool {
    if answer.definition.asyncForm?.isOnly != false { return answer.definition.isAsync }
    // A loop, which visits each registration once, however many paths lead to it, and needs no call for each step of a
    // path.
    var (found, index) = ([(answer: answer, request: self)], 0)
    while index < found.count {
      let (answer, request) = found[index]
      let definition = answer.definition
      index += 1
      if definition.isAsync { return true }
      guard let asyncForm = definition.asyncForm else { continue }
      let resolver = Resolver(request.container(of: answer), in: nil)
      var needed = asyncForm.parameters.compactMap { type -> (answer: Answer, request: Request)? in
        let request = Request(type, .none, definition.location, from: resolver)
        return request.answer.map { ($0, request) }
      }
      if definition.decoration != nil {
        // If what it wraps has just been replaced, the creation finds that out, and the request searches again.
        if let inner = try? request.inner(of: answer, for: resolver) { needed.append(inner) }
      }
      for (answer, request) in needed {
        let mayExist = !evenIfPresent && answer.definition.argumentList == nil
        let keeper = mayExist ? request.keeper(of: answer.definition) : nil
        switch keeper.flatMap({ request.container(of: answer).step(answer, [], $0, nil)?.next }) {
        case .found, .foundWeak: continue
        default: break
        }
        // What another actor creates is awaited, too.
        if let isolation = answer.definition.isolation, isolation !== definition.isolation { return true }
        let isKnown = found.contains {
          $0.answer.definition === answer.definition && $0.answer.owner === answer.owner
            && $0.request.registry === request.registry
        }
        if !isKnown { found.append((answer, request)) }
      }
    }
    return false
  }

  /// Obtains the instance of a synchronous factory on the actor to which the factory is isolated.
  private func obtain(
    _ answer: Answer, on actor: isolated any Actor
  ) async throws(ResolutionError) -> (box: Box, isCreated: Bool)? {
    Task.isCancelled ? nil : try obtain(answer)
  }

  // MARK: Creating

  /// Calls an asynchronous factory for an instance that is kept, in a task of its own.
  @concurrent
  private func createInTask(_ own: Creation, _ answer: Answer, _ record: Record?) async {
    // Nothing else keeps the arguments.
    defer { withExtendedLifetime(self) {} }
    do {
      let box = try await createBox(answer, own)
      // If it is canceled, a factory may return something in place of what it could not finish. The cancellation may
      // also have come while the task waited for the actor.
      try Task.checkCancellation()
      try keep(box, own, answer, record)
    } catch {
      fail(own, answer, record, error)
    }
  }

  /// Calls an asynchronous factory for an instance that nothing keeps.
  private func createAsync(_ answer: Answer) async throws -> Box {
    let definition = answer.definition
    // Nobody waits for it, but it is on the path.
    let own = Creation(definition, as: type, for: registry, in: creation, isFactoryAsync: true)
    defer { own.end() }
    let context = Context(registry, in: own, observedBy: context?.observation)
    let box = try await context.run(isolation: nil) { try await createBox(answer, own) }
    return try view(of: box, definition)
  }

  /// Converts a new instance to its aliases on the actor of its factory.
  private func convert(
    _ box: Box, of definition: Definition, for resolver: Resolver, on actor: isolated (any Actor)?
  ) async throws(ResolutionError) {
    try convert(box, of: definition, for: resolver)
  }

  /// Calls an asynchronous factory in the current task, which runs in the context of the creation, and converts the new
  /// instance to its aliases.
  private func createBox(_ answer: Answer, _ own: Creation) async throws -> Box {
    let definition = answer.definition
    guard let create = definition.asyncForm?.create else { preconditionFailure("The factory is synchronous.") }
    if own.closesCycle { throw cycle(definition) }
    if own.depth >= Frame.maximumDepth { throw tooDeep(definition) }
    let resolver = Resolver(own.registry, in: own)
    let request = try withArguments(for: definition)
    defer { withExtendedLifetime(request) {} }
    do {
      if definition.decoration == nil {
        let box = try await create(resolver, request.arguments)
        try await convert(box, of: definition, for: resolver, on: definition.hasOneKey ? nil : definition.isolation)
        return box
      }
      // The factory of a decorator takes the instance as its argument.
      let inner = try request.inner(of: answer, for: resolver)
      guard let (wrapped, _) = try await inner.request.obtainAsync(inner.answer) else { throw outdated() }
      defer { withExtendedLifetime(wrapped) {} }
      return try await create(resolver, Arguments(wrapped))
    } catch {
      // A `CancellationError` that the factory throws although nobody canceled the task, such as a timeout of its own,
      // is a failure.
      throw error is CancellationError && Task.isCancelled ? error : request.failure(error, definition)
    }
  }
}
