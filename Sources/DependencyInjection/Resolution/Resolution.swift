// The steps of a resolution from the registry: request → find → step → factory → store → value. This file contains the
// steps of a thread, which blocks where it has to wait; `AsyncResolution.swift` contains those of a task, which
// suspends.

extension Request {
  /// Resolves the request into memory for the requested type.
  func resolve(into memory: InstanceMemory) throws(ResolutionError) {
    // If the registration was replaced meanwhile, search again.
    while let answer { if try resolve(answer, into: memory) { return } }
    report(nil, isCreated: nil)
    try missing().copy(into: memory)
  }

  /// Resolves the request with a registration into memory.
  ///
  /// - Returns: A Boolean value that indicates whether that was possible; false if the registration is out of date.
  private func resolve(_ answer: Answer, into memory: InstanceMemory) throws(ResolutionError) -> Bool {
    do throws(ResolutionError) {
      if isPublishedFactory(answer), optional == nil {
        answer.publishFactory()
        try create(answer, for: Resolver(registry, in: creation), into: memory)
        report(answer, isCreated: true)
        return true
      }
      guard let (box, isCreated) = try obtain(answer) else { return false }
      report(answer, isCreated: isCreated)
      if let optional { optional.wrap(box).copy(into: memory) } else { box.copy(into: memory) }
      return true
    } catch {
      if error.isOutdated { return false }
      report(answer, isCreated: nil)
      throw error
    }
  }

  /// Returns nil as the requested type, or throws if that type is not optional.
  func missing() throws(ResolutionError) -> Box {
    guard let optional else { throw missingRegistration() }
    return optional.none
  }

  /// Returns a Boolean value that indicates whether the table of the container may hold the factory of a registration.
  @_transparent
  private func isPublishedFactory(_ answer: borrowing Answer) -> Bool {
    !answer.isWrapped && answer.definition.isPublishedFactory
  }

  /// Obtains the instance of a registration according to its lifetime.
  ///
  /// - Returns: The instance as the type of the key, and whether it was created; nil if the registration is out of date.
  func obtain(_ answer: Answer) throws(ResolutionError) -> (box: Box, isCreated: Bool)? {
    guard let keeper = keeper(of: answer.definition) else { return (try createNew(answer), true) }
    var own: Creation?
    let isCreatable = isCreatable(answer.definition)
    guard let (record, step) = try step(toward: answer, keeper, &own, isCreatable: isCreatable, isAsync: false) else {
      return nil
    }
    if case .missing = step, let own { return (try create(own, answer, record), true) }
    guard let box = try existing(step, answer, record) else { return nil }
    return (box, false)
  }

  /// Returns a Boolean value that indicates whether the calling code can call the factory of a registration.
  ///
  /// Not under the lock: the executor of an actor may be the user's.
  @_transparent
  private func isCreatable(_ definition: Definition) -> Bool {
    if definition.arguments != arguments.type, !hasArguments(for: definition) { return false }
    if definition.isPlain { return true }
    return !definition.isAsync && missingActor(of: definition) == nil
  }

  /// Returns the instance that exists, or that another thread creates; nil if the registration is out of date.
  func existing(_ step: Step, _ answer: Answer, _ record: Record?) throws(ResolutionError) -> Box? {
    let definition = answer.definition
    switch step {
    case .found(let instance): return try view(of: instance, answer, record)
    case .foundWeak(let reference, let object):
      return try view(of: alive(reference, object, answer), answer, record)
    case .missing:
      try checkCreation(of: definition)
      return nil
    case .wait(let other):
      // A thread waits for threads only: what a task creates may need the thread.
      if other.isAsync { throw other.isAround(creation) ? cycle(definition) : asynchronous(definition) }
      guard let instance = try wait(for: other, definition) else { return nil }
      return try view(of: instance, answer, record)
    }
  }

  /// Returns what keeps the instances of a registration; nil if nothing does.
  func keeper(of definition: Definition) -> Keeper? {
    switch definition.lifetime {
    case .new: nil
    // Without a factory around it, the instance is a graph of its own.
    case .perGraph: ThreadState.current.graph(of: creation).map { .graph($0) }
    case .shared, .weak, .scoped: .container
    }
  }

  /// Returns the container for which an instance of a registration is created.
  @_transparent
  func container(of answer: borrowing Answer) -> Registry {
    if answer.definition.belongsToOwner { answer.owner } else { registry }
  }

  /// Takes a step toward the instance of a registration.
  ///
  /// - Parameters:
  ///   - answer: The registration.
  ///   - keeper: What keeps the instance.
  ///   - own: Receives the creation with which the calling code creates the instance, if it has to.
  ///   - isCreatable: A Boolean value that indicates whether the calling code can create it.
  ///   - isAsync: A Boolean value that indicates whether a task of its own would create it.
  /// - Returns: The record of the instance, and the decision; nil if the registration is out of date.
  /// - Throws: The error for arguments of other types, if there is one instance for each list of arguments.
  @inline(__always)
  func step(
    toward answer: Answer, _ keeper: Keeper, _ own: inout Creation?, isCreatable: Bool, isAsync: Bool
  ) throws(ResolutionError) -> (record: Record?, next: Step)? {
    let list = answer.definition.isPlain ? [] : try argumentList(of: answer.definition)
    let container = container(of: answer)
    if !answer.isFirst || !isCreatable {
      let found = container.step(answer, list, keeper, nil)
      guard isCreatable, case .missing? = found?.next else { return found }
    }
    // The creation is made without the lock, and only if there is probably no instance.
    own = newCreation(of: answer.definition, for: container, isAsync: isAsync)
    return container.step(answer, list, keeper, own)
  }

  /// Returns a creation by the calling code.
  @inline(never)
  private func newCreation(of definition: Definition, for container: Registry, isAsync: Bool) -> Creation {
    Creation(
      definition, as: type, for: container, askedBy: container === registry ? nil : registry, in: creation,
      inside: isAsync ? nil : ThreadState.current.innermostFrame, isAsync: isAsync, isFactoryAsync: isAsync)
  }

  /// Lists the arguments, if there is one instance for each list.
  private func argumentList(of definition: Definition) throws(ResolutionError) -> [AnyHashable] {
    guard let list = definition.argumentList else { return [] }
    let request = try withArguments(for: definition)
    defer { withExtendedLifetime(request) {} }
    return list(request.arguments)
  }

  /// Blocks the calling thread until another creation has ended.
  private func wait(for other: Creation, _ definition: Definition) throws(ResolutionError) -> Box? {
    // A task that begins on this thread may know nothing of the creation that the thread is in.
    if other.isAround(creation) || ThreadState.current.isCreating(other) { throw cycle(definition) }
    do {
      return try other.waitOnThread(in: creation)
    } catch {
      throw failure(error, definition)
    }
  }

  // MARK: Creating

  /// Creates an instance that is kept, on the calling thread.
  ///
  /// - Returns: The instance as the type of the key.
  @inline(__always)
  func create(_ own: Creation, _ answer: Answer, _ record: Record?) throws(ResolutionError) -> Box {
    let thread = ThreadState.current
    thread.begin(own)
    do throws(ResolutionError) {
      if own.depth >= Frame.maximumDepth { throw tooDeep(answer.definition) }
      let resolver = Resolver(own.registry, in: own)
      let box = try create(answer, for: resolver)
      if !answer.definition.isPlain { try convert(box, of: answer.definition, for: resolver) }
      let view = try keep(box, own, answer, record)
      thread.end(own)
      return view
    } catch {
      thread.end(own)
      fail(own, answer, record, error)
      throw error
    }
  }

  /// Ends a creation that has failed, unless it has ended; the requesters that wait for it get the error, or search again.
  func fail(_ own: Creation, _ answer: Answer, _ record: Record?, _ error: any Error) {
    if own.ifRunning == nil { return }
    let code = (error as? ResolutionError)?.code
    // Other requesters may be able to create what a thread cannot create where it is. The task that started an
    // asynchronous creation is among the waiting requesters.
    let isOfThread = !own.isAsync && (code == .tooDeep || code == .wrongActor || code == .asynchronous)
    own.registry.finish(
      own, of: answer, record, keeping: .empty, code == .outdated || isOfThread ? .success(nil) : .failure(error))
  }

  /// Ends the creation of an instance that is kept.
  ///
  /// - Returns: The instance as the type of the key.
  @inline(__always)
  @discardableResult
  func keep(
    _ instance: Box, _ own: Creation, _ answer: Answer, _ record: Record?
  ) throws(ResolutionError) -> Box {
    var kept = Record.State.created(instance)
    if case .weak = answer.definition.lifetime { kept = try weakState(of: instance, answer.definition) }
    let view = answer.definition.isPlain ? instance : instance.view(at: key, of: answer.definition)
    own.registry.finish(
      own, of: answer, record, keeping: kept, .success(instance), publishing: isPublished(answer) ? view : nil)
    guard let view else { throw aliasMismatch(instance, answer.definition) }
    return view
  }

  /// Returns the state of a `Weak` registration with an instance.
  private func weakState(of instance: Box, _ definition: Definition) throws(ResolutionError) -> Record.State {
    if let reference = WeakReference(instance) { return .createdWeak(reference) }
    // An optional that is nil is not kept.
    if instance.unwrapped == nil { return .empty }
    throw notAnObject(instance, definition)
  }

  /// Returns a Boolean value that indicates whether the table of the container may hold the instance of a registration.
  @_transparent
  private func isPublished(_ answer: borrowing Answer) -> Bool {
    !answer.isWrapped && answer.definition.hasOneInstance
  }

  /// Converts a new instance to its aliases, as a part of its factory.
  ///
  /// They are converted here, and not where an alias is requested, because a conformance may be isolated to this actor.
  func convert(_ instance: Box, of definition: Definition, for resolver: Resolver) throws(ResolutionError) {
    if definition.hasOneKey { return }
    do {
      let thread = ThreadState.current
      try thread.run(definition, for: type, in: ObjectIdentifier(resolver.registry), around: resolver.creation) {
        // Some representations of a `Weak` instance that exists are known.
        let known = instance.views.isEmpty ? definition.aliases.map { _ in nil } : instance.views
        let addViews = { instance.views = zip(definition.aliases, known).map { $1 ?? $0.view(of: instance) } }
        if resolver.canRunFactory(in: context) { return addViews() }
        try Context.runFactory(of: resolver.registry, in: context, on: thread, addViews)
      }
    } catch {
      throw failure(error, definition)
    }
  }

  /// Creates an instance that nothing keeps, as the type of the key, for the container that is asked.
  func createNew(_ answer: Answer) throws(ResolutionError) -> Box {
    let definition = answer.definition
    // Before the factory runs: if readers have found no reference left, this refills the references.
    if isPublishedFactory(answer) { answer.publishFactory() }
    try checkCreation(of: definition)
    let resolver = Resolver(registry, in: creation)
    let box = try create(answer, for: resolver)
    try convert(box, of: definition, for: resolver)
    return try view(of: box, definition)
  }

  /// Creates an instance as its own type with a synchronous factory.
  @_transparent
  private func create(_ answer: Answer, for resolver: Resolver) throws(ResolutionError) -> Box {
    let box = Box(empty: answer.definition.type)
    try create(answer, for: resolver, into: box.memory)
    box.isFull = true
    return box
  }

  private func create(_ answer: Answer, for resolver: Resolver, into memory: InstanceMemory) throws(ResolutionError) {
    let definition = answer.definition
    if definition.arguments != arguments.type, !definition.ignoresArguments {
      return try createWithConvertedArguments(answer, for: resolver, into: memory)
    }
    do {
      try ThreadState.withCurrent { thread in
        try thread.run(definition, for: type, in: ObjectIdentifier(resolver.registry), around: resolver.creation) {
          if definition.isDecoration { return try decorate(answer, for: resolver, into: memory) }
          try memory.callFactory(of: definition, arguments, resolver, in: context, on: thread)
        }
      }
    } catch {
      throw failure(error, definition)
    }
  }

  // Never inlined, because the frame of `create` is on the stack once for every running factory.

  @inline(never)
  private func createWithConvertedArguments(
    _ answer: Answer, for resolver: Resolver, into memory: InstanceMemory
  ) throws(ResolutionError) {
    let request = try withArguments(for: answer.definition)
    // The request holds the converted arguments, which the factory reads through a pointer.
    defer { withExtendedLifetime(request) {} }
    try request.create(answer, for: resolver, into: memory)
  }

  /// Calls the factory of a decorator, which takes the instance as its argument.
  ///
  /// The path shows the frame around it.
  @inline(never)
  private func decorate(_ answer: Answer, for resolver: Resolver, into memory: InstanceMemory) throws {
    let inner = try inner(of: answer, for: resolver)
    guard let (wrapped, _) = try inner.request.obtain(inner.answer) else { throw outdated() }
    try memory.callFactory(of: answer.definition, Arguments(wrapped), resolver, in: context, on: .current)
    withExtendedLifetime(wrapped) {}
  }

  /// Returns what a decorated registration wraps, with the request for it.
  func inner(of answer: Answer, for resolver: Resolver) throws(ResolutionError) -> (answer: Answer, request: Request) {
    var request = self
    request.isOfDecorator = true
    (request.registry, request.creation) = (resolver.registry, resolver.creation)
    // The factory of an asynchronous decorator has a context of its own.
    request.context = .current
    if let decoration = answer.definition.decoration, !decoration.isInherited, let inner = decoration.inner {
      let wrapped = Answer(definition: inner, owner: answer.owner, isWrapped: true, cell: answer.cell, isFirst: false)
      return (wrapped, request)
    }
    // The decorator took over the lifetime and the arguments of the registration that was there.
    guard let inherited = answer.owner.parent?.answer(to: key, label),
      inherited.definition === answer.definition.decoration?.inner
    else { throw outdated() }
    return (inherited, request)
  }

  // MARK: Delivering

  /// Returns an instance as the type of the key.
  @_transparent
  func view(of instance: Box, _ definition: Definition) throws(ResolutionError) -> Box {
    guard let view = instance.view(at: key, of: definition) else { throw aliasMismatch(instance, definition) }
    return view
  }

  /// Returns an instance as the type of the key, and publishes it for the next requests.
  func view(of instance: Box, _ answer: Answer, _ record: Record?) throws(ResolutionError) -> Box {
    let view = try view(of: instance, answer.definition)
    // Observed requests do not read the tables.
    if start == nil, isPublished(answer) { answer.publish(view, of: instance, in: record) }
    return view
  }

  /// Returns the `Weak` instance that an object represents.
  func alive(
    _ reference: WeakReference, _ object: AnyObject, _ answer: Answer
  ) throws(ResolutionError) -> Box {
    let definition = answer.definition
    if let instance = reference.instance(object, of: definition) {
      if instance.view(at: key, of: definition) == nil {
        try convert(instance, of: definition, for: Resolver(container(of: answer), in: creation))
      }
      return instance
    }
    // A conformance that is isolated to another actor does not count here.
    try checkCreation(of: definition)
    throw aliasMismatch(Box(object), definition)
  }

  // MARK: Conditions

  /// Returns the actor to which a registration is isolated, unless the calling code runs there.
  func missingActor(of definition: Definition) -> (any Actor)? {
    if let actor = definition.isolation, !actor.isCurrent { actor } else { nil }
  }

  /// Throws if the calling code cannot create an instance.
  func checkCreation(of definition: Definition) throws(ResolutionError) {
    if definition.isAsync { throw asynchronous(definition) }
    if let actor = missingActor(of: definition) { throw wrongActor(actor, definition) }
    if definition.arguments != arguments.type { _ = try withArguments(for: definition) }
  }

  /// Returns a Boolean value that indicates whether a factory can take the arguments.
  ///
  /// Other requesters that wait for the instance must not get the error for wrong arguments.
  func hasArguments(for definition: Definition) -> Bool { (try? withArguments(for: definition)) != nil }
}
