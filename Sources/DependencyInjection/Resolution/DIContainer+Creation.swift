internal import Synchronization

// How an instance comes to be: by calling its factory, once for an instance that is kept, with everything around the
// call that makes a failure explain itself.

extension DIContainer {
  /// Calls a factory.
  ///
  /// The caller keeps the registration alive, and provides memory for one instance of its type, uninitialized unless
  /// this returns.
  func create(
    _ definition: Definition, into memory: UnsafeMutableRawPointer, for asked: Any.Type, _ request: Request,
    on thread: UnsafeMutablePointer<ThreadState>
  ) throws(ResolutionError) {
    if let isolation = definition.isolation, !ExecutorCheck.isIsolated(to: isolation) {
      throw unsafe wrongActor(isolation, definition, for: asked, request, on: thread)
    }
    if definition.arguments != request.arguments?.type {
      return try unsafe createConverting(
        definition, into: memory, for: asked, request, on: thread)
    }
    if let error = unsafe call(definition, into: memory, for: asked, request.arguments?.place, on: thread) {
      throw unsafe resolutionError(error, definition, for: asked, request, on: thread)
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
      unsafe thread.pointee.credit &-= 1
      defer {
        unsafe thread.pointee.top = frame.pointee.parent
        unsafe thread.pointee.credit &+= 1
      }
      if unsafe thread.pointee.credit < 0, let error = unsafe checkDepth(frame.pointee, on: thread) { return error }
      if isDirect { return unsafe definition.create(Resolver(self), arguments, into: memory) }
      return unsafe callIndirectly(definition, into: memory, arguments, on: thread)
    }
  }

  /// What stands in the way of calling a factory as it is, of which the thread's credit says that something may.
  @usableFromInline
  @inline(never)
  func obstacle(on thread: UnsafeMutablePointer<ThreadState>) -> (any Error)? {
    if unsafe thread.pointee.noting != nil { return Unanswered() }
    return unsafe checkDepth(thread.pointee.top!.pointee, on: thread)
  }

  /// Calls a factory with this container current, and with a resolver for an instance that may be kept.
  @inline(never)
  private func callIndirectly(
    _ definition: Definition, into memory: UnsafeMutableRawPointer, _ arguments: Arguments.Place?,
    on thread: UnsafeMutablePointer<ThreadState>
  ) -> (any Error)? {
    let home = unsafe thread.pointee.noting?.pointee.home
    return withSelfCurrent {
      unsafe definition.create(Resolver(self, for: home), arguments, into: memory)
    }
  }

  /// Says that a factory was not called, because what it creates has to be noted: the registry does that.
  struct Unanswered: Error {}

  /// Says that a factory has led back to itself; becomes a `ResolutionError` where the request is known.
  private struct Circle: Error {}

  /// Says that factories are nested so deep that the stack is nearly used.
  private struct Overflow: Error {}

  /// What a failed call of a factory means.
  func resolutionError(
    _ error: any Error, _ definition: Definition, for asked: Any.Type, _ request: Request,
    on thread: UnsafeMutablePointer<ThreadState>
  ) -> ResolutionError {
    // What failed inside says it all, and its path starts further out than this one.
    if let inner = error as? ResolutionError { return inner }
    if error is Circle { return unsafe cycle([], definition, for: asked, request, on: thread) }
    if error is Overflow { return unsafe stackOverflow(definition, for: asked, request, on: thread) }
    return unsafe factoryFailed(error, definition, for: asked, request, on: thread)
  }

  /// Whether the factories inside this container already see it as the current one.
  private var isCurrent: Bool {
    Gate.mayBeIsolated ? (Self.bound ?? .shared) === self : isShared
  }

  /// Runs a closure with this container current, so that what injects properties resolves them from here.
  func withSelfCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
    try isCurrent ? body() : Self.withCurrent(self, body)
  }

  /// What is wrong if factories are nested without an end.
  @inline(never)
  private func checkDepth(_ frame: Frame, on thread: UnsafeMutablePointer<ThreadState>) -> (any Error)? {
    let depth = unsafe thread.pointee.depth
    guard depth & 15 == 0 else { return nil }
    let limit = unsafe thread.pointee.stackLimit ?? StackBounds.limit()
    unsafe thread.pointee.stackLimit = limit
    if StackBounds.isBelow(limit) || limit == 0 && depth >= 256 { return Overflow() }
    return isCircular(frame) ? Circle() : nil
  }

  /// Whether a factory has led back to itself.
  ///
  /// With other arguments it may well, and so may what lies between two factories with arguments.
  private func isCircular(_ frame: Frame) -> Bool {
    if frame.hasArguments { return false }
    var next = unsafe frame.parent
    while let other = unsafe next, unsafe !other.pointee.hasArguments {
      if unsafe other.pointee.definition.toOpaque() == frame.definition.toOpaque() { return true }
      unsafe next = other.pointee.parent
    }
    return false
  }

  /// Calls a factory whose arguments are not of exactly the types that were passed, if they can be converted.
  private func createConverting(
    _ definition: Definition, into memory: UnsafeMutableRawPointer, for asked: Any.Type, _ request: Request,
    on thread: UnsafeMutablePointer<ThreadState>
  ) throws(ResolutionError) {
    if let passed = request.arguments, let expected = definition.arguments {
      func createConverted<Passed, Expected>(_: Passed.Type, _: Expected.Type) throws(ResolutionError) -> Bool {
        guard let arguments = passed.place.value(as: Passed.self) as? Expected else { return false }
        try unsafe withUnsafePointer(to: arguments) { pointer throws(ResolutionError) in
          var request = request
          request.arguments = unsafe Arguments(pointer)
          try unsafe create(definition, into: memory, for: asked, request, on: thread)
        }
        return true
      }
      func open<Passed>(_ type: Passed.Type) throws(ResolutionError) -> Bool {
        func open<Expected>(_ other: Expected.Type) throws(ResolutionError) -> Bool { try createConverted(type, other) }
        return try _openExistential(expected, do: open)
      }
      if try _openExistential(passed.type, do: open) { return }
    }
    throw unsafe wrongArguments(definition, for: asked, request, on: thread)
  }

  /// Calls a factory whose type only its registration knows.
  func createBox(
    _ definition: Definition, for asked: Any.Type, _ request: Request, on thread: UnsafeMutablePointer<ThreadState>
  ) throws(ResolutionError) -> Box {
    try unsafe Box(definition.type) { memory throws(ResolutionError) in
      try unsafe create(definition, into: memory, for: asked, request, on: thread)
    }
  }

  /// Turns an instance into what an alias promises, or returns nil if it is not that.
  func convert(_ box: Box, to alias: Alias) -> Box? {
    if let convert = alias.convert { return convert(box) }
    func cast<Own, Other>(_: Own.Type, _: Other.Type) -> Box? { (box.value(as: Own.self) as? Other).map { Box($0) } }
    func open<Own>(_ type: Own.Type) -> Box? {
      func open<Other>(_ other: Other.Type) -> Box? { cast(type, other) }
      return _openExistential(alias.type, do: open)
    }
    return _openExistential(box.type, do: open)
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
    of definition: Definition, from owner: DIContainer, for asked: Any.Type, _ request: Request,
    on thread: UnsafeMutablePointer<ThreadState>
  ) throws(ResolutionError) -> (instance: Registry.Instance, isCreated: Bool)? {
    if let instance = keptInstance(of: definition, from: owner) { return (instance, false) }
    let identity = ObjectIdentifier(definition)
    let mine = unsafe Creation(of: definition, owner: thread)
    let claim = owner.state.withLock { state -> Creation? in
      if let other = state.creations[identity] { return other }
      guard state.registry.isCurrent(definition) else { return nil }
      state.creations[identity] = mine
      return mine
    }
    guard let claim else { return nil }
    if claim !== mine {
      if unsafe claim.isOwned(by: thread) { throw unsafe cycle([], definition, for: asked, request, on: thread) }
      if let path = unsafe claim.wait(on: thread) {
        throw unsafe cycle(path, definition, for: asked, request, on: thread)
      }
      return nil
    }
    // Relaxed: only this thread has to see its own creation.
    unsafe creations.pointee.wrappingAdd(1, ordering: .relaxed)
    defer {
      unsafe creations.pointee.wrappingSubtract(1, ordering: .relaxed)
      forEachContainer(below: owner) { state in
        if state.inheritedCreations[identity]?.creation === mine { state.inheritedCreations[identity] = nil }
      }
      owner.state.withLock { if $0.creations[identity] === mine { $0.creations[identity] = nil } }
      mine.finish()
    }
    forEachContainer(below: owner) { $0.inheritedCreations[identity] = InheritedCreation(creation: mine) }
    // Another thread may have finished between the look and the claim.
    if let instance = keptInstance(of: definition, from: owner) { return (instance, false) }
    // And what it has created may be gone already, with the registration: then this is none to create from.
    guard owner.state.withLock({ $0.creations[identity] === mine }) else { return nil }
    var dependencies = Dependencies(of: self)
    let box = try unsafe withUnsafeMutablePointer(to: &dependencies) { pointer throws(ResolutionError) in
      try unsafe ThreadState.noting(pointer, on: thread) { () throws(ResolutionError) in
        try unsafe createBox(definition, for: asked, request, on: thread)
      }
    }
    // All aliases at once, here where the instance is created: a conformance may be isolated to this actor.
    let views = definition.aliases.map { convert(box, to: $0) }
    let instance = Registry.Instance(definition: definition, box: box, views: views, dependencies: dependencies)
    keep(instance, mine, owner)
    return (instance, true)
  }

  private func forEachContainer(below owner: DIContainer, _ body: (inout ContainerState) -> Void) {
    var next: DIContainer? = self
    while let container = next, container !== owner {
      container.state.withLock(body)
      next = container.parent
    }
  }

  /// An instance that exists and depends on nothing that a nearer container shadows.
  private func keptInstance(of definition: Definition, from owner: DIContainer) -> Registry.Instance? {
    var next: DIContainer? = self
    while let container = next {
      let found = container.state.withLock { $0.registry.instances[ObjectIdentifier(definition)] }
      if let found, !isShadowed(found.dependencies, below: container) { return found }
      if container === owner { return nil }
      next = container.parent
    }
    return nil
  }

  private func isShadowed(_ dependencies: Dependencies, below container: DIContainer) -> Bool {
    var next: DIContainer? = self
    while let nearer = next, nearer !== container {
      if nearer.state.withLock({ state in dependencies.keys.contains { state.registry.records[$0] != nil } }) {
        return true
      }
      next = nearer.parent
    }
    return false
  }

  /// Keeps a new instance where it belongs, unless its registration has been replaced or reset since.
  private func keep(_ instance: Registry.Instance, _ creation: Creation, _ owner: DIContainer) {
    let identity = ObjectIdentifier(instance.definition)
    var home = self
    while home !== owner, home.level > instance.dependencies.level, let parent = home.parent { home = parent }
    if home === owner {
      let isKept = owner.state.withLock { state in
        guard state.creations[identity] === creation else { return true }
        // One that is there was created without this container, and stays what the owner hands out.
        guard state.registry.instances[identity] == nil else { return false }
        state.registry.instances[identity] = instance
        return true
      }
      if isKept || self === owner { return instance.dependencies.home.settle(in: owner) }
      home = self
    }
    // Every change in this container or above that concerns it takes the creation off the list, or is noted there; and
    // one that comes after finds the instance here.
    let replaced = home.state.withLock { state -> Registry.Instance? in
      guard let inherited = state.inheritedCreations[identity], inherited.creation === creation,
        inherited.changedKeys.isDisjoint(with: instance.dependencies.keys)
      else { return nil }
      return state.registry.instances.updateValue(instance, forKey: identity)
    }
    instance.dependencies.home.settle(in: home)
    _ = consume replaced
  }
}
