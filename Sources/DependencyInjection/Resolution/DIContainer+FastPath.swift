internal import Synchronization

// The fast path: the steps of a resolution whose answer is in the table. It takes no lock. It is not generic, so a call
// site is as small as that of any function. The registry answers everything else; see `DIContainer+Resolution.swift`.

extension ResultMemory {
  /// Resolves from the current container into the memory, or traps.
  @usableFromInline
  @inline(never)
  func resolve(_ type: Any.Type, _ label: Label, _ file: StaticString, _ line: UInt) {
    guard let surroundings = Surroundings.ofSoleContainer else {
      return resolve(type, label, .none, file, line, from: nil)
    }
    let shared = unsafe surroundings.container
    let table = unsafe shared._withUnsafeGuaranteedRef { $0.table }
    let cell = label.cell ?? table.pointee.cell(for: Key(type, label).word)
    let answer = unsafe shared._withUnsafeGuaranteedRef {
      $0.resolveFromCell(cell, .none, in: surroundings, into: self)
    }
    if answer == .found { return }
    unsafe shared._withUnsafeGuaranteedRef { $0.resolveFromRegistryOrTrap(type, label, .none, file, line, into: self) }
  }

  /// Resolves from a container into the memory, or traps.
  @usableFromInline
  @inline(never)
  func resolve(
    _ type: Any.Type, _ label: Label, _ file: StaticString, _ line: UInt, from container: DIContainer
  ) {
    if unsafe resolveFromTables(type, label, .none, from: container) == nil { return }
    container.resolveFromRegistryOrTrap(type, label, .none, file, line, into: self)
  }

  /// Resolves from a container, or from the current one if it is nil, into the memory, or traps.
  @usableFromInline
  @inline(never)
  func resolve(
    _ type: Any.Type, _ label: Label, _ arguments: Arguments, _ file: StaticString, _ line: UInt,
    from container: DIContainer?
  ) {
    guard let container = unsafe resolveFromTables(type, label, arguments, from: container) else { return }
    unsafe container.takeUnretainedValue().resolveFromRegistryOrTrap(type, label, arguments, file, line, into: self)
  }

  /// Resolves from a container, or from the current one if it is nil, into the memory.
  @usableFromInline
  @inline(never)
  func tryResolve(
    _ type: Any.Type, _ label: Label, _ arguments: Arguments, _ file: StaticString, _ line: UInt,
    from container: DIContainer?
  ) throws(ResolutionError) {
    guard let container = unsafe resolveFromTables(type, label, arguments, from: container) else { return }
    try unsafe container.takeUnretainedValue().resolveFromRegistry(type, label, arguments, file, line, into: self)
  }
}

extension ResultMemory {
  /// Loads an instance that a table has into the memory, and returns a Boolean value that indicates whether there is
  /// one.
  ///
  /// It resolves from a container, or from the current one if the argument is nil. It calls no factory.
  @usableFromInline
  func resolveExisting(_ type: Any.Type, _ label: Label, from container: DIContainer?) -> Bool {
    unsafe resolveFromTables(type, label, .none, from: container, callsFactories: false) == nil
  }

  /// Loads what the table of a container or of an ancestor has, or the result of its factory, and returns nil; returns the
  /// container if its registry has to answer.
  @inline(__always)
  private func resolveFromTables(
    _ type: Any.Type, _ label: Label, _ arguments: Arguments, from container: DIContainer?, callsFactories: Bool = true
  ) -> Unmanaged<DIContainer>? {
    let surroundings = Surroundings.now
    let container = unsafe container?.unretained ?? surroundings.container
    // In a factory whose dependencies are recorded, the registry answers, because it records this one.
    if surroundings.isRecorded { return unsafe container }
    let key = Key(type, label).word
    let factories = callsFactories ? surroundings : nil
    let isFound = unsafe container._withUnsafeGuaranteedRef { container -> Bool in
      let cell = container.table.pointee.cell(for: key)
      let answer = container.resolveFromCell(cell, arguments, in: factories, into: self)
      if answer != .nothing { return answer == .found }
      return container.parent != nil && container.resolveFromAncestors(key, arguments, in: factories, into: self)
    }
    return unsafe isFound ? nil : container
  }
}

extension Label {
  /// The cell of a `Dependency` in the shared container, or the cell that belongs to no key; nil for other labels.
  ///
  /// A search of the table would double the cost of reading the static property.
  @inline(__always)
  fileprivate var cell: StablePointer<Cell>? {
    guard case .dependency(let declaration) = self else { return nil }
    // Acquiring: the cell was initialized before it was stored here.
    return unsafe StablePointer(address: declaration._withUnsafeGuaranteedRef { $0.cell.load(ordering: .acquiring) })
  }
}

extension DIContainer {
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
  fileprivate func resolveFromRegistry(
    _ type: Any.Type, _ label: Label, _ arguments: Arguments, _ file: StaticString, _ line: UInt,
    into memory: ResultMemory
  ) throws(ResolutionError) {
    let request = Request(type, label, CodeLocation(file: file, line: line), arguments)
    if let failure = ThreadState.current.failure.take() { throw request.failure(failure.cause, failure.definition) }
    try result(instance(for: request), of: request).copy(into: memory.instance)
  }

  // MARK: From tables

  /// The result of reading a cell for a resolution.
  enum CellAnswer {
    /// The answer was stored in memory.
    case found

    /// The cell has an answer that only the registry can turn into a value or an error.
    case unusable

    /// The cell has no answer.
    case nothing
  }

  /// Stores the answer of an ancestor's table into memory, unless a container below may change it.
  @inline(never)
  fileprivate func resolveFromAncestors(
    _ key: UInt, _ arguments: Arguments, in surroundings: Surroundings?, into memory: ResultMemory
  ) -> Bool {
    var next = unsafe parent?.unretained
    // Sound: a container keeps its ancestors.
    while let ancestor = unsafe next {
      let table = unsafe ancestor._withUnsafeGuaranteedRef { $0.table }
      let (cell, shadowed) = (table.pointee.cell(for: key), unsafe ShadowedKeys(from: unretained, below: ancestor))
      let answer = resolveFromCell(cell, arguments, in: surroundings, unless: shadowed, into: memory)
      if answer != .nothing { return answer == .found }
      unsafe next = ancestor._withUnsafeGuaranteedRef { unsafe $0.parent?.unretained }
    }
    return false
  }

  /// Stores the value of a cell into memory, or the instance that its factory creates for this container.
  ///
  /// - Parameters:
  ///   - cell: The cell, of this container or of an ancestor.
  ///   - arguments: The arguments.
  ///   - surroundings: The surroundings of a factory call; nil to call no factory.
  ///   - shadowed: The keys that the containers below the ancestor shadow; nil if the cell is of this container.
  ///   - memory: The memory.
  /// - Returns: The answer of the cell.
  @inline(__always)
  func resolveFromCell(
    _ cell: StablePointer<Cell>, _ arguments: Arguments, in surroundings: Surroundings?,
    unless shadowed: ShadowedKeys? = nil, into memory: ResultMemory
  ) -> CellAnswer {
    let reference = cell.pointee.currentReference
    let claimed = reference.pointee.claim(with: { cell.pointee.content(unless: shadowed) })
    guard let (claim, (kind, words)) = claimed else {
      return arguments.type == Void.self && cell.pointee.loadTrivial(unless: shadowed, into: memory) ? .found : .nothing
    }
    if kind == .reference, arguments.type == Void.self {
      memory.store(claim.address, words)
      return .found
    }
    defer { reference.pointee.giveBack(claim) }
    // Sound: the claimed reference keeps the object alive.
    if kind == .factory {
      guard let surroundings else { return .unusable }
      return unsafe claim.object(as: Definition.self)._withUnsafeGuaranteedRef {
        callFactory(of: $0, arguments, in: surroundings, into: memory.instance)
      }
    }
    if arguments.type != Void.self { return .unusable }
    unsafe claim.object(as: Box.self)._withUnsafeGuaranteedRef { $0.copy(into: memory.instance) }
    return .found
  }

  /// Creates an instance with the factory of a definition, if the factory can be called here.
  ///
  /// An error that it throws is stored for the registry, which reports it.
  @inline(__always)
  private func callFactory(
    of definition: Definition, _ arguments: Arguments, in surroundings: Surroundings, into memory: InstanceMemory
  ) -> CellAnswer {
    guard definition.isolation == nil, definition.arguments == arguments.type else { return .unusable }
    do {
      // The table has only factories of registrations that are found by their own type.
      try call(definition, for: definition.type, arguments, Resolver(self), in: surroundings, into: memory)
      return .found
    } catch {
      ThreadState.current.failure = (error, definition)
      return .unusable
    }
  }
}

// MARK: - Values

// The functions that are inlined into the code of users. They provide memory on the caller's stack for the result.

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

  /// Returns the instance that a table of a container, or of the current one, has; nil if there is none.
  @inlinable
  static func existing<Value>(_ label: Label, from container: DIContainer?) -> Value? {
    ResultMemory.optionalValue { memory in memory.resolveExisting(Value.self, label, from: container) }
  }

  @inlinable
  @inline(__always)
  static func resolve<Value, Argument>(
    _ label: Label, passing argument: Argument, _ file: StaticString, _ line: UInt, from container: DIContainer?
  ) -> Value {
    ResultMemory.value { memory in
      unsafe withUnsafePointer(to: argument) {
        memory.resolve(Value.self, label, unsafe Arguments(Argument.self, at: $0), file, line, from: container)
      }
    }
  }

  @inlinable
  @inline(__always)
  static func tryResolve<Value, Argument>(
    _ label: Label, passing argument: Argument, _ file: StaticString, _ line: UInt, from container: DIContainer?
  ) throws(ResolutionError) -> Value {
    try ResultMemory.value { memory throws(ResolutionError) in
      try unsafe withUnsafePointer(to: argument) { pointer throws(ResolutionError) in
        let arguments = unsafe Arguments(Argument.self, at: pointer)
        try memory.tryResolve(Value.self, label, arguments, file, line, from: container)
      }
    }
  }
}
