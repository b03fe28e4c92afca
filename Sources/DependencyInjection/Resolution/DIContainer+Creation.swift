// The creation of an instance: its factory is called, once for a kept instance. The code around the call makes failures
// explain themselves.

extension DIContainer {
  /// Creates an instance of a registration with its synchronous factory.
  func create(_ definition: Definition, _ request: Request) throws(ResolutionError) -> Box {
    if definition.isAsync { throw request.asynchronous(definition) }
    if let isolation = definition.isolation, !ExecutorCheck.isIsolated(to: isolation) {
      throw request.wrongActor(isolation, definition)
    }
    let request = try request.converted(for: definition, in: self)
    // The request holds the converted arguments, which the factory reads through a pointer.
    defer { withExtendedLifetime(request) {} }
    let resolver = Resolver(self, for: DependencyRecorder.current?.owner)
    do {
      return try Box(definition.type) { memory in
        try call(definition, for: request.type, request.arguments, resolver, in: .now, into: memory)
      }
    } catch {
      throw request.failure(error, definition)
    }
  }

  /// Calls a synchronous factory, which takes exactly these arguments, with this container as the current one.
  @inline(__always)
  func call(
    _ definition: Definition, for type: Any.Type, _ arguments: Arguments, _ resolver: Resolver,
    in surroundings: Surroundings, into memory: InstanceMemory
  ) throws {
    try ThreadState.withCurrent { thread in
      try thread.run(definition, for: type, in: self) {
        if surroundings.isCurrent(self) {
          return try definition.factory.create(resolver, arguments, memory)
        }
        try Self.withCurrent(self) { try definition.factory.create(resolver, arguments, memory) }
      }
    }
  }

}

// MARK: - Exactly once

extension DIContainer {
  /// Returns the kept instance of a registration, created if needed by exactly one thread.
  ///
  /// The instance belongs to the nearest container that provided one of its dependencies. So the search for it starts
  /// with this container and goes up to the one that has the registration. That one coordinates its creation.
  ///
  /// - Returns: The instance, and whether this call created it; nil if the registration has been replaced meanwhile.
  func keptInstance(
    of definition: Definition, from owner: DIContainer, _ request: Request
  ) throws(ResolutionError) -> ObtainedInstance? {
    if let instance = existingInstance(of: definition, from: owner) { return (instance, false) }
    if definition.isAsync { throw request.asynchronous(definition) }
    let mine = ThreadCreation(of: definition)
    // Tasks create only from asynchronous factories, so this creation belongs to a thread.
    guard let claim = claimCreation(mine, of: definition, from: owner) as? ThreadCreation else { return nil }
    if claim !== mine {
      if claim.isOwn { throw request.cycle(definition) }
      if let cycle = claim.wait() { throw request.cycle(definition, cycle) }
      return nil
    }
    defer {
      forget(mine, definition, from: owner)
      mine.finish()
    }
    guard begin(mine, definition, from: owner) else {
      return existingInstance(of: definition, from: owner).map { ($0, false) }
    }
    return (try keep(createRecording(definition, request, mine), mine, owner, request), true)
  }

  /// Creates an instance that several resolutions return, and records its dependencies.
  func createRecording(
    _ definition: Definition, _ request: Request, _ creation: Creation? = nil
  ) throws(ResolutionError) -> Instance {
    let recorder = DependencyRecorder(of: self)
    let context = CreationContext(of: definition, for: request.type, in: self, creation, recorder)
    defer { context.end() }
    let box = try ThreadState.current.run(in: context) { () throws(ResolutionError) in try create(definition, request) }
    return Instance(definition: definition, box: box, dependencies: recorder.dependencies)
  }

  /// Returns `mine`, or a creation that has begun before, for an instance that does not exist yet; nil if the
  /// registration is gone.
  func claimCreation(_ mine: Creation, of definition: Definition, from owner: DIContainer) -> Creation? {
    owner.state.withLock { state in
      let identity = ObjectIdentifier(definition)
      if let other = state.creations[identity], !other.isAbandoned { return other }
      guard state.registry.isCurrent(definition) else { return nil }
      state.creations[identity] = mine
      state.claimCount += 1
      mine.claimNumber = state.claimCount
      return mine
    }
  }

  /// Adds a claimed creation to the containers that may keep the instance.
  ///
  /// - Returns: true if the instance has to be created; false if another thread has created it between the search and
  ///   the claim, or if the registration has been removed.
  func begin(_ creation: Creation, _ definition: Definition, from owner: DIContainer) -> Bool {
    let identity = ObjectIdentifier(definition)
    for container in lineage(below: owner) {
      container.state.withLock { state in
        // A creation that was abandoned before it began must not replace the next one.
        if let other = state.inheritedCreations[identity], other.creation.claimNumber > creation.claimNumber { return }
        state.inheritedCreations[identity] = (creation, [])
      }
    }
    return existingInstance(of: definition, from: owner) == nil
      && owner.state.withLock { $0.creations[identity] === creation }
  }

  /// Removes a finished creation from the containers.
  func forget(_ creation: Creation, _ definition: Definition, from owner: DIContainer) {
    let identity = ObjectIdentifier(definition)
    for container in lineage(below: owner) {
      container.state.withLock { state in
        if state.inheritedCreations[identity]?.creation === creation { state.inheritedCreations[identity] = nil }
      }
    }
    owner.state.withLock { if $0.creations[identity] === creation { $0.creations[identity] = nil } }
  }

  /// Returns the existing instance, if it does not depend on anything that a nearer container shadows.
  func existingInstance(of definition: Definition, from owner: DIContainer) -> Instance? {
    for container in lineage(below: owner.parent) {
      let found = container.state.withLock { $0.registry.instances[ObjectIdentifier(definition)] }
      if let found, !isShadowed(found.dependencies, below: container), let alive = revive(found) { return alive }
    }
    return nil
  }

  private func isShadowed(_ dependencies: Dependencies, below container: DIContainer) -> Bool {
    lineage(below: container).contains { nearer in
      nearer.state.withLock { state in dependencies.keys.contains { state.registry.shadows($0) } }
    }
  }

  /// Keeps a new instance in the container to which it belongs.
  ///
  /// It is not kept if its registration has been replaced or reset since, or if the instance is a nil that is
  /// registered as `Weak`.
  ///
  /// - Returns: The instance, for the requester.
  func keep(
    _ created: Instance, _ creation: Creation, _ owner: DIContainer, _ request: Request
  ) throws(ResolutionError) -> Instance {
    let formerOwner = created.releaseOwner()
    let instance: Instance
    switch created.definition.kind {
    case .shared, .scoped, .new, .perGraph: instance = created
    case .weak:
      guard let weak = try weaken(created, request) else { return created }
      instance = weak
    }
    let identity = ObjectIdentifier(instance.definition)
    // Outside of the lock, because the check may release the last reference to the instance.
    let dead = owner.state.withLock { $0.registry.instances[identity] }.flatMap { revive($0) == nil ? $0.box : nil }
    var keeper = self
    while keeper !== owner, keeper.level > instance.dependencies.level, let parent = keeper.parent { keeper = parent }
    if keeper === owner {
      var replaced: Instance?
      let isDone = owner.state.withLock { state in
        guard state.creations[identity] === creation else { return true }
        // The creation of another container has stored an instance, which the owner has already returned. It stays.
        if let other = state.registry.instances[identity], other.box !== dead { return false }
        replaced = state.registry.keep(instance)
        return true
      }
      withExtendedLifetime(replaced) {}
      if isDone || self === owner {
        formerOwner?.transfer(to: owner)
        return created
      }
      keeper = self
    }
    // A change that affects the instance removes the creation from the dictionary or adds to its changed keys. A later
    // change finds the instance in this container.
    let replaced = keeper.state.withLock { state -> Instance? in
      guard let inherited = state.inheritedCreations[identity], inherited.creation === creation,
        inherited.changedKeys.isDisjoint(with: instance.dependencies.keys)
      else { return nil }
      // From now on, the ancestor's own instance is not the answer for this container and its descendants.
      instance.definition.forEachKey { key, _ in keeper.shadow(key, state) }
      return state.registry.keep(instance)
    }
    formerOwner?.transfer(to: keeper)
    withExtendedLifetime(replaced) {}
    return created
  }
}
