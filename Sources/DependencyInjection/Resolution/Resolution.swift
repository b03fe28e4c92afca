// The steps of a resolution from the registry: request → find → step → factory → store → value. This file has those of a
// thread, which blocks where it has to wait; `AsyncResolution.swift` has those of a task, which suspends.

extension Request {
  /// Resolves the request into memory for the requested type.
  func resolve(into memory: InstanceMemory) throws(ResolutionError) {
    guard let optional else {
      if try !obtain(into: memory) { throw missingRegistration() }
      return
    }
    if !optional.hasLayoutOfWrapped {
      do {
        let box = try Box(type) { memory in if try !obtain(into: memory) { throw NothingRegistered() } }
        return optional.wrap(box).copy(into: memory)
      } catch let error as ResolutionError {
        throw error
      } catch {
        return optional.none.copy(into: memory)
      }
    }
    // The memory of an optional that wraps a value is that of the value.
    if try obtain(into: memory) {
      registry.redirect(Key(requestedType, label), to: key)
    } else {
      optional.none.copy(into: memory)
    }
  }

  /// Obtains the instance of the registration that answers, created if need be.
  ///
  /// - Returns: A Boolean value that indicates whether anything is registered.
  private func obtain(into memory: InstanceMemory) throws(ResolutionError) -> Bool {
    while let answer {
      do throws(ResolutionError) {
        // If the registration was replaced meanwhile, search again.
        guard let isCreated = try obtain(answer, into: memory) else { continue }
        report(answer, isCreated ? .created : .reused)
        return true
      } catch {
        if error.code == .outdated { continue }
        report(answer, .failed)
        throw error
      }
    }
    report(nil, .failed)
    return false
  }

  /// Obtains the instance of a registration according to its lifetime.
  ///
  /// - Returns: A Boolean value that indicates whether it was created; nil if the registration is out of date.
  func obtain(_ answer: Answer, into memory: InstanceMemory) throws(ResolutionError) -> Bool? {
    let definition = answer.definition
    guard let keeper = keeper(of: answer) else {
      // Before the factory runs: if readers have found no reference left, this refills the references.
      if definition.isPublishedFactory, !answer.isDecorated, registeredOptional == nil {
        answer.owner.publish(definition, at: key)
      }
      try createNew(answer, into: memory)
      return true
    }
    guard let place = keeper.place(of: answer, self) else { return nil }
    // Not under the lock: the executor of an actor may be the user's.
    let isCreatable = isCreatable(definition)
    let step = keeper.step(definition, at: place, into: definition.isPublished ? memory : nil) {
      isCreatable ? makeCreation(definition, keeper) : nil
    }
    switch step {
    case .copied: return false
    case .found(let kept, let object):
      let instance = try alive(kept, object)
      try deliver(instance, of: answer, at: place, keeper, into: memory)
      return false
    case .outdated: return nil
    case .blocked:
      try checkCreation(of: definition)
      return nil
    case .wait(let other):
      // A thread waits for threads only: what a task creates may need the thread.
      if other.isAsync { throw asynchronous(definition) }
      guard let instance = try wait(for: other, definition, { try other.waitOnThread(in: creation) }) else {
        return nil
      }
      try deliver(instance, of: answer, at: place, keeper, into: memory)
      return false
    case .create(let own):
      try create(own, answer, at: place, keeper, into: memory)
      return true
    }
  }

  /// Returns the creation with which the calling thread creates an instance.
  private func makeCreation(_ definition: Definition, _ keeper: Keeper) -> Creation {
    Creation(
      definition, as: type, for: keeper.registry, askedBy: registry, in: creation, inside: ThreadState.current.frame)
  }

  /// Waits for another creation.
  ///
  /// - Returns: The instance, if no container keeps it.
  private func wait(
    for other: Creation, _ definition: Definition, _ wait: () throws -> Instance?
  ) throws(ResolutionError) -> Instance? {
    // A task that begins on this thread may know nothing of the creation that the thread is in.
    if other.isAround(creation) || ThreadState.current.isCreating(other) { throw cycle(definition) }
    do {
      return try wait()
    } catch let cycle as Creation.Cycle {
      throw self.cycle(definition, cycle.entries.map(\.name))
    } catch {
      throw failure(error, definition)
    }
  }

  // MARK: Creating

  /// Creates an instance that is kept, on the calling thread.
  func create(
    _ own: Creation, _ answer: Answer, at place: RecordPlace, _ keeper: Keeper, into memory: InstanceMemory
  ) throws(ResolutionError) {
    let (definition, resolver) = (answer.definition, Resolver(keeper.registry, in: own))
    var instance: Instance?
    do throws(ResolutionError) {
      try ThreadState.current.run(own) { () throws(ResolutionError) in
        try Context(keeper.registry, in: own).run { () throws(ResolutionError) in
          if definition.isPublished, case .cell = place {
            try create(answer, for: resolver, into: memory)
          } else {
            let box = try Box(definition.type) { (memory) throws(ResolutionError) in
              try create(answer, for: resolver, into: memory)
            }
            instance = Instance(definition, box)
          }
        }
      }
      guard let instance else { return keeper.finish(own, at: place, .memory(memory)) }
      try store(instance, own, at: place, keeper)
    } catch {
      // The requesters that wait search again, too.
      keeper.finish(own, at: place, nil, error.code == .outdated ? nil : error)
      throw error
    }
    if let instance { try deliver(instance, of: answer, at: place, keeper, into: memory) }
  }

  /// Ends the creation of an instance that is kept in a record.
  func store(_ instance: Instance, _ own: Creation, at place: RecordPlace, _ keeper: Keeper) throws(ResolutionError) {
    if instance.definition.lifetime.kind != .weak { return keeper.finish(own, at: place, .instance(instance)) }
    // An optional that is nil is not kept.
    if instance.box.unwrapped == nil { return keeper.finish(own, at: place, nil, nil, unstored: instance) }
    guard let weak = instance.weakened else { throw notAnObject(instance.box, instance.definition) }
    // Nobody else holds the instance yet.
    keeper.finish(own, at: place, .instance(weak), nil, unstored: instance)
  }

  /// Creates an instance that nothing keeps, as the type of the key, for the container that is asked.
  func createNew(_ answer: Answer, into memory: InstanceMemory) throws(ResolutionError) {
    let (definition, resolver) = (answer.definition, Resolver(registry, in: creation))
    try checkCreation(of: definition)
    if definition.aliases.isEmpty { return try create(answer, for: resolver, into: memory) }
    let box = try Box(definition.type) { (memory) throws(ResolutionError) in
      try create(answer, for: resolver, into: memory)
    }
    guard let view = Instance(definition, box).view(at: key) else { throw aliasMismatch(box, definition) }
    view.copy(into: memory)
  }

  /// Creates an instance as its own type with a synchronous factory.
  private func create(_ answer: Answer, for resolver: Resolver, into memory: InstanceMemory) throws(ResolutionError) {
    let definition = answer.definition
    let request = try converted(for: definition)
    // The request holds the converted arguments, which the factory reads through a pointer.
    defer { withExtendedLifetime(request) {} }
    do {
      if definition.decoration == nil {
        return try memory.call(
          definition, for: type, request.arguments, in: resolver.registry, resolver.creation,
          isCurrent: resolver.isCurrent)
      }
      // The factory of a decorator takes the instance as its argument. The frame around is what the path shows.
      try ThreadState.current.run(
        definition, for: type, in: ObjectIdentifier(resolver.registry), around: resolver.creation
      ) {
        let inner = try request.inner(of: answer, for: resolver)
        let wrapped = try Box(definition.type) { memory in
          if try inner.request.obtain(inner.answer, into: memory) == nil { throw outdated() }
        }
        try memory.callFactory(
          of: definition, Arguments(wrapped), in: resolver.registry, resolver.creation, isCurrent: resolver.isCurrent)
        withExtendedLifetime(wrapped) {}
      }
    } catch {
      throw request.failure(error, definition)
    }
  }

  /// Returns what a decorated registration wraps, with the request for it.
  func inner(of answer: Answer, for resolver: Resolver) throws(ResolutionError) -> (answer: Answer, request: Request) {
    let request = asked(byDecoratorWith: resolver)
    if case .own(let definition)? = answer.definition.decoration?.wrapped {
      return (Answer(definition: definition, owner: answer.owner, key: key, isDecorated: true), request)
    }
    guard let inherited = answer.owner.parent?.answer(to: key, label) else { throw outdated() }
    return (inherited, request)
  }

  // MARK: Delivering

  /// Stores an instance as the type of the key in memory, and publishes it for the next requests.
  func deliver(
    _ instance: Instance, of answer: Answer, at place: RecordPlace, _ keeper: Keeper, into memory: InstanceMemory
  ) throws(ResolutionError) {
    try view(of: instance, answer, at: place, keeper).copy(into: memory)
  }

  /// Returns an instance as the type of the key, and publishes it for the next requests.
  func view(
    of instance: Instance, _ answer: Answer, at place: RecordPlace, _ keeper: Keeper
  ) throws(ResolutionError) -> Box {
    let definition = answer.definition
    guard let view = instance.view(at: key) else { throw aliasMismatch(instance.box, definition) }
    if !definition.aliases.isEmpty, definition.lifetime.isKept, !definition.lifetime.isPerContainer,
      definition.argumentList == nil, !answer.isDecorated
    {
      answer.owner.publish(view, of: instance, at: key, place)
    }
    return view
  }

  // MARK: Conditions

  /// Returns a Boolean value that indicates whether the calling code can create an instance.
  func isCreatable(_ definition: Definition) -> Bool {
    if definition.isAsync { return false }
    if let isolation = definition.isolation, !ExecutorCheck.isIsolated(to: isolation) { return false }
    return true
  }

  /// Returns an instance that is kept, or the one that the object of a `Weak` one stands for.
  func alive(_ kept: Instance, _ object: AnyObject?) throws(ResolutionError) -> Instance {
    guard let object else { return kept }
    if let instance = kept.revived(object) { return instance }
    // A conformance that is isolated to another actor is none here.
    try checkCreation(of: kept.definition)
    throw aliasMismatch(Box(object), kept.definition)
  }

  /// Throws if the calling code cannot create an instance.
  func checkCreation(of definition: Definition) throws(ResolutionError) {
    if definition.isAsync { throw asynchronous(definition) }
    if let isolation = definition.isolation, !ExecutorCheck.isIsolated(to: isolation) {
      throw wrongActor(isolation, definition)
    }
  }

  /// Returns what keeps the instances of a registration; nil if nothing does.
  func keeper(of answer: Answer) -> Keeper? {
    switch answer.definition.lifetime.kind {
    case .new: return nil
    case .perGraph:
      // Without a factory around it, the instance is a graph of its own.
      return (creation?.graph ?? ThreadState.current.graph).map { .graph($0, registry) }
    case .shared, .weak, .scoped:
      return .registry(answer.definition.lifetime.isPerContainer ? registry : answer.owner)
    }
  }
}

/// The reason why there is no box.
private struct NothingRegistered: Error {}

extension Definition {
  /// A Boolean value that indicates whether a table may have the factory: it can be called on every thread, and its result
  /// has the type of the key.
  fileprivate var isPublishedFactory: Bool {
    lifetime.kind == .new && aliases.isEmpty && isolation == nil && !isAsync && decoration == nil
  }
}

/// The keeper of instances: a container, or the graph of one outermost resolution for a container.
enum Keeper {
  case registry(Registry)
  case graph(Graph, Registry)

  /// The container that is current while an instance is created.
  var registry: Registry {
    switch self {
    case .registry(let registry), .graph(_, let registry): registry
    }
  }

  /// Returns the place of the record of an instance; nil if the registration was replaced.
  func place(of answer: Answer, _ request: Request) -> RecordPlace? {
    switch self {
    case .registry(let registry): return registry.place(of: answer, request.arguments)
    case .graph(let graph, let registry):
      let definition = answer.definition
      let list = definition.argumentList?(request.arguments) ?? []
      let hash = list.isEmpty ? 0 : list.hashValue
      return .hidden(
        HiddenRecord.find(list, definition) { new, count in
          graph.records(of: definition, for: registry, hash, adding: new, after: count)
        })
    }
  }

  func step(
    _ definition: Definition, at place: RecordPlace, into memory: InstanceMemory?, _ makeCreation: () -> Creation?
  ) -> Step {
    switch self {
    case .registry(let registry): registry.step(definition, at: place, into: memory, makeCreation)
    case .graph(let graph, _): graph.step(definition, at: place, makeCreation)
    }
  }

  func finish(
    _ creation: Creation, at place: RecordPlace, _ value: CreatedValue?, _ failure: (any Error)? = nil,
    unstored: Instance? = nil
  ) {
    switch self {
    case .registry(let registry): registry.finish(creation, at: place, value, failure, unstored: unstored)
    case .graph(let graph, _): graph.finish(creation, at: place, value, failure)
    }
  }
}
