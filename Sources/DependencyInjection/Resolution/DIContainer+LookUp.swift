public import Synchronization

// The hot path: what a resolve does when the table knows the answer. It takes no lock and calls nothing generic that is
// not specialised for the type; whatever is out of the ordinary goes to `answer`, which asks the registry.

extension DIContainer {
  /// Resolves a type: looks into the table, and if that does not help, into the registry.
  ///
  /// Inlined where a type is resolved, so it is what is common, and short.
  @inlinable
  @inline(always)
  func look<Value>(up type: Value.Type, _ file: StaticString, _ line: UInt) -> Value {
    let key = UInt(bitPattern: ObjectIdentifier(type))
    let cell = unsafe table.cell(at: key)
    // A constant where this is inlined: the values of most types cannot be trivial, and those of the others not classes.
    if _isPOD(Value.self) {
      if unsafe cell.pointee.tag == Cell.tag(key, .trivial), unsafe creations.pointee.load(ordering: .relaxed) == 0,
        let found = unsafe cell.pointee.trivial(as: type)
      {
        return found
      }
    } else if unsafe _fastPath(cell.pointee.tag == Cell.tag(key, .reference)) {
      if unsafe _fastPath(creations.pointee.load(ordering: .relaxed) == 0),
        let object = unsafe cell.pointee.bank.take()
      {
        return unsafe Cell.reference(object, in: cell, as: type)
      }
    } else if unsafe cell.pointee.tag == Cell.tag(key, .factory) {
      return unsafe createNew(type, with: cell, file, line)
    }
    return lookCloser(type, file, line)
  }

  /// Resolves a type that the table may know, but not as a reference, or while instances are being created somewhere.
  @inlinable
  @inline(never)
  func lookCloser<Value>(_ type: Value.Type, _ file: StaticString, _ line: UInt) -> Value {
    let key = UInt(bitPattern: ObjectIdentifier(type))
    let cell = unsafe table.cell(at: key)
    if unsafe cell.pointee.key == key && !(creations.pointee.load(ordering: .relaxed) != 0 && isNoting()) {
      let found: Value? =
        switch unsafe cell.pointee.kind {
        case .reference: unsafe cell.pointee.bank.take().map { unsafe Cell.reference($0, in: cell, as: type) }
        case .trivial: unsafe cell.pointee.trivial(as: type)
        case .boxed: unsafe cell.pointee.boxed(as: type)
        case .factory: unsafe createNew(type, with: cell, file, line)
        case .otherFactory: unsafe createOther(type, with: cell)
        }
      if let found { return found }
    }
    return answerOrTrap(type, nil, file, line)
  }

  /// Creates an instance with the factory that a cell of kind `factory` holds.
  @inlinable
  @inline(always)
  func createNew<Value>(
    _ type: Value.Type, with cell: UnsafeMutablePointer<Cell>, _ file: StaticString, _ line: UInt
  ) -> Value {
    let thread = unsafe ThreadState.current(identify(), in: threads)
    guard let loan = unsafe cell.pointee.bank.borrow() else { return answerOrTrap(type, nil, file, line) }
    // Sound: a cell of this kind only ever holds definitions, and the reference that was taken keeps this one alive.
    let definition = unsafe Unmanaged<Definition>.fromOpaque(
      UnsafeRawPointer(bitPattern: loan.pointer).unsafelyUnwrapped)
    let value = unsafe call(definition, for: type, on: thread, file, line)
    unsafe cell.pointee.bank.giveBack(loan)
    return value
  }

  /// Calls a factory as it is, unless something stands in the way.
  @inlinable
  @inline(__always)
  func call<Value>(
    _ definition: Unmanaged<Definition>, for type: Value.Type, on thread: UnsafeMutablePointer<ThreadState>,
    _ file: StaticString, _ line: UInt
  ) -> Value {
    var frame = unsafe Frame(parent: thread.pointee.top, asked: nil, definition: definition)
    return unsafe _withUnprotectedUnsafeMutablePointer(to: &frame) { frame in
      unsafe thread.pointee.top = frame
      unsafe thread.pointee.credit &-= 1
      defer {
        unsafe thread.pointee.top = frame.pointee.parent
        unsafe thread.pointee.credit &+= 1
      }
      do {
        if unsafe _slowPath(thread.pointee.credit < 0), let error = unsafe obstacle(on: thread) { throw error }
        // Sound: see `Maker`. Not retained, because the caller has a reference.
        if unsafe definition._withUnsafeGuaranteedRef({ $0.isResolving }) {
          return try unsafe Unmanaged<Maker<ResolvingClosure<Value>>>.fromOpaque(definition.toOpaque())
            ._withUnsafeGuaranteedRef { try $0.closure.call(Resolver(self)) }
        }
        return try unsafe Unmanaged<Maker<PlainClosure<Value>>>.fromOpaque(definition.toOpaque())
          ._withUnsafeGuaranteedRef { try $0.closure.call() }
      } catch {
        return unsafe recover(from: error, on: thread, file, line)
      }
    }
  }

  /// Asks the registry if that was what stood in the way of the innermost factory; otherwise traps.
  @usableFromInline
  @inline(never)
  func recover<Value>(
    from error: any Error, on thread: UnsafeMutablePointer<ThreadState>, _ file: StaticString, _ line: UInt
  ) -> Value {
    // Sound: the caller's frame is on its stack, and whoever put it there has a reference to its definition.
    let frame = unsafe thread.pointee.top.unsafelyUnwrapped
    unsafe thread.pointee.top = frame.pointee.parent
    let request = Request(location: SourceLocation(file: file, line: line))
    if error is Unanswered {
      do {
        return try answer(Value.self, request)
      } catch {
        fatalError(error.description, file: file, line: line)
      }
    }
    let definition = unsafe frame.pointee.definition.takeUnretainedValue()
    let error = unsafe resolutionError(error, definition, for: Value.self, request, on: thread)
    fatalError(error.description, file: file, line: line)
  }

  /// Creates an instance with the factory that a cell of kind `otherFactory` holds.
  @inlinable
  @inline(always)
  func createOther<Value>(_ type: Value.Type, with cell: UnsafeMutablePointer<Cell>) -> Value? {
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
    up type: Value.Type, with argument: Argument, _ file: StaticString, _ line: UInt
  ) -> Value {
    unsafe withUnsafePointer(to: argument) { pointer in
      let arguments = unsafe Arguments(pointer)
      let key = UInt(bitPattern: ObjectIdentifier(type))
      let cell = unsafe table.cell(at: key)
      guard unsafe cell.pointee.key == key, unsafe cell.pointee.kind == .factory || cell.pointee.kind == .otherFactory
      else {
        return answerOrTrap(type, arguments, file, line)
      }
      return unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
        // Sound: as above.
        let memory = unsafe memory.baseAddress.unsafelyUnwrapped
        if unsafe create(with: cell, into: memory, passing: arguments) { return unsafe memory.move() }
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
  func isNoting() -> Bool {
    unsafe ThreadState.current(identify(), in: threads).pointee.noting != nil
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
    guard unsafe thread.pointee.noting == nil, let loan = unsafe cell.pointee.bank.borrow() else { return false }
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
    unsafe cell.pointee.bank.giveBack(loan)
    return isDone
  }

  @usableFromInline
  @inline(never)
  func answerOrTrap<Value>(
    _ type: Value.Type, _ arguments: Arguments?, _ file: StaticString, _ line: UInt
  ) -> Value {
    let request = Request(location: SourceLocation(file: file, line: line), arguments: arguments)
    let thread = unsafe ThreadState.current
    if let (error, definition) = unsafe thread.pointee.failure {
      let error = unsafe resolutionError(error, definition, for: type, request, on: thread)
      fatalError(error.description, file: file, line: line)
    }
    do {
      return try answer(type, request)
    } catch {
      fatalError(error.description, file: file, line: line)
    }
  }
}
