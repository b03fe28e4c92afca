public import Synchronization

// The hot path: what a resolve does when the table knows the answer. It takes no lock and calls nothing generic that is
// not specialised for the type; whatever is out of the ordinary goes to `answer`, which asks the registry.

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
    // Sound: the memory is large enough for one value, and `create` has initialized it if it says so.
    if MemoryLayout<Value>.size <= 48, MemoryLayout<Value>.alignment <= 16 {
      var image = (SIMD2<UInt>(), SIMD2<UInt>(), SIMD2<UInt>())
      guard unsafe create(with: cell, into: &image, file, line) else { return answerOrTrap(type, nil, file, line) }
      return unsafe withUnsafeMutablePointer(to: &image) {
        unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: Value.self).move()
      }
    }
    return unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
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
