internal import Synchronization

// How the registry answers a resolve: it finds the registration in the chain of containers, creates what is missing, and
// puts the answer into the table for the next time.

/// An instance, and whether it was created for who has asked for it.
typealias Found = (instance: Registry.Instance, isCreated: Bool)

/// What has answered a resolve.
typealias Answer = (found: Found, record: Registry.Record, owner: DIContainer)

extension DIContainer {
  /// Answers a resolve with arguments.
  @usableFromInline
  func answer<Value, Argument>(
    _ type: Value.Type, _ label: Label, passing argument: Argument, _ file: StaticString, _ line: UInt
  ) throws(ResolutionError) -> Value {
    try answer(Request(type, label, SourceLocation(file: file, line: line)).passing(Box(argument)))
  }

  /// Answers a resolve from the registry, or with what has been created for it because its factory is asynchronous.
  ///
  /// That is in a closure because it is many words, which nearly every resolve does without.
  func answer<Value>(_ request: Request, _ made: (() -> Answer)? = nil) throws(ResolutionError) -> Value {
    try unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory throws(ResolutionError) in
      let memory = memory.baseAddress!
      if let optional = request.optional {
        // Sound: `optional` is `Value`, whose memory this is.
        try unsafe optional.answer(from: self, request, made, into: UnsafeMutableRawPointer(memory))
      } else if try unsafe !answerIfRegistered(request, made, into: memory) {
        throw missingRegistration(request)
      }
      return unsafe memory.move()
    }
  }

  /// Answers a resolve and initializes the memory, or returns false if nothing is registered.
  func answerIfRegistered<Value>(
    _ request: Request, _ made: (() -> Answer)?, into memory: UnsafeMutablePointer<Value>
  ) throws(ResolutionError) -> Bool {
    let key = Key(Value.self, request.label)
    if let made {
      unsafe memory.initialize(to: try handOut(made(), key, request))
      return true
    }
    while let (record, owner) = locate(key, request.label) {
      do throws(ResolutionError) {
        // If it has been replaced while this thread waited for it, look again.
        if try unsafe answer(key, request, with: record, of: owner, into: memory) { return true }
      } catch {
        if ResolutionObservation.isOn, isFinal(error) { report(key, request, nil, failedIn: owner) }
        throw error
      }
    }
    conclude(key, request, nil)
    return false
  }

  /// Whether a failure is the answer: on another actor it may be tried again, if whoever asked first can wait for that.
  private func isFinal(_ error: ResolutionError) -> Bool {
    let mayHop = unsafe ThreadState.current.pointee.mayHop
    return error.code != .wrongActor || !mayHop
  }

  /// Answers a resolve with what a record stands for, and initializes the memory, or returns false if the record is out
  /// of date.
  private func answer<Value>(
    _ key: Key, _ request: Request, with record: Registry.Record, of owner: DIContainer,
    into memory: UnsafeMutablePointer<Value>
  ) throws(ResolutionError) -> Bool {
    let definition = record.definition
    let found: Found?
    switch definition.kind {
    case .new:
      if record.alias < 0 {
        // Before the factory runs: a bank that readers have left empty-handed is filled here.
        if mayAnswerFromTable(owner, request), !definition.isAsync {
          putIntoTable(Cell.Layout(kind: .factory, object: definition), key, definition, nil)
        }
        try unsafe create(definition, into: UnsafeMutableRawPointer(memory), request)
      } else {
        let box = try createBox(definition, request)
        guard let view = convert(box, to: definition.aliases[record.alias]) else {
          throw request.aliasMismatch(box, definition)
        }
        unsafe memory.initialize(to: view.value())
      }
      conclude(key, request, (record, owner, true))
      return true
    case .perGraph: found = try graphInstance(of: definition, request)
    case .shared, .weak, .scoped: found = try instance(of: definition, from: owner, request)
    }
    guard let found else { return false }
    unsafe memory.initialize(to: try handOut((found, record, owner), key, request))
    return true
  }

  /// What an instance is to who has asked for it; and does what has to be done about that.
  private func handOut<Value>(
    _ answer: Answer, _ key: Key, _ request: Request
  ) throws(ResolutionError) -> Value {
    let (instance, record, owner) = (answer.found.instance, answer.record, answer.owner)
    let definition = record.definition
    guard let view = record.alias < 0 ? instance.box : instance.views[record.alias] else {
      throw request.aliasMismatch(instance.box, definition)
    }
    let value: Value = view.value()
    if definition.lifetime.isKept && mayAnswerFromTable(owner, request) {
      let layout = Cell.layOut(value, in: view)
      putIntoTable(layout, key, definition, instance.box)
      if request.optional != nil { putOptionalIntoTable(value, layout, key, definition, instance.box, request.label) }
    }
    conclude(key, request, (record, owner, answer.found.isCreated), instance.dependencies)
    return value
  }

  /// Puts the optional of an answer into the table.
  ///
  /// A function of its own, because to name the optional creates its metadata, which no other resolve needs.
  @inline(never)
  private func putOptionalIntoTable<Value>(
    _ value: Value, _ layout: Cell.Layout, _ key: Key, _ definition: Definition, _ box: Box, _ label: Label
  ) {
    // An optional reference has the same words; anything else is laid out as the optional it is.
    let isSame = layout.kind == .reference && MemoryLayout<Value?>.size == MemoryLayout<Value>.size
    putIntoTable(
      isSame ? layout : Cell.layOut(Optional(value)), key, definition, box, answering: Key(Value?.self, label))
  }

  /// Notes and reports what has answered a resolve, if anything has.
  private func conclude(
    _ key: Key, _ request: Request, _ answer: (record: Registry.Record, owner: DIContainer, isCreated: Bool)?,
    _ dependencies: Dependencies? = nil
  ) {
    note(key, level: answer?.owner.level ?? 0, dependencies)
    if ResolutionObservation.isOn { report(key, request, answer) }
  }

  /// The record that answers a key, and the container it is in: the nearest in the chain that has one.
  func locate(_ key: Key, _ label: Label) -> (record: Registry.Record, owner: DIContainer)? {
    var next: DIContainer? = self
    while let container = next {
      var (record, isComplete) = container.record(of: key)
      if !isComplete, container.registerDefaults() { record = container.record(of: key).record }
      if let record { return (record, container) }
      next = container.parent
      if next == nil, let declaration = label.declaration {
        // Nobody has overridden it: the root of the containers takes it from its declaration.
        container.addDefault(declaration)
        next = container
      }
    }
    return nil
  }

  private func record(of key: Key) -> (record: Registry.Record?, isComplete: Bool) {
    state.withLock { state in
      if case .none = state.registry.defaults { return (state.registry.records[key], true) }
      return (state.registry.records[key], false)
    }
  }

  // MARK: What an instance depends on

  /// Records what the instance that the calling thread or task creates depends on.
  ///
  /// Only what is asked of the container that creates it counts: what a factory resolves from another one, or from an
  /// ancestor, is the same whoever creates it.
  private func note(_ key: Key, level: Int, _ others: Dependencies? = nil) {
    guard let recorder = DependencyRecorder.current, recorder.home.isCreated(by: self) else { return }
    recorder.note(key, level: level, others)
  }

  /// Notes that the instance which the calling thread creates in this container will resolve a type later.
  ///
  /// - Returns: Where the instance belongs, and so where to resolve from; nil if no container is going to keep it.
  func noteLazily(_ type: Any.Type, _ label: Label) -> Home? {
    guard let home = DependencyRecorder.current?.home, home.isCreated(by: self) else { return nil }
    let key = Key(asOptional(type)?.wrappedType ?? type, label)
    note(key, level: level(of: key))
    return home
  }

  /// Notes that the instance which the calling thread creates depends on everything registered for a type.
  func noteAll(of type: Any.Type) {
    note(Key(type), level: 0)
    note(.names(of: type), level: 0)
  }

  /// The depth below the root of the container that would answer a key, or 0 if none would.
  private func level(of key: Key) -> Int {
    lineage(below: nil).first { $0.definition(of: key) != nil }?.level ?? 0
  }

  // MARK: What the table may answer

  /// Puts an answer into the table, if it still is the answer and nobody observes the resolves.
  private func putIntoTable(
    _ layout: Cell.Layout, _ key: Key, _ definition: Definition, _ box: Box?, answering optional: Key? = nil
  ) {
    state.withLock { state in
      guard state.observerCount == 0, !state.registry.hasTripwire(key),
        state.registry.records[key]?.definition === definition,
        state.registry.instances[ObjectIdentifier(definition)]?.box === box
      else { return }
      var layout = layout
      if layout.kind == .factory, !definition.isPlain || !Gate.admitsFactories(of: self) { layout.kind = .otherFactory }
      if let optional { state.optionalKeys[key] = optional }
      table.put(layout, at: (optional ?? key).word)
      if isShared, let declaration = definition.label.declaration {
        unsafe declaration.cell.store(UInt(bitPattern: table.cell(at: key.word)), ordering: .releasing)
      }
    }
  }

  /// Whether what `owner` answers may be put into the table of this container.
  ///
  /// Not what it has from an ancestor, which may change without it. Nor what is registered as an optional: under its key,
  /// the table has what is registered for the type that it wraps.
  private func mayAnswerFromTable(_ owner: DIContainer, _ request: Request) -> Bool {
    owner === self && request.registeredOptional == nil
  }
}
