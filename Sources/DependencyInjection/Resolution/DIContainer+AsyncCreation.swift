// Asynchronous creation. A kept instance is created once, by a task of its own. The tasks that request the instance
// wait for that task without blocking a thread.

extension DIContainer {
  /// Returns the instance of an asynchronous registration, created if needed; a kept one is created once for all tasks.
  ///
  /// - Returns: The instance, and whether this call created it; nil if the caller has to search again.
  func obtainInstance(
    of found: FoundRegistration, _ request: Request
  ) async throws -> ObtainedInstance? {
    let (definition, owner) = (found.definition, found.owner)
    switch definition.kind {
    case .new:
      let box = try await createBox(definition, request)
      return (Instance(definition: definition, box: box, dependencies: Dependencies(owner: nil)), true)
    case .perGraph:
      let (key, graph) = (graphKey(definition), Graph.current)
      if let instance = graph?.instance(key) { return (instance, false) }
      try Task.checkCancellation()
      let mine = TaskCreation(of: definition, for: self)
      return try await join(graph?.claim(key, mine) ?? mine, mine, definition, request) { [self] in
        defer { graph?.forget(key, mine) }
        let instance = try await createRecording(definition, request, mine)
        return graph?.keep(instance, key) ?? instance
      }
    case .shared, .weak, .scoped:
      if let instance = existingInstance(of: definition, from: owner) { return (instance, false) }
      try Task.checkCancellation()
      let mine = TaskCreation(of: definition, for: self)
      return try await join(claimCreation(mine, of: definition, from: owner), mine, definition, request) { [self] in
        defer { forget(mine, definition, from: owner) }
        guard begin(mine, definition, from: owner) else { return existingInstance(of: definition, from: owner) }
        return try keep(await createRecording(definition, request, mine), mine, owner, request)
      }
    }
  }

  /// Waits for the claimed creation, and starts it if it is `mine`; returns nil if the caller has to search again.
  private func join(
    _ claim: Creation?, _ mine: TaskCreation, _ definition: Definition, _ request: Request,
    _ create: @escaping @Sendable () async throws -> Instance?
  ) async throws -> ObtainedInstance? {
    guard let creation = claim as? TaskCreation else { return nil }
    if creation === mine { mine.run(create) }
    do {
      let instance = try await creation.value(isStarter: creation === mine)
      // An instance that was created for another container may depend on what this container overrides.
      return creation.container === self ? instance.map { ($0, creation === mine) } : nil
    } catch let cycle as TaskCreation.Cycle {
      throw request.cycle(definition, cycle.names, across: "tasks")
    } catch  where creation.container !== self && !(error is CancellationError) {
      return nil
    }
  }

  private func createRecording(
    _ definition: Definition, _ request: Request, _ creation: TaskCreation
  ) async throws -> Instance {
    let recorder = DependencyRecorder(of: self)
    let box = try await createBox(definition, request, creation, recorder)
    return Instance(definition: definition, box: box, dependencies: recorder.dependencies)
  }

  /// Calls an asynchronous factory in the current task.
  func createBox(
    _ definition: Definition, _ request: Request, _ creation: TaskCreation? = nil, _ recorder: DependencyRecorder? = nil
  ) async throws -> Box {
    let context = CreationContext(of: definition, for: request.type, in: self, creation, recorder)
    defer { context.end() }
    guard let create = definition.factory.createAsync else { preconditionFailure("The factory is synchronous.") }
    if context.isCycle { throw request.cycle(definition) }
    if context.depth > CreationContext.maximumDepth {
      throw request.endlessNesting(definition, "more than \(CreationContext.maximumDepth) other factories")
    }
    let request = try request.converted(for: definition, in: self)
    // The resolver is for an instance that a container may keep.
    let resolver = Resolver(self, for: context.recorder?.owner)
    do {
      return try await TaskContext(self, for: context).run {
        defer { withExtendedLifetime(request) {} }
        return try await create(resolver, request.arguments)
      }
    } catch {
      // A `CancellationError` that the factory throws although nobody has cancelled the task, such as a timeout of its
      // own, is a failure.
      throw error is CancellationError && Task.isCancelled ? error : request.failure(error, definition)
    }
  }
}
