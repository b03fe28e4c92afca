internal import Synchronization

// The fast path: what a resolve does when the table knows the answer. It takes no lock, and is not generic, so that a call
// site is as small as that of any function. Everything else is the registry's, see `DIContainer+Resolution.swift`.

extension ResultMemory {
  /// Resolves from the current container into the memory, or traps.
  @usableFromInline
  @inline(never)
  func resolve(_ type: Any.Type, _ label: Label, _ file: StaticString, _ line: UInt) {
    let address = DIContainer.soleContainerAddress.load(ordering: .acquiring)
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else {
      return resolve(type, label, file, line, from: .current)
    }
    // Sound: it is the shared container, which is never released.
    let shared = unsafe Unmanaged<DIContainer>.fromOpaque(pointer)
    let table = unsafe shared._withUnsafeGuaranteedRef { $0.table }
    let cell = label.cell ?? table.pointee.cell(for: Key(type, label).word)
    if unsafe shared._withUnsafeGuaranteedRef({ $0.resolveFromTable(cell, .none, into: self) }) { return }
    unsafe shared._withUnsafeGuaranteedRef { $0.resolveFromRegistryOrTrap(type, label, .none, file, line, into: self) }
  }

  /// Resolves from a container into the memory, or traps.
  @usableFromInline
  @inline(never)
  func resolve(
    _ type: Any.Type, _ label: Label, _ file: StaticString, _ line: UInt, from container: DIContainer
  ) {
    if container.resolveFromTable(container.table.pointee.cell(for: Key(type, label).word), .none, into: self) {
      return
    }
    container.resolveFromRegistryOrTrap(type, label, .none, file, line, into: self)
  }
}

extension Label {
  /// The cell of a `Dependency` in the shared container, or one that belongs to no key; nil for other labels.
  ///
  /// A search of the table would cost as much again as reading the static property.
  @inline(__always)
  fileprivate var cell: StablePointer<Cell>? {
    guard case .dependency(let declaration) = self else { return nil }
    // Acquiring: the cell was initialized before it was stored here.
    return unsafe StablePointer(address: declaration._withUnsafeGuaranteedRef { $0.cell.load(ordering: .acquiring) })
  }
}

extension DIContainer {
  /// Resolves from this container into memory for a value of the type, or traps.
  @usableFromInline
  @inline(never)
  func resolve(
    _ type: Any.Type, _ label: Label, _ arguments: Arguments, _ file: StaticString, _ line: UInt,
    into memory: ResultMemory
  ) {
    if resolveFromTable(cell(type, label), arguments, into: memory) { return }
    resolveFromRegistryOrTrap(type, label, arguments, file, line, into: memory)
  }

  /// Resolves from this container into memory for a value of the type.
  @usableFromInline
  @inline(never)
  func tryResolve(
    _ type: Any.Type, _ label: Label, _ arguments: Arguments, _ file: StaticString, _ line: UInt,
    into memory: ResultMemory
  ) throws(ResolutionError) {
    if resolveFromTable(cell(type, label), arguments, into: memory) { return }
    try resolveFromRegistry(type, label, arguments, file, line, into: memory)
  }

  @inline(never)
  fileprivate func resolveFromRegistryOrTrap(
    _ type: Any.Type, _ label: Label, _ arguments: Arguments, _ file: StaticString, _ line: UInt,
    into memory: ResultMemory
  ) {
    do throws(ResolutionError) {
      try resolveFromRegistry(type, label, arguments, file, line, into: memory)
    } catch {
      trap(error, file, line)
    }
  }

  @inline(never)
  private func resolveFromRegistry(
    _ type: Any.Type, _ label: Label, _ arguments: Arguments, _ file: StaticString, _ line: UInt,
    into memory: ResultMemory
  ) throws(ResolutionError) {
    let request = Request(type, label, SourceLocation(file: file, line: line), arguments)
    if let failure = ThreadState.current.failure.take() { throw request.failure(failure.cause, failure.definition) }
    try result(instance(for: request), of: request).copy(into: memory.instance)
  }

  private func cell(_ type: Any.Type, _ label: Label) -> StablePointer<Cell> {
    table.pointee.cell(for: Key(type, label).word)
  }

  // MARK: From the table

  /// Stores the value in a cell into memory, or what its factory creates, and returns whether it could.
  @inline(__always)
  func resolveFromTable(
    _ cell: StablePointer<Cell>, _ arguments: Arguments, into memory: ResultMemory
  ) -> Bool {
    // Inside a factory whose dependencies are recorded, the registry answers, which records this one.
    if Creation.activeCount.load(ordering: .relaxed) != 0 && DependencyRecorder.current != nil { return false }
    let reference = cell.pointee.currentReference
    guard let (claim, (kind, words)) = reference.pointee.claim(with: { cell.pointee.content() }) else {
      return arguments.type == Void.self && cell.pointee.loadTrivial(into: memory)
    }
    if kind == .reference, arguments.type == Void.self {
      memory.store(claim.address, words)
      return true
    }
    defer { reference.pointee.giveBack(claim) }
    // Sound: the claimed reference keeps the object alive.
    if kind == .factory {
      return unsafe claim.object(as: Definition.self)._withUnsafeGuaranteedRef {
        callFactory(of: $0, arguments, into: memory.instance)
      }
    }
    if arguments.type != Void.self { return false }
    unsafe claim.object(as: Box.self)._withUnsafeGuaranteedRef { $0.copy(into: memory.instance) }
    return true
  }

  /// Creates an instance with the factory of a definition, and returns whether it could be called.
  ///
  /// What it throws is kept for the error.
  @inline(__always)
  private func callFactory(of definition: Definition, _ arguments: Arguments, into memory: InstanceMemory) -> Bool {
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

// MARK: - Values

// What is inlined into the code of users: memory on their stack for what the library puts there.

extension DIContainer {
  @inlinable
  @inline(__always)
  static func resolve<Value>(_ label: Label, _ file: StaticString, _ line: UInt) -> Value {
    ResultMemory.value { memory in memory.resolve(Value.self, label, file, line) }
  }

  @inlinable
  @inline(__always)
  func resolve<Value>(_ label: Label, _ file: StaticString, _ line: UInt) -> Value {
    ResultMemory.value { memory in memory.resolve(Value.self, label, file, line, from: self) }
  }

  @inlinable
  @inline(__always)
  func resolve<Value, Argument>(
    _ label: Label, passing argument: Argument, _ file: StaticString, _ line: UInt
  ) -> Value {
    ResultMemory.value { memory in
      unsafe withUnsafePointer(to: argument) {
        resolve(Value.self, label, unsafe Arguments(Argument.self, at: $0), file, line, into: memory)
      }
    }
  }

  @inlinable
  @inline(__always)
  func tryResolve<Value, Argument>(
    _ label: Label, passing argument: Argument, _ file: StaticString, _ line: UInt
  ) throws(ResolutionError) -> Value {
    try ResultMemory.value { memory throws(ResolutionError) in
      try unsafe withUnsafePointer(to: argument) { pointer throws(ResolutionError) in
        try tryResolve(Value.self, label, unsafe Arguments(Argument.self, at: pointer), file, line, into: memory)
      }
    }
  }
}
