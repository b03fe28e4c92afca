// The steps of an asynchronous resolution. A kept instance is created once, by a task of its own if its factory is
// asynchronous. The tasks that request the instance wait without blocking a thread.

extension Request {
  /// Resolves the request, and waits for instances that have to be created asynchronously or on another actor.
  func resolveAsync() async throws -> Box {
    let found = try await obtainAsync()
    if let optional {
      guard let found else { return optional.none }
      if optional.hasLayoutOfWrapped { registry.redirect(Key(requestedType, label), to: key) }
      return optional.wrap(found)
    }
    guard let found else { throw missingRegistration() }
    return found
  }

  private func obtainAsync() async throws -> Box? {
    var isCreated = false
    while let answer {
      do {
        if let box = try await obtainAsync(answer, &isCreated) {
          report(answer, isCreated ? .created : .reused)
          return box
        }
      } catch let error as ResolutionError where error.code == .outdated {
        isCreated = false
      } catch {
        // A canceled request is not a failure.
        if !Task.isCancelled { report(answer, .failed) }
        throw error
      }
      if !isCreated { try Task.checkCancellation() }
    }
    report(nil, .failed)
    return nil
  }

  /// Obtains the instance of a registration according to its lifetime.
  ///
  /// - Parameters:
  ///   - answer: The registration.
  ///   - isCreated: Set to true once this request has created the instance.
  /// - Returns: The instance as the type of the key; nil if the caller has to search again.
  /// - Throws: The failure of its creation, or a `CancellationError`.
  private func obtainAsync(_ answer: Answer, _ isCreated: inout Bool) async throws -> Box? {
    let definition = answer.definition
    guard let keeper = keeper(of: answer) else {
      isCreated = true
      return try await createAsync(answer)
    }
    guard let place = keeper.place(of: answer, self) else { return nil }
    // The factory of an actor is called there, and whether to call it is decided there, too: a thread of the actor that waited
    // for a creation that still has to get there would wait forever.
    let actor = definition.isAsync ? nil : definition.isolation.flatMap { ExecutorCheck.isIsolated(to: $0) ? nil : $0 }
    var step = Step.outdated
    let copied = try? Box(definition.type) { memory throws(NotCopied) in
      step = keeper.step(definition, at: place, into: definition.isPublished ? memory : nil) {
        actor != nil || Task.isCancelled && definition.isAsync
          ? nil
          : Creation(
            definition, as: type, for: keeper.registry, askedBy: registry, in: creation, isAsync: definition.isAsync,
            beginsGraph: definition.isAsync)
      }
      guard case .copied = step else { throw NotCopied() }
    }
    switch step {
    case .copied: return copied
    case .found(let kept, let object):
      return try view(of: alive(kept, object), answer, at: place, keeper)
    case .outdated: return nil
    case .blocked:
      if let actor { return try await obtainHere(answer, &isCreated, on: actor) }
      try Task.checkCancellation()
      return nil
    case .wait(let other):
      let instance = try await wait(for: other, definition, isStarter: false)
      return try instance.map { try view(of: $0, answer, at: place, keeper) }
    case .create(let own):
      isCreated = true
      if !definition.isAsync {
        return try Box(type) { memory throws(ResolutionError) in
          try create(own, answer, at: place, keeper, into: memory)
        }
      }
      own.start { await createInTask(own, answer, at: place, keeper) }
      let instance = try await wait(for: own, definition, isStarter: true)
      return try instance.map { try view(of: $0, answer, at: place, keeper) }
    }
  }

  /// Obtains the instance of a synchronous factory on the actor to which that is isolated; nil if it is out of date.
  private func obtainHere(
    _ answer: Answer, _ isCreated: inout Bool, on actor: isolated any Actor
  ) throws -> Box? {
    do {
      return try Box(type) { memory in
        guard let isNew = try obtain(answer, into: memory) else { throw NotCopied() }
        isCreated = isNew
      }
    } catch is NotCopied {
      return nil
    }
  }

  /// Obtains what a decorator wraps; nil if it is out of date.
  private func obtainInner(_ answer: Answer) async throws -> Box? {
    var isCreated = false
    if let box = try await obtainAsync(answer, &isCreated) { return box }
    // What this request has created is there now.
    return isCreated ? try await obtainAsync(answer, &isCreated) : nil
  }

  private func wait(for other: Creation, _ definition: Definition, isStarter: Bool) async throws -> Instance? {
    if !isStarter, other.isAround(creation) { throw cycle(definition) }
    do {
      return try await other.wait(in: creation, isStarter: isStarter)
    } catch let cycle as Creation.Cycle {
      throw self.cycle(definition, cycle.entries.map(\.name), across: "tasks")
    }
  }

  // MARK: Creating

  /// Creates an instance that is kept with an asynchronous factory, in a task of its own.
  @concurrent
  private func createInTask(_ own: Creation, _ answer: Answer, at place: RecordPlace, _ keeper: Keeper) async {
    do {
      let box = try await createBox(answer, Resolver(keeper.registry, in: own))
      let instance = Instance(answer.definition, box)
      if answer.definition.isPublished, case .cell = place {
        keeper.finish(own, at: place, .memory(box.memory))
        withExtendedLifetime(box) {}
      } else {
        try store(instance, own, at: place, keeper)
      }
    } catch {
      // The requesters that wait search again, too.
      let isOutdated = (error as? ResolutionError)?.code == .outdated
      keeper.finish(own, at: place, nil, isOutdated ? nil : error)
    }
  }

  /// Creates an instance that nothing keeps.
  private func createAsync(_ answer: Answer) async throws -> Box {
    let definition = answer.definition
    if !definition.isAsync {
      guard let actor = definition.isolation, !ExecutorCheck.isIsolated(to: actor) else {
        return try createHere(answer)
      }
      return try await createHere(answer, on: actor)
    }
    // Nobody waits for it, but it is on the path.
    let own = Creation(definition, as: type, for: registry, in: creation, beginsGraph: true)
    defer { own.end() }
    if own.closesCycle { throw cycle(definition) }
    if own.depth >= Int(ThreadState.maximumDepth) { throw tooDeep(definition) }
    let box = try await createBox(answer, Resolver(registry, in: own))
    guard let view = Instance(definition, box).view(at: key) else { throw aliasMismatch(box, definition) }
    return view
  }

  private func createHere(_ answer: Answer, on actor: isolated any Actor) async throws(ResolutionError) -> Box {
    try createHere(answer)
  }

  private func createHere(_ answer: Answer) throws(ResolutionError) -> Box {
    try Box(type) { memory throws(ResolutionError) in try createNew(answer, into: memory) }
  }

  /// Calls an asynchronous factory in the current task, with the container of the resolver as the current one.
  private func createBox(_ answer: Answer, _ resolver: Resolver) async throws -> Box {
    let definition = answer.definition
    guard let create = definition.factory.createAsync else { preconditionFailure("The factory is synchronous.") }
    let request = try converted(for: definition)
    defer { withExtendedLifetime(request) {} }
    do {
      return try await Context(resolver.registry, in: resolver.creation).run(concurrently: {
        if definition.decoration == nil { return try await create(resolver, request.arguments) }
        // The factory of a decorator takes the instance as its argument.
        let inner = try request.inner(of: answer, for: resolver)
        guard let wrapped = try await inner.request.obtainInner(inner.answer) else { throw outdated() }
        defer { withExtendedLifetime(wrapped) {} }
        return try await create(resolver, Arguments(wrapped))
      })
    } catch {
      // A `CancellationError` that the factory throws although nobody has canceled the task, such as a timeout of its
      // own, is a failure.
      throw error is CancellationError && Task.isCancelled ? error : request.failure(error, definition)
    }
  }
}

/// The reason why there is no box.
private struct NotCopied: Error {}
