public import Synchronization

// How a resolve finds its answer: `find` looks into the table, without a lock; `answer` looks into the registry, creates
// what is missing and puts it into the table for the next time.

/// What a resolve asks for besides the type.
struct Request {
  /// Where it was asked.
  let location: SourceLocation

  /// The arguments, which the caller keeps alive.
  var arguments: Arguments?
}

// MARK: - The hot path

extension DIContainer {
  /// Resolves a type: looks into the table, and if that does not help, into the registry.
  @inlinable
  @inline(__always)
  func look<Value>(up type: Value.Type, _ file: StaticString, _ line: UInt) -> Value {
    let key = UInt(bitPattern: ObjectIdentifier(type))
    let cell = unsafe table.cell(at: key)
    if unsafe cell.pointee.key == key && !(creations.pointee.load(ordering: .relaxed) != 0 && Self.isNoting()) {
      // Tested first, and alone, because it is the common case; a switch over all would be a jump through a table.
      if unsafe _fastPath(cell.pointee.kind == .reference) {
        if let found = unsafe cell.pointee.reference(as: type) { return found }
      } else if unsafe cell.pointee.kind == .factory {
        return unsafe createNew(type, with: cell, file, line)
      } else if let found = unsafe cell.pointee.value(as: type) {
        return found
      }
    }
    return answerOrTrap(type, nil, file, line)
  }

  /// Creates an instance with the factory that a cell of the table holds.
  @inlinable
  @inline(__always)
  func createNew<Value>(
    _ type: Value.Type, with cell: UnsafeMutablePointer<Cell>, _ file: StaticString, _ line: UInt
  ) -> Value {
    unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      // Sound: the memory is for one value, and `create` has initialized it if it says so.
      let memory = unsafe memory.baseAddress.unsafelyUnwrapped
      if unsafe create(with: cell, into: memory, file, line) { return unsafe memory.move() }
      return answerOrTrap(type, nil, file, line)
    }
  }

  /// Resolves a type with arguments, for which only a factory in the table is of use.
  @inlinable
  @inline(__always)
  func look<Value, Argument>(
    up type: Value.Type, with argument: Argument, _ file: StaticString, _ line: UInt
  ) -> Value {
    unsafe withUnsafePointer(to: argument) { pointer in
      let arguments = unsafe Arguments(pointer)
      let key = UInt(bitPattern: ObjectIdentifier(type))
      let cell = unsafe table.cell(at: key)
      guard unsafe cell.pointee.key == key && cell.pointee.kind == .factory else {
        return answerOrTrap(type, arguments, file, line)
      }
      return unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
        // Sound: as above.
        let memory = unsafe memory.baseAddress.unsafelyUnwrapped
        if unsafe create(with: cell, into: memory, arguments, file, line) { return unsafe memory.move() }
        return answerOrTrap(type, arguments, file, line)
      }
    }
  }

  /// Resolves from the current container, once another one than the shared may be current.
  @inlinable
  @inline(never)
  static func resolveFromCurrent<Value>(_ type: Value.Type, _ file: StaticString, _ line: UInt) -> Value {
    current.look(up: type, file, line)
  }

  /// Whether the calling thread is inside the creation of an instance whose dependencies are noted.
  @usableFromInline
  @inline(never)
  static func isNoting() -> Bool {
    unsafe ThreadState.current.pointee.top?.pointee.dependencies != nil
  }

  /// Calls the factory that a cell of the table holds, or traps.
  ///
  /// - Parameters:
  ///   - cell: A cell of kind `factory`.
  ///   - memory: Where to create an instance of the cell's type.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: Whether there is an instance in the memory now; otherwise ask the registry.
  @usableFromInline
  @inline(never)
  func create(
    with cell: UnsafeMutablePointer<Cell>, into memory: UnsafeMutableRawPointer, _ file: StaticString, _ line: UInt
  ) -> Bool {
    unsafe create(with: cell, into: memory, nil, file, line)
  }

  /// Calls the factory that a cell of the table holds with arguments, or traps.
  ///
  /// - Parameters:
  ///   - cell: A cell of kind `factory`.
  ///   - memory: Where to create an instance of the cell's type.
  ///   - arguments: What to pass to the factory.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: Whether there is an instance in the memory now; otherwise ask the registry.
  @usableFromInline
  @inline(__always)
  func create(
    with cell: UnsafeMutablePointer<Cell>, into memory: UnsafeMutableRawPointer, _ arguments: Arguments?,
    _ file: StaticString, _ line: UInt
  ) -> Bool {
    let thread = unsafe ThreadState.current
    guard unsafe thread.pointee.top?.pointee.dependencies == nil, let taken = unsafe cell.pointee.bank.take() else {
      return false
    }
    // Sound: a cell of this kind only ever holds definitions, and the reference that was taken keeps this one alive.
    let definition = unsafe Unmanaged<Definition>.fromOpaque(UnsafeRawPointer(bitPattern: taken).unsafelyUnwrapped)
    // Sound: the key of a cell is the identity of a type, which is the type.
    let type = unsafe unsafeBitCast(cell.pointee.key, to: Any.Type.self)
    do {
      unsafe try definition._withUnsafeGuaranteedRef { definition in
        if _fastPath(definition.factory.isPlain && arguments == nil) {
          unsafe try call(definition, into: memory, for: type, nil, on: thread, noting: nil)
        } else {
          unsafe try create(
            definition, into: memory, for: type,
            Request(location: SourceLocation(file: file, line: line), arguments: arguments), on: thread, noting: nil)
        }
      }
    } catch {
      unsafe definition._withUnsafeGuaranteedRef { definition in
        let request = Request(location: SourceLocation(file: file, line: line), arguments: arguments)
        let error = unsafe resolutionError(error, definition, for: type, request, on: thread)
        fatalError(error.description, file: file, line: line)
      }
    }
    unsafe cell.pointee.bank.giveBack(taken)
    return true
  }

  @usableFromInline
  @inline(never)
  func answerOrTrap<Value>(
    _ type: Value.Type, _ arguments: Arguments?, _ file: StaticString, _ line: UInt
  ) -> Value {
    do {
      return try answer(type, Request(location: SourceLocation(file: file, line: line), arguments: arguments))
    } catch {
      fatalError(error.description, file: file, line: line)
    }
  }
}

// MARK: - The registry's answer

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
    if let optional = type as? any AnyOptional.Type {
      return try unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer throws(ResolutionError) in
        // Sound: `optional` is `Value`, whose storage this is.
        try unsafe optional.answer(from: self, request, into: UnsafeMutableRawPointer(buffer.baseAddress!))
        return unsafe buffer.baseAddress!.move()
      }
    }
    if let found = try answerIfRegistered(type, request)?.value { return found }
    throw missingRegistration(of: type, request)
  }

  /// Answers a resolve, or returns nil if nothing is registered.
  func answerIfRegistered<Value>(
    _ type: Value.Type, _ request: Request
  ) throws(ResolutionError) -> Answer<Value>? {
    let thread = unsafe ThreadState.current
    let key = Key(type)
    while let (record, owner) = unsafe locate(key, on: thread) {
      let definition = record.definition
      switch definition.lifetime {
      case .new:
        let outer = unsafe thread.pointee.top?.pointee.dependencies
        let value: Value
        if record.alias < 0 {
          // Before the factory runs: a bank that readers have left empty-handed is filled here.
          if mayAnswerFromTable(owner) {
            putIntoTable(Cell.Layout(kind: .factory, object: definition), key, definition, nil)
          }
          value = try unsafe create(definition, as: type, request, on: thread, noting: outer)
        } else {
          let box = try unsafe createBox(definition, for: type, request, on: thread, noting: outer)
          let alias = definition.aliases[record.alias]
          guard let view = convert(box, to: alias) else {
            throw unsafe aliasMismatch(box, alias, definition, request, on: thread)
          }
          value = view.value()
        }
        unsafe note(key, level: owner.level, on: thread)
        if ResolutionObservation.isOn { unsafe report(type, request, isCreated: true, on: thread) }
        return Answer(value: value, definition: definition, box: nil)
      case .shared:
        // If it has been replaced while this thread waited for it, look again.
        guard
          let (instance, isCreated) = try unsafe instance(of: definition, from: owner, for: type, request, on: thread)
        else { continue }
        guard let view = record.alias < 0 ? instance.box : instance.views[record.alias] else {
          throw unsafe aliasMismatch(instance.box, definition.aliases[record.alias], definition, request, on: thread)
        }
        let value: Value = view.value()
        let isAnsweredHere = mayAnswerFromTable(owner)
        if isAnsweredHere { putIntoTable(Cell.layOut(value, in: view), key, definition, instance.box) }
        unsafe note(key, level: owner.level, and: instance.dependencies, on: thread)
        if ResolutionObservation.isOn { unsafe report(type, request, isCreated: isCreated, on: thread) }
        return Answer(value: value, definition: definition, box: isAnsweredHere ? instance.box : nil)
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
    guard let home = unsafe thread.pointee.top?.pointee.dependencies?.pointee.home, home.isCreated(by: self) else {
      return nil
    }
    let key = Key((type as? any AnyOptional.Type)?.wrappedType ?? type)
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
    guard let dependencies = unsafe thread.pointee.top?.pointee.dependencies,
      unsafe dependencies.pointee.home.isCreated(by: self)
    else { return }
    unsafe dependencies.pointee.note(key, level: level)
    if let others { unsafe dependencies.pointee.note(others) }
  }

  /// Puts an answer into the table, if it still is the answer.
  private func putIntoTable(
    _ layout: Cell.Layout, _ key: Key, _ definition: Definition, _ box: Box?, answering optional: Key? = nil
  ) {
    state.withLock { state in
      guard state.observer == nil, state.registry.records[key]?.definition === definition,
        state.registry.instances[ObjectIdentifier(definition)]?.box === box
      else { return }
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

/// What answered a resolve.
struct Answer<Value> {
  let value: Value
  let definition: Definition

  /// The instance, if it is kept in the container that was asked and the table may answer with it.
  let box: Box?
}

// MARK: - Optionals

/// What every `Optional` type can do.
protocol AnyOptional {
  /// What it may wrap.
  static var wrappedType: Any.Type { get }

  /// Answers a resolve of the wrapped type, or nil, into memory for an optional.
  static func answer(
    from container: DIContainer, _ request: Request, into memory: UnsafeMutableRawPointer
  ) throws(ResolutionError)
}

extension Optional: AnyOptional {
  static var wrappedType: Any.Type { Wrapped.self }

  static func answer(
    from container: DIContainer, _ request: Request, into memory: UnsafeMutableRawPointer
  ) throws(ResolutionError) {
    let found = try container.answerIfRegistered(Wrapped.self, request)
    unsafe memory.initializeMemory(as: Self.self, to: found?.value)
    if let found, let box = found.box {
      container.putIntoTable(found.value, found.definition, box)
    }
  }
}

extension DIContainer {
  /// Lets the table answer the optional of a type whose instance exists.
  fileprivate func putIntoTable<Wrapped>(_ value: Wrapped, _ definition: Definition, _ box: Box) {
    var layout = Cell.layOut(value)
    // An optional reference has the same words; anything else is laid out as the optional it is.
    if layout.kind != .reference || MemoryLayout<Wrapped?>.size != MemoryLayout<Wrapped>.size {
      layout = Cell.layOut(Optional(value))
    }
    putIntoTable(layout, Key(Wrapped.self), definition, box, answering: Key(Wrapped?.self))
  }
}

/// Whether any container of the process has ever been observed.
enum ResolutionObservation {
  private static let state = Atomic<Bool>(false)

  static var isOn: Bool { state.load(ordering: .relaxed) }

  static func begin() { state.store(true, ordering: .relaxed) }
}
