internal import Synchronization

// How an instance comes to be: by calling its factory, once for an instance that is kept, with everything around the
// call that makes a failure explain itself.

extension DIContainer {
  /// Calls a factory.
  ///
  /// The caller keeps the registration alive, and provides memory for one instance of its type, uninitialized unless
  /// this returns.
  func create(
    _ definition: Definition, into memory: UnsafeMutableRawPointer, _ request: Request
  ) throws(ResolutionError) {
    if definition.isAsync { throw request.asynchronous(definition) }
    if let isolation = definition.isolation, !ExecutorCheck.isIsolated(to: isolation) {
      throw request.wrongActor(isolation, definition)
    }
    let request = try request.converted(for: definition)
    defer { withExtendedLifetime(request) {} }
    let place = request.arguments?.place
    if let error = unsafe call(definition, into: memory, for: request.type, place, on: ThreadState.current) {
      throw request.failure(error, definition)
    }
  }

  /// Calls a factory that takes just these arguments, on the actor it needs; returns what it throws.
  ///
  /// This is all that stands between a resolve of a `New` and its closure.
  @inline(__always)
  func call(
    _ definition: Definition, into memory: UnsafeMutableRawPointer, for asked: Any.Type?, _ arguments: Arguments.Place?,
    on thread: UnsafeMutablePointer<ThreadState>, isDirect: Bool = false
  ) -> (any Error)? {
    var frame = unsafe Frame(
      parent: thread.pointee.top, asked: asked, definition: Unmanaged.passUnretained(definition))
    return unsafe _withUnprotectedUnsafeMutablePointer(to: &frame) { frame in
      unsafe thread.pointee.top = frame
      if unsafe thread.pointee.graphRoot == nil { unsafe thread.pointee.graphRoot = frame }
      defer {
        unsafe thread.pointee.top = frame.pointee.parent
        if unsafe thread.pointee.graphRoot == frame { unsafe ThreadState.endGraph(on: thread) }
      }
      if unsafe UInt(bitPattern: frame) < thread.pointee.threshold, let error = unsafe thread.pointee.checkStack() {
        return error
      }
      if isDirect { return unsafe definition.create(Resolver(self), arguments, into: memory) }
      return unsafe callIndirectly(definition, into: memory, arguments)
    }
  }

  /// Returns why a factory may not be called as it is, for one below the thread's threshold.
  @usableFromInline
  @inline(never)
  func obstacle(on thread: UnsafeMutablePointer<ThreadState>) -> (any Error)? {
    if unsafe thread.pointee.context != nil { return Unanswered() }
    return unsafe thread.pointee.checkStack()
  }

  /// Calls a factory with this container current, and with a resolver for an instance that may be kept.
  @inline(never)
  private func callIndirectly(
    _ definition: Definition, into memory: UnsafeMutableRawPointer, _ arguments: Arguments.Place?
  ) -> (any Error)? {
    let resolver = Resolver(self, for: DependencyRecorder.current?.home)
    return withSelfCurrent { unsafe definition.create(resolver, arguments, into: memory) }
  }

  /// Says that a factory was not called, because what it creates has to be recorded: the registry does that.
  struct Unanswered: Error {}

  /// Whether the factories inside this container already see it as the current one.
  var isCurrent: Bool {
    Gate.mayBeIsolated ? (Self.bound ?? .shared) === self : isShared
  }

  /// Runs a closure with this container current, so that what injects properties resolves them from here.
  func withSelfCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
    try isCurrent ? body() : Self.withCurrent(self, body)
  }

  /// Calls a factory whose type only its registration knows.
  func createBox(_ definition: Definition, _ request: Request) throws(ResolutionError) -> Box {
    try unsafe Box(definition.type) { memory throws(ResolutionError) in
      try unsafe create(definition, into: memory, request)
    }
  }

  /// Turns an instance into what an alias promises, or returns nil if it is not that.
  func convert(_ box: Box, to alias: Alias) -> Box? {
    if let convert = alias.convert { return convert(box) }
    return box.cast(to: alias.type)
  }
}

// MARK: - Exactly once

extension DIContainer {
  /// The instance of a registration that is kept, created if need be, by exactly one thread.
  ///
  /// The instance belongs to the nearest container that anything it depends on came from. Looking for it therefore
  /// starts here and goes up to the container that has the registration; creating it is coordinated there.
  ///
  /// - Returns: The instance, and whether this call created it; nil if the registration has been replaced meanwhile.
  func instance(
    of definition: Definition, from owner: DIContainer, _ request: Request
  ) throws(ResolutionError) -> Found? {
    if let instance = keptInstance(of: definition, from: owner) { return (instance, false) }
    if definition.isAsync { throw request.asynchronous(definition) }
    let mine = ThreadCreation(of: definition)
    // Only a registration whose factory is asynchronous is created by a task, and that is none.
    guard let claim = claim(mine, definition, from: owner) as? ThreadCreation else { return nil }
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
      return keptInstance(of: definition, from: owner).map { ($0, false) }
    }
    return (try keep(createRecording(definition, request, mine), mine, owner, request), true)
  }

  /// Creates an instance that several resolves get, and records what it depends on.
  func createRecording(
    _ definition: Definition, _ request: Request, _ creation: Creation? = nil
  ) throws(ResolutionError) -> Registry.Instance {
    let recorder = DependencyRecorder(of: self)
    // Relaxed: only this thread has to see its own creation, and others that work for it begin after.
    unsafe creations.pointee.wrappingAdd(1, ordering: .relaxed)
    let context = CreationContext(of: definition, request, creation, recorder)
    defer {
      context.end()
      unsafe creations.pointee.wrappingSubtract(1, ordering: .relaxed)
    }
    let box = try ThreadState.run(in: context) { () throws(ResolutionError) in try createBox(definition, request) }
    return instance(of: definition, in: box, recorder.dependencies)
  }

  /// All aliases of an instance at once, here where it is created: a conformance may be isolated to this actor.
  func instance(of definition: Definition, in box: Box, _ dependencies: Dependencies) -> Registry.Instance {
    let views = definition.aliases.map { convert(box, to: $0) }
    return Registry.Instance(definition: definition, box: box, views: views, dependencies: dependencies)
  }

  /// The creation of what is not there yet: `mine`, unless somebody else has begun one; nil if the registration is gone.
  func claim(_ mine: Creation, _ definition: Definition, from owner: DIContainer) -> Creation? {
    owner.state.withLock { state in
      let identity = ObjectIdentifier(definition)
      if let other = state.creations[identity], !other.isAbandoned { return other }
      guard state.registry.isCurrent(definition) else { return nil }
      state.creations[identity] = mine
      return mine
    }
  }

  /// Puts a creation that has been claimed on the lists of the containers that may keep the instance.
  ///
  /// - Returns: Whether to create it. Another thread may have finished between the look and the claim; and what that has
  ///   created may be gone already, with the registration, and then this is none to create from.
  func begin(_ creation: Creation, _ definition: Definition, from owner: DIContainer) -> Bool {
    let identity = ObjectIdentifier(definition)
    for container in lineage(below: owner) {
      container.state.withLock { $0.inheritedCreations[identity] = InheritedCreation(creation: creation) }
    }
    return keptInstance(of: definition, from: owner) == nil
      && owner.state.withLock { $0.creations[identity] === creation }
  }

  /// Takes a creation that is over off the lists.
  func forget(_ creation: Creation, _ definition: Definition, from owner: DIContainer) {
    let identity = ObjectIdentifier(definition)
    for container in lineage(below: owner) {
      container.state.withLock { state in
        if state.inheritedCreations[identity]?.creation === creation { state.inheritedCreations[identity] = nil }
      }
    }
    owner.state.withLock { if $0.creations[identity] === creation { $0.creations[identity] = nil } }
  }

  /// This container and its ancestors, as far as they are below another one.
  func lineage(below end: DIContainer?) -> some Sequence<DIContainer> {
    sequence(first: self, next: \.parent).lazy.prefix { $0 !== end }
  }

  /// An instance that exists and depends on nothing that a nearer container shadows.
  func keptInstance(of definition: Definition, from owner: DIContainer) -> Registry.Instance? {
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

  /// Keeps a new instance where it belongs, unless its registration has been replaced or reset since, or it is a `Weak`
  /// nil, which nothing can hold.
  ///
  /// - Returns: The instance, for whoever has asked for it.
  func keep(
    _ created: consuming Registry.Instance, _ creation: Creation, _ owner: DIContainer, _ request: Request
  ) throws(ResolutionError) -> Registry.Instance {
    var created = consume created
    let home = created.dependencies.releaseHome()
    guard let instance = created.definition.kind == .weak ? try weaken(created, request) : created else {
      return created
    }
    let identity = ObjectIdentifier(instance.definition)
    // Looked at without the lock, because looking may turn out to be what releases it.
    let dead = owner.state.withLock { $0.registry.instances[identity] }.flatMap { revive($0) == nil ? $0.box : nil }
    var keeper = self
    while keeper !== owner, keeper.level > instance.dependencies.level, let parent = keeper.parent { keeper = parent }
    if keeper === owner {
      var replaced: Registry.Instance?
      let isKept = owner.state.withLock { state in
        guard state.creations[identity] === creation else { return true }
        // One that is there was created without this container, and stays what the owner hands out.
        if let other = state.registry.instances[identity], other.box !== dead { return false }
        replaced = state.registry.keep(instance)
        return true
      }
      withExtendedLifetime(replaced) {}
      if isKept || self === owner {
        home?.settle(in: owner)
        return created
      }
      keeper = self
    }
    // Every change in this container or above that concerns it takes the creation off the list, or is noted there; and
    // one that comes after finds the instance here.
    let replaced = keeper.state.withLock { state -> Registry.Instance? in
      guard let inherited = state.inheritedCreations[identity], inherited.creation === creation,
        inherited.changedKeys.isDisjoint(with: instance.dependencies.keys)
      else { return nil }
      return state.registry.keep(instance)
    }
    home?.settle(in: keeper)
    withExtendedLifetime(replaced) {}
    return created
  }
}
