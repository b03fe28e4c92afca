public import Synchronization

// The fast path: what a resolve does when the table knows the answer. It takes no lock, and calls nothing generic that is
// not specialized for the type. Everything else is the registry's, see `DIContainer+Resolution.swift`.

extension DIContainer {
  /// Resolves a type: looks into the table, and if that does not help, into the registry.
  ///
  /// Inlined where a type is resolved, so it is what is common, and short.
  @inlinable
  @inline(__always)
  func lookUp<Value>(_ type: Value.Type, _ label: Label, _ file: StaticString, _ line: UInt) -> Value {
    lookUp(type, label, in: table.cell(for: Key(type, label).word), file, line)
  }

  /// Resolves a type from its cell, if the instance can be had at once, and else in all other ways.
  @inlinable
  @inline(__always)
  func lookUp<Value>(
    _ type: Value.Type, _ label: Label, in cell: StablePointer<Cell>, _ file: StaticString, _ line: UInt
  ) -> Value {
    // While instances are being created somewhere, the calling thread may have to record what it resolves.
    if unsafe _fastPath(creations.pointee.load(ordering: .relaxed) == 0) {
      // A constant where this is inlined: the values of most types cannot be trivial.
      if _isPOD(Value.self) {
        if let value = cell.pointee.trivial(as: type) { return value }
      } else if let claim = cell.pointee.claimInstance(as: type) {
        return Cell.instance(claim)
      }
    }
    return resolveOrTrap(type, label, .none, in: cell, file, line)
  }

  /// Resolves a type from the current container.
  @inlinable
  @inline(__always)
  static func lookUp<Value>(_ type: Value.Type, _ label: Label, _ file: StaticString, _ line: UInt) -> Value {
    lookUp(type, label, in: { $0.table.cell(for: Key(type, label).word) }, file, line)
  }

  /// Resolves a type from the current container, and if that is the shared one, looks into a cell of it.
  @inlinable
  @inline(__always)
  static func lookUp<Value>(
    _ type: Value.Type, _ label: Label, in cell: (DIContainer) -> StablePointer<Cell>, _ file: StaticString,
    _ line: UInt
  ) -> Value {
    let address = FastPath.sharedContainer.load(ordering: .acquiring)
    guard address > 1 else { return resolveFromCurrent(type, label, file, line) }
    // Sound: an address in the gate is that of the shared container, which is never released.
    return unsafe Unmanaged<DIContainer>.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
      ._withUnsafeGuaranteedRef { $0.lookUp(type, label, in: cell($0), file, line) }
  }

  /// Resolves from the current container, once another one than the shared may be current.
  @inlinable
  @inline(never)
  static func resolveFromCurrent<Value>(
    _ type: Value.Type, _ label: Label, _ file: StaticString, _ line: UInt
  ) -> Value {
    current.lookUp(type, label, file, line)
  }

  /// Resolves a type while an instance is being created, which makes the fast path useless.
  @inlinable
  @inline(__always)
  func resolveSlowly<Value>(_ type: Value.Type, _ label: Label, _ file: StaticString, _ line: UInt) -> Value {
    resolveOrTrap(type, label, .none, in: table.cell(for: Key(type, label).word), file, line)
  }

  /// Resolves a type with arguments, or traps with the text of the error.
  @inlinable
  @inline(__always)
  func lookUp<Value, Argument>(
    _ type: Value.Type, _ label: Label, passing argument: Argument, _ file: StaticString, _ line: UInt
  ) -> Value {
    unsafe withUnsafePointer(to: argument) { pointer in
      let arguments = unsafe Arguments(Argument.self, at: pointer)
      return resolveOrTrap(type, label, arguments, in: table.cell(for: Key(type, label).word), file, line)
    }
  }

  /// Resolves a type in all the ways there are, or traps.
  @inlinable
  @inline(never)
  func resolveOrTrap<Value>(
    _ type: Value.Type, _ label: Label, _ arguments: Arguments, in cell: StablePointer<Cell>, _ file: StaticString,
    _ line: UInt
  ) -> Value {
    if !cell.pointee.isOf(.factory), arguments.type == Void.self, !isRecording(),
      let value = cell.pointee.value(as: type)
    {
      return value
    }
    return unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
      let pointer = unsafe buffer.baseAddress.unsafelyUnwrapped
      // Sound: the memory is for a value of the type.
      if unsafe create(from: cell, arguments, into: InstanceMemory(pointer)) { return unsafe pointer.move() }
      return resolveFromRegistryOrTrap(type, label, arguments, file, line)
    }
  }

  /// Resolves a type in all the ways there are, or throws.
  @inlinable
  @inline(never)
  func resolveOrThrow<Value>(
    _ type: Value.Type, _ label: Label, _ arguments: Arguments, _ file: StaticString, _ line: UInt
  ) throws(ResolutionError) -> Value {
    let cell = table.cell(for: Key(type, label).word)
    if !cell.pointee.isOf(.factory), arguments.type == Void.self, !isRecording(),
      let value = cell.pointee.value(as: type)
    {
      return value
    }
    return try unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer throws(ResolutionError) in
      let pointer = unsafe buffer.baseAddress.unsafelyUnwrapped
      // Sound: as above.
      if unsafe create(from: cell, arguments, into: InstanceMemory(pointer)) { return unsafe pointer.move() }
      return try resolveFromRegistry(type, label, arguments, file, line)
    }
  }

  /// Creates an instance with the factory in a cell.
  ///
  /// - Returns: Whether there is an instance in the memory now. The factory may have failed, which the registry then says.
  ///   Or it was not called: if there is none, if the instance has to be recorded, if the factory is isolated, or if the
  ///   arguments have to be converted.
  @usableFromInline
  @inline(never)
  func create(from cell: StablePointer<Cell>, _ arguments: Arguments, into memory: InstanceMemory) -> Bool {
    guard !isRecording(), let (reference, claim) = cell.pointee.borrowFactory() else { return false }
    defer { reference.pointee.giveBack(claim) }
    // Sound: the claimed reference keeps it alive.
    return unsafe claim.object(as: Definition.self)._withUnsafeGuaranteedRef { definition in
      guard definition.isolation == nil, definition.arguments == arguments.type else { return false }
      do {
        // Only factories of what is registered by its own type are in the table.
        try call(definition, for: definition.type, arguments, Resolver(self), into: memory)
        return true
      } catch {
        ThreadState.current.failure = (error, definition)
        return false
      }
    }
  }

  /// Resolves a type from the registry, unless a factory from the table has just failed, or traps.
  @usableFromInline
  func resolveFromRegistryOrTrap<Value>(
    _ type: Value.Type, _ label: Label, _ arguments: Arguments, _ file: StaticString, _ line: UInt
  ) -> Value {
    do throws(ResolutionError) {
      return try resolveFromRegistry(type, label, arguments, file, line)
    } catch {
      trap(error, file, line)
    }
  }

  /// Resolves a type from the registry, unless a factory from the table has just failed.
  @usableFromInline
  func resolveFromRegistry<Value>(
    _ type: Value.Type, _ label: Label, _ arguments: Arguments, _ file: StaticString, _ line: UInt
  ) throws(ResolutionError) -> Value {
    let request = Request(type, label, SourceLocation(file: file, line: line), arguments)
    if let failure = ThreadState.current.failure.take() { throw request.failure(failure.cause, failure.definition) }
    return try resolve(request)
  }

  /// Returns whether the calling thread or task creates an instance whose dependencies are recorded.
  @inlinable
  @inline(__always)
  func isRecording() -> Bool {
    // Relaxed: whoever works for a creation has begun after it was counted.
    unsafe _slowPath(creations.pointee.load(ordering: .relaxed) != 0) && isRecordingOnThisThread()
  }

  @usableFromInline
  @inline(never)
  func isRecordingOnThisThread() -> Bool { DependencyRecorder.current != nil }
}
