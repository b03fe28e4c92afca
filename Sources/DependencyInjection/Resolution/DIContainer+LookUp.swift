public import Synchronization

// The hot path: what a resolve does when the table knows the answer. It takes no lock and calls nothing generic that is
// not specialised for the type; whatever is out of the ordinary goes to `answer`, which asks the registry.

extension DIContainer {
  /// Resolves a type: looks into the table, and if that does not help, into the registry.
  ///
  /// Inlined where a type is resolved, so it is what is common, and short.
  @inlinable
  @inline(always)
  func look<Value>(up type: Value.Type, _ label: Label, _ file: StaticString, _ line: UInt) -> Value {
    let key = Key(type, label).word
    return unsafe look(up: type, label, key, in: table.cell(at: key), file, line)
  }

  /// Resolves a type that a cell may be about.
  @inlinable
  @inline(always)
  func look<Value>(
    up type: Value.Type, _ label: Label, _ key: UInt, in cell: UnsafeMutablePointer<Cell>, _ file: StaticString,
    _ line: UInt
  ) -> Value {
    // A constant where this is inlined: the values of most types cannot be trivial, and those of the others not classes.
    if _isPOD(Value.self) {
      if unsafe cell.pointee.tag == Cell.tag(key, .trivial), unsafe creations.pointee.load(ordering: .relaxed) == 0,
        let found = unsafe cell.pointee.trivial(as: type)
      {
        return found
      }
    } else if unsafe _fastPath(cell.pointee.tag == Cell.tag(key, .reference)) {
      if unsafe _fastPath(creations.pointee.load(ordering: .relaxed) == 0),
        let object = unsafe Cell.bank(of: cell).pointee.take()
      {
        return unsafe Cell.reference(object, in: cell, as: type)
      }
    } else if unsafe cell.pointee.tag == Cell.tag(key, .factory) {
      return unsafe createNew(type, label, with: cell, file, line)
    }
    return lookCloser(type, label, file, line)
  }

  /// Resolves a type from the current container.
  @inlinable
  @inline(always)
  static func look<Value>(up type: Value.Type, _ label: Label, _ file: StaticString, _ line: UInt) -> Value {
    unsafe look(up: type, label, in: { unsafe $0.table.cell(at: $1) }, file, line)
  }

  /// Resolves a type from the current container, and if that is the shared one, looks into a cell of it.
  @inlinable
  @inline(always)
  static func look<Value>(
    up type: Value.Type, _ label: Label, in cell: (DIContainer, UInt) -> UnsafeMutablePointer<Cell>,
    _ file: StaticString, _ line: UInt
  ) -> Value {
    let address = Gate.shared.load(ordering: .acquiring)
    guard address > 1 else { return resolveFromCurrent(type, label, file, line) }
    // Sound: an address in the gate is that of the shared container, which is never released.
    return unsafe Unmanaged<DIContainer>.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
      ._withUnsafeGuaranteedRef {
        let key = Key(type, label).word
        return unsafe $0.look(up: type, label, key, in: cell($0, key), file, line)
      }
  }

  /// Resolves a type that the table may know, but not as a reference, or while instances are being created somewhere.
  @inlinable
  @inline(never)
  func lookCloser<Value>(_ type: Value.Type, _ label: Label, _ file: StaticString, _ line: UInt) -> Value {
    lookIntoTable(type, label) ?? answerOrTrap(type, label, nil, file, line)
  }

  /// Resolves a type, or throws where `look` would trap.
  @inlinable
  @inline(never)
  func tryLook<Value>(
    up type: Value.Type, _ label: Label, _ file: StaticString, _ line: UInt
  ) throws(ResolutionError) -> Value {
    if let found = lookIntoTable(type, label) { return found }
    return try answerOrThrow(type, label, nil, file, line)
  }

  /// What the table knows of a type, whatever it is, or nil.
  @inlinable
  @inline(__always)
  func lookIntoTable<Value>(_ type: Value.Type, _ label: Label) -> Value? {
    let key = Key(type, label).word
    let cell = unsafe table.cell(at: key)
    guard unsafe cell.pointee.key == key, unsafe creations.pointee.load(ordering: .relaxed) == 0 || !isRecording()
    else {
      return nil
    }
    return switch unsafe cell.pointee.kind {
    case .reference: unsafe Cell.bank(of: cell).pointee.take().map { unsafe Cell.reference($0, in: cell, as: type) }
    case .trivial: unsafe cell.pointee.trivial(as: type)
    case .boxed: unsafe Cell.boxed(in: cell, as: type)
    case .factory, .otherFactory: unsafe create(type, with: cell)
    }
  }

  /// Creates an instance with the factory that a cell of kind `factory` holds.
  @inlinable
  @inline(always)
  func createNew<Value>(
    _ type: Value.Type, _ label: Label, with cell: UnsafeMutablePointer<Cell>, _ file: StaticString, _ line: UInt
  ) -> Value {
    let thread = unsafe ThreadState.current(identify(), in: threads)
    let bank = unsafe Cell.bank(of: cell)
    // Looked for closer, which finds nothing either and asks the registry: one function less to call from here.
    guard let loan = unsafe bank.pointee.borrow() else { return lookCloser(type, label, file, line) }
    // Sound: a cell of this kind only ever holds definitions, and the reference that was taken keeps this one alive.
    let definition = unsafe Unmanaged<Definition>.fromOpaque(
      UnsafeRawPointer(bitPattern: loan.pointer).unsafelyUnwrapped)
    let value = unsafe call(definition, for: type, label, on: thread, file, line)
    unsafe bank.pointee.giveBack(loan)
    return value
  }

  /// Calls a factory as it is, unless something stands in the way.
  @inlinable
  @inline(__always)
  func call<Value>(
    _ definition: Unmanaged<Definition>, for type: Value.Type, _ label: Label,
    on thread: UnsafeMutablePointer<ThreadState>, _ file: StaticString, _ line: UInt
  ) -> Value {
    var frame = unsafe Frame(parent: thread.pointee.top, asked: nil, definition: definition)
    return unsafe _withUnprotectedUnsafeMutablePointer(to: &frame) { frame in
      unsafe thread.pointee.top = frame
      defer { unsafe thread.pointee.top = frame.pointee.parent }
      do {
        if unsafe _slowPath(UInt(bitPattern: frame) < thread.pointee.threshold), let error = unsafe obstacle(on: thread)
        {
          throw error
        }
        // Sound: see `Maker`. Not retained, because the caller has a reference.
        let form = unsafe definition._withUnsafeGuaranteedRef { $0.form }
        if form.isResolving {
          return try unsafe Unmanaged<Maker<ResolvingClosure<Value>>>.fromOpaque(definition.toOpaque())
            ._withUnsafeGuaranteedRef { try $0.closure.call(Resolver(self)) }
        }
        // The sizes are constants where this is inlined.
        if MemoryLayout<Value>.size == MemoryLayout<AnyObject>.size, form.isObject {
          // Sound: only what creates instances of a class has this form.
          let object = unsafe Unmanaged<Maker<ObjectClosure>>.fromOpaque(definition.toOpaque())
            ._withUnsafeGuaranteedRef { $0.closure.call() }
          return unsafe unsafeBitCast(object, to: Value.self)
        }
        return try unsafe Unmanaged<Maker<PlainClosure<Value>>>.fromOpaque(definition.toOpaque())
          ._withUnsafeGuaranteedRef { try $0.closure.call() }
      } catch {
        return unsafe recover(from: error, label, on: thread, file, line)
      }
    }
  }

  /// Asks the registry if that was what stood in the way of the innermost factory; otherwise it traps.
  @usableFromInline
  @inline(never)
  func recover<Value>(
    from error: any Error, _ label: Label, on thread: UnsafeMutablePointer<ThreadState>, _ file: StaticString,
    _ line: UInt
  ) -> Value {
    // Sound: the caller's frame is on its stack, and whoever put it there has a reference to its definition.
    let frame = unsafe thread.pointee.top.unsafelyUnwrapped
    unsafe thread.pointee.top = frame.pointee.parent
    if !(error is Unanswered) {
      unsafe thread.pointee.failure = (error, frame.pointee.definition.takeUnretainedValue())
    }
    return answerOrTrap(Value.self, label, nil, file, line)
  }

  /// Creates an instance with the factory that a cell of kind `factory` or `otherFactory` holds.
  @inlinable
  @inline(always)
  func create<Value>(_ type: Value.Type, with cell: UnsafeMutablePointer<Cell>) -> Value? {
    // Sound: as above.
    unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      let memory = unsafe memory.baseAddress.unsafelyUnwrapped
      return unsafe create(with: cell, into: memory, passing: nil) ? memory.move() : nil
    }
  }

  /// Resolves a type with arguments, for which only a factory in the table is of use.
  @inlinable
  @inline(always)
  func look<Value, Argument>(
    up type: Value.Type, _ label: Label, with argument: Argument, _ file: StaticString, _ line: UInt
  ) -> Value {
    unsafe withUnsafePointer(to: argument) { pointer in
      let arguments = unsafe Arguments(pointer)
      let key = Key(type, label).word
      let cell = unsafe table.cell(at: key)
      guard unsafe cell.pointee.key == key, unsafe cell.pointee.kind == .factory || cell.pointee.kind == .otherFactory
      else {
        return answerOrTrap(type, label, arguments, file, line)
      }
      return unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
        // Sound: as above.
        let memory = unsafe memory.baseAddress.unsafelyUnwrapped
        if unsafe create(with: cell, into: memory, passing: arguments) { return unsafe memory.move() }
        return answerOrTrap(type, label, arguments, file, line)
      }
    }
  }

  /// Resolves from the current container, once another one than the shared may be current.
  @inlinable
  @inline(never)
  static func resolveFromCurrent<Value>(
    _ type: Value.Type, _ label: Label, _ file: StaticString, _ line: UInt
  ) -> Value {
    current.look(up: type, label, file, line)
  }

  /// Returns whether the calling thread or task creates an instance whose dependencies are recorded.
  @usableFromInline
  @inline(never)
  func isRecording() -> Bool {
    unsafe ThreadState.current(identify(), in: threads).pointee.context != nil || DependencyRecorder.ofTask != nil
  }

  /// Calls the factory that a cell of the table holds, with arguments or where another container may be current.
  ///
  /// - Parameters:
  ///   - cell: A cell of kind `factory` or `otherFactory`.
  ///   - memory: Where to create an instance of the cell's type.
  ///   - arguments: What to pass to the factory.
  /// - Returns: Whether there is an instance in the memory now; otherwise ask the registry.
  @usableFromInline
  @inline(never)
  func create(
    with cell: UnsafeMutablePointer<Cell>, into memory: UnsafeMutableRawPointer, passing arguments: Arguments?
  ) -> Bool {
    let thread = unsafe ThreadState.current(identify(), in: threads)
    let bank = unsafe Cell.bank(of: cell)
    guard unsafe thread.pointee.context == nil, DependencyRecorder.ofTask == nil,
      let loan = unsafe bank.pointee.borrow()
    else { return false }
    // Sound: a cell of this kind only ever holds definitions, and the reference that was taken keeps this one alive.
    let definition = unsafe Unmanaged<Definition>.fromOpaque(
      UnsafeRawPointer(bitPattern: loan.pointer).unsafelyUnwrapped)
    let isDone = unsafe definition._withUnsafeGuaranteedRef { definition in
      guard definition.isolation == nil, definition.arguments == arguments?.type else { return false }
      let error = unsafe call(
        definition, into: memory, for: nil, arguments?.place, on: thread, isDirect: Gate.isOpen(to: self))
      if let error { unsafe thread.pointee.failure = (error, definition) }
      return error == nil
    }
    unsafe bank.pointee.giveBack(loan)
    return isDone
  }

  @usableFromInline
  @inline(never)
  func answerOrTrap<Value>(
    _ type: Value.Type, _ label: Label, _ arguments: Arguments?, _ file: StaticString, _ line: UInt
  ) -> Value {
    do throws(ResolutionError) {
      return try answerOrThrow(type, label, arguments, file, line)
    } catch {
      trap(error, file, line)
    }
  }

  /// Asks the registry, unless a factory from the table has failed.
  @usableFromInline
  @inline(never)
  func answerOrThrow<Value>(
    _ type: Value.Type, _ label: Label, _ arguments: Arguments?, _ file: StaticString, _ line: UInt
  ) throws(ResolutionError) -> Value {
    let request = Request(type, label, SourceLocation(file: file, line: line), arguments)
    let thread = unsafe ThreadState.current
    if let (error, definition) = unsafe thread.pointee.failure {
      unsafe thread.pointee.failure = nil
      throw request.failure(error, definition)
    }
    return try answer(request)
  }
}
