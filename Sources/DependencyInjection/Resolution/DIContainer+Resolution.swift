// How the registry answers a resolve: it finds the registration in the chain of containers, creates what is missing, and
// puts the answer into the table for the next time.

extension DIContainer {
  /// Answers a resolve with arguments.
  func answer<Value, Argument>(
    _ type: Value.Type, with argument: Argument, _ location: SourceLocation
  ) throws(ResolutionError) -> Value {
    try unsafe withUnsafePointer(to: argument) { pointer throws(ResolutionError) in
      try answer(type, Request(location: location, arguments: unsafe Arguments(pointer)))
    }
  }

  /// Answers a resolve from the registry.
  func answer<Value>(_ type: Value.Type, _ request: Request) throws(ResolutionError) -> Value {
    try unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory throws(ResolutionError) in
      let memory = memory.baseAddress!
      if let optional = asOptional(type) {
        // Sound: `optional` is `Value`, whose memory this is.
        try unsafe optional.answer(from: self, request, into: UnsafeMutableRawPointer(memory))
      } else if try unsafe answerIfRegistered(type, request, into: memory) == nil {
        throw missingRegistration(of: type, request)
      }
      return unsafe memory.move()
    }
  }

  /// Answers a resolve, or returns nil if nothing is registered; initializes the memory only if it returns an answer.
  func answerIfRegistered<Value>(
    _ type: Value.Type, _ request: Request, into memory: UnsafeMutablePointer<Value>
  ) throws(ResolutionError) -> Answer? {
    let thread = unsafe ThreadState.current
    let key = Key(type)
    while let (record, owner) = unsafe locate(key, on: thread) {
      let definition = record.definition
      switch definition.lifetime {
      case .new:
        if record.alias < 0 {
          // Before the factory runs: a bank that readers have left empty-handed is filled here.
          if mayAnswerFromTable(owner) {
            putIntoTable(Cell.Layout(kind: .factory, object: definition), key, definition, nil)
          }
          try unsafe create(definition, into: UnsafeMutableRawPointer(memory), for: type, request, on: thread)
        } else {
          let box = try unsafe createBox(definition, for: type, request, on: thread)
          let alias = definition.aliases[record.alias]
          guard let view = convert(box, to: alias) else {
            throw unsafe aliasMismatch(box, alias, definition, request, on: thread)
          }
          unsafe memory.initialize(to: view.value())
        }
        unsafe note(key, level: owner.level, on: thread)
        if ResolutionObservation.isOn { unsafe report(type, request, isCreated: true, on: thread) }
        return Answer(definition: definition, box: nil, view: nil)
      case .shared:
        // If it has been replaced while this thread waited for it, look again.
        guard
          let (instance, isCreated) = try unsafe instance(of: definition, from: owner, for: type, request, on: thread)
        else { continue }
        guard let view = record.alias < 0 ? instance.box : instance.views[record.alias] else {
          throw unsafe aliasMismatch(instance.box, definition.aliases[record.alias], definition, request, on: thread)
        }
        let isAnsweredHere = mayAnswerFromTable(owner)
        if isAnsweredHere {
          putIntoTable(Cell.layOut(view.value(as: type), in: view), key, definition, instance.box)
        }
        unsafe note(key, level: owner.level, and: instance.dependencies, on: thread)
        if ResolutionObservation.isOn { unsafe report(type, request, isCreated: isCreated, on: thread) }
        unsafe memory.initialize(to: view.value())
        return Answer(
          definition: definition, box: isAnsweredHere ? instance.box : nil, view: isAnsweredHere ? view : nil)
      }
    }
    unsafe note(key, level: 0, on: thread)
    return nil
  }

  /// The record that answers a key, and the container it is in: the nearest in the chain that has one.
  private func locate(
    _ key: Key, on thread: UnsafeMutablePointer<ThreadState>
  ) -> (record: Registry.Record, owner: DIContainer)? {
    var next: DIContainer? = self
    while let container = next {
      var (record, isComplete) = container.record(of: key)
      if !isComplete, unsafe container.registerDefaults(on: thread) { record = container.record(of: key).record }
      if let record { return (record, container) }
      next = container.parent
    }
    return nil
  }

  /// Notes that the instance which the calling thread creates in this container will resolve a type later.
  ///
  /// - Returns: Where the instance belongs, and so where to resolve from; nil if no container is going to keep it.
  func noteLazily(_ type: Any.Type) -> Home? {
    let thread = unsafe ThreadState.current
    guard let home = unsafe thread.pointee.noting?.pointee.home, home.isCreated(by: self) else {
      return nil
    }
    let key = Key(asOptional(type)?.wrappedType ?? type)
    unsafe note(key, level: level(of: key), on: thread)
    return home
  }

  /// The depth below the root of the container that would answer a key, or 0 if none would.
  private func level(of key: Key) -> Int {
    if state.withLock({ $0.registry.records[key] != nil }) { return level }
    return parent?.level(of: key) ?? 0
  }

  private func record(of key: Key) -> (record: Registry.Record?, isComplete: Bool) {
    state.withLock { state in
      if case .none = state.registry.defaults { return (state.registry.records[key], true) }
      return (state.registry.records[key], false)
    }
  }

  /// Notes what the instance that the calling thread creates depends on.
  ///
  /// Only what is asked of the container that creates it counts: what a factory resolves from another one, or from an
  /// ancestor, is the same whoever creates it.
  private func note(
    _ key: Key, level: Int, and others: Dependencies? = nil, on thread: UnsafeMutablePointer<ThreadState>
  ) {
    guard let dependencies = unsafe thread.pointee.noting,
      unsafe dependencies.pointee.home.isCreated(by: self)
    else { return }
    unsafe dependencies.pointee.note(key, level: level)
    if let others { unsafe dependencies.pointee.note(others) }
  }

  /// Puts an answer into the table, if it still is the answer.
  func putIntoTable(
    _ layout: Cell.Layout, _ key: Key, _ definition: Definition, _ box: Box?, answering optional: Key? = nil
  ) {
    state.withLock { state in
      guard state.observer == nil, state.registry.records[key]?.definition === definition,
        state.registry.instances[ObjectIdentifier(definition)]?.box === box
      else { return }
      var layout = layout
      if layout.kind == .factory, !definition.isPlain || !Gate.isOpen(to: self) { layout.kind = .otherFactory }
      if let optional { state.optionalKeys[key] = optional }
      table.put(layout, at: (optional ?? key).word)
    }
  }

  /// Whether what `owner` answers may be put into the table of this container: not what it has from an ancestor, which
  /// may change without it, and not while somebody observes the resolves.
  private func mayAnswerFromTable(_ owner: DIContainer) -> Bool {
    owner === self && !(ResolutionObservation.isOn && nearestObserver() != nil)
  }

  /// Tells the observers of this container and its ancestors.
  private func report(
    _ type: Any.Type, _ request: Request, isCreated: Bool, on thread: UnsafeMutablePointer<ThreadState>
  ) {
    var next: DIContainer? = self
    while let container = next {
      if let observer = container.state.withLock({ $0.observer }) {
        let path = unsafe thread.path() + [displayName(type)]
        observer.didResolve(Resolution(type: type, path: path, location: request.location, isCreated: isCreated))
      }
      next = container.parent
    }
  }
}
