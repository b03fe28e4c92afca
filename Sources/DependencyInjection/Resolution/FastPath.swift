internal import Synchronization

// The fast path: the steps of a resolution whose answer is in a table. It takes no lock. It is not generic, so a call
// site is as small as that of any function. The registry answers everything else; see `Resolution.swift`.

extension InstanceMemory {
  /// Resolves from the current container into the memory, or traps.
  @usableFromInline
  @inline(never)
  func resolve(_ type: Any.Type, _ label: Label, _ file: StaticString, _ line: UInt) {
    do throws(ResolutionError) {
      if try isFound(type, label, .none, file, line, in: nil, nil) { return }
      try resolveSlowly(type, label, .none, file, line, from: nil, nil)
    } catch {
      Resolver.current.trap(error, file, line)
    }
  }

  /// Resolves from a container, or from the current one if it is nil, into the memory, or traps.
  @usableFromInline
  @inline(never)
  func resolve(
    _ type: Any.Type, _ label: Label, _ arguments: Arguments, _ file: StaticString, _ line: UInt,
    from registry: Registry?, _ creation: Creation?
  ) {
    do throws(ResolutionError) {
      if try isFound(type, label, arguments, file, line, in: registry, creation) { return }
      try resolveSlowly(type, label, arguments, file, line, from: registry, creation)
    } catch {
      (registry.map { Resolver($0, in: creation) } ?? .current).trap(error, file, line)
    }
  }

  /// Resolves from a container, or from the current one if it is nil, into the memory.
  @usableFromInline
  @inline(never)
  func tryResolve(
    _ type: Any.Type, _ label: Label, _ arguments: Arguments, _ file: StaticString, _ line: UInt,
    from registry: Registry?, _ creation: Creation?
  ) throws(ResolutionError) {
    if try isFound(type, label, arguments, file, line, in: registry, creation) { return }
    try resolveSlowly(type, label, arguments, file, line, from: registry, creation)
  }

  /// Loads an instance from a table into the memory, without calling a factory.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - label: The label of its registration.
  ///   - registry: The registry; nil for that of the current container.
  /// - Returns: A Boolean value that indicates whether there is one.
  @usableFromInline
  func resolveExisting(_ type: Any.Type, _ label: Label, from registry: Registry?) -> Bool {
    // The caller or its context keeps the registry alive.
    var first = registry.map { Unowned($0) } ?? Registry.unownedShared
    if !Circumstances.areSimple {
      first = registry == nil ? Unowned(Resolver.current.registry) : first
      if first.borrow({ $0.isObserved }) { return false }
    }
    switch look(for: tableKey(type, label), in: first) {
    case .found: return true
    case .factory(let claim, let cell): cell.pointee.reference.giveBack(claim)
    case .registry, .nothing: break
    }
    return false
  }

  /// Resolves where there are contexts or observers, or where no table has the answer.
  @inline(never)
  private func resolveSlowly(
    _ type: Any.Type, _ label: Label, _ arguments: Arguments, _ file: StaticString, _ line: UInt,
    from registry: Registry?, _ creation: Creation?
  ) throws(ResolutionError) {
    let context = Context.current
    // The caller or its context keeps the registry alive.
    let first =
      if let registry {
        Unowned(registry)
      } else if let context {
        Unowned(context.registry)
      } else {
        Registry.unownedShared
      }
    if !Circumstances.areSimple, !first.borrow({ $0.isObserved }) {
      if try isFound((type, label, arguments, file, line), from: first, in: context, creation) { return }
    }
    // Otherwise, a static method or a factory's resolver made the request. The resolver of a `New` outside of any creation
    // looks like a container.
    let isNamed = registry != nil && creation == nil
    try Request(
      type, label, CodeLocation(file: file, line: line), arguments, from: Resolver(first.object, in: creation),
      isNamed: isNamed, isOfTask: false, in: context
    ).resolve(into: self)
  }

  /// Resolves from the tables of a container, if there are no contexts or observers.
  @inline(__always)
  private func isFound(
    _ type: Any.Type, _ label: Label, _ arguments: Arguments, _ file: StaticString, _ line: UInt,
    in registry: Registry?, _ creation: Creation?
  ) throws(ResolutionError) -> Bool {
    guard Circumstances.areSimple else { return false }
    // The caller keeps the registry alive.
    let first = if let registry { Unowned(registry) } else { Registry.unownedShared }
    return try isFound((type, label, arguments, file, line), from: first, in: nil, creation)
  }

  /// Resolves from the tables of a container.
  ///
  /// - Parameters:
  ///   - call: The parameters of the resolution.
  ///   - registry: The container.
  ///   - context: The context of the caller, if any.
  ///   - creation: The creation to which the resolver of the caller belongs, if any.
  /// - Returns: A Boolean value that indicates whether a table had the answer.
  /// - Throws: The error of a factory.
  @_transparent
  private func isFound(
    _ call: Call, from registry: Unowned<Registry>, in context: Context?, _ creation: Creation?
  ) throws(ResolutionError) -> Bool {
    let key = tableKey(call.type, call.label)
    switch look(for: key, in: registry) {
    case .found: return true
    case .factory(let claim, let cell): return try callFactory(claim, of: cell, call, in: registry, creation, context)
    case .nothing: return MetadataKind.optional.isKind(of: call.type) && storeNil(call, registry)
    case .registry: return false
    }
  }

  /// Returns the key under which tables hold the instance for a request: an optional often has the same memory as the
  /// value that it wraps.
  @_transparent
  private func tableKey(_ type: Any.Type, _ label: Label) -> UInt {
    let isOptional = MetadataKind.optional.isKind(of: type)
    return Key(isOptional ? wrappedOfSameLayout(type) : type, label).word
  }

  /// Stores nil for an optional type, if its nil consists of zeros, nothing is registered for the wrapped type, and the
  /// app has made its registrations.
  ///
  /// - Returns: A Boolean value that indicates whether nil, or an instance, was stored.
  @inline(never)
  private func storeNil(_ call: Call, _ registry: Unowned<Registry>) -> Bool {
    if call.label.declaration != nil || wrappedReference(call.type) == nil { return false }
    if AppRegistration.isPending, registry.borrow({ $0.isSharedOrBelow }) { return false }
    // The first search may have begun before the app had registered everything.
    let key = tableKey(call.type, call.label)
    switch look(for: key, in: registry) {
    case .found: return true
    case .factory(let claim, let cell): cell.pointee.reference.giveBack(claim)
    case .registry: break
    case .nothing:
      store(0, 0, 0, 0, 0, 0)
      return true
    }
    return false
  }

  // MARK: From tables

  /// The parameters of a resolution, for a factory from a table.
  private typealias Call = (type: Any.Type, label: Label, arguments: Arguments, file: StaticString, line: UInt)

  /// The answer of a cell to a request.
  private enum Taken {
    /// The answer was stored in memory.
    case found
    /// A factory, to which a reference was claimed, and its cell.
    case factory(AtomicReference.Claim, CellPointer)
    /// The registry has to answer.
    case registry
    /// Nothing is registered here.
    case nothing
  }

  /// Takes the answer of the nearest table that knows a key.
  @_transparent
  private func look(for key: UInt, in first: Unowned<Registry>) -> Taken {
    // The caller keeps the first registry alive, and a registry keeps its parent alive.
    var next = first
    while true {
      if let cell = next.borrow({ $0.table.find(key) }) {
        // Nil: another thread was faster.
        guard let taken = take(from: cell) else { continue }
        switch taken {
        case .found, .factory, .registry: return taken
        case .nothing: break
        }
      } else if !next.borrow({ $0.isComplete }) {
        return .registry
      }
      guard let parent = next.borrow({ $0.parent.map { Unowned($0) } }) else { return .nothing }
      next = parent
    }
  }

  /// Stores the value of a cell in memory, or claims its factory.
  ///
  /// - Returns: The answer; nil if another thread has used or changed the cell meanwhile, so that the caller looks again.
  @inline(__always)
  private func take(from cell: CellPointer) -> Taken? {
    guard let claim = cell.pointee.reference.prepare() else { return takeUnclaimed(from: cell) }
    let kind = Cell.Kind(of: claim.word)
    if kind.isIndirect {
      if !cell.pointee.reference.commit(claim) { return nil }
      cell.pointee.reference.refillIfLow(after: claim)
      if case .factory = kind { return .factory(claim, cell) }
      Unowned<Box>(address: claim.address).borrow { $0.copy(into: self) }
      cell.pointee.reference.giveBack(claim)
    } else {
      // Before the exchange, so that no register keeps the words across it. If the exchange fails, nobody reads these bytes.
      store(kind, claim.address, cell.pointee.loadWords())
      if !cell.pointee.reference.commit(claim) { return nil }
      cell.pointee.reference.refillIfLow(after: claim)
    }
    return .found
  }

  /// Stores the value of a cell that has no reference.
  @inline(__always)
  private func takeUnclaimed(from cell: CellPointer) -> Taken {
    switch cell.pointee.loadKind() {
    case .nothing: .nothing
    case .trivial: cell.pointee.loadTrivial(into: self) ? .found : .registry
    case .registry, .reference, .referenceInBuffer, .boxed, .factory: .registry
    }
  }

  // MARK: Factories

  /// Calls a factory that was claimed, if it takes exactly these arguments.
  @inline(__always)
  private func callFactory(
    _ claim: AtomicReference.Claim, of cell: CellPointer,
    _ request: Call, in registry: Unowned<Registry>, _ creation: Creation?, _ context: Context?
  ) throws(ResolutionError) -> Bool {
    defer { cell.pointee.reference.giveBack(claim) }
    let definition = Unowned<Definition>(address: claim.address)
    guard definition.borrow({ $0.arguments == request.arguments.type }) else { return false }
    do {
      try definition.borrow { definition in
        try registry.borrow { registry in
          try callForInnermostCreation(definition, request.arguments, Resolver(registry, in: creation), in: context)
        }
      }
      return true
    } catch {
      throw failure(error, of: definition.object, request, Resolver(registry.object, in: creation))
    }
  }

  @inline(never)
  private func failure(
    _ error: any Error, of definition: Definition,
    _ request: Call, _ resolver: Resolver
  ) -> ResolutionError {
    Request(
      request.type, request.label, CodeLocation(file: request.file, line: request.line), request.arguments,
      from: resolver
    ).failure(error, definition)
  }

  /// Calls a factory as `call` does, for the innermost creation for which the code with the resolver works.
  @_transparent
  private func callForInnermostCreation(
    _ definition: Definition, _ arguments: Arguments, _ resolver: Resolver, in context: Context?
  ) throws {
    try ThreadState.withCurrent { thread in
      if resolver.creation != nil || thread.mayHaveCreation(in: context) {
        let inner = Resolver(resolver.registry, in: thread.creation(in: context, or: resolver.creation))
        return try call(definition, for: definition.type, arguments, inner, in: context)
      }
      try thread.run(definition, for: definition.type, in: ObjectIdentifier(resolver.registry), around: nil) {
        try callFactory(of: definition, arguments, resolver, in: context, on: thread)
      }
    }
  }

  /// Calls a synchronous factory, which takes exactly these arguments, with the container as the current one.
  @inline(never)
  func call(
    _ definition: Definition, for type: Any.Type, _ arguments: Arguments, _ resolver: Resolver, in context: Context?
  ) throws {
    try ThreadState.withCurrent { thread in
      try thread.run(definition, for: type, in: ObjectIdentifier(resolver.registry), around: resolver.creation) {
        try callFactory(of: definition, arguments, resolver, in: context, on: thread)
      }
    }
  }

  @inline(__always)
  func callFactory(
    of definition: Definition, _ arguments: Arguments, _ resolver: Resolver, in context: Context?,
    on thread: ThreadState
  ) throws {
    if resolver.canRunFactory(in: context) { return try definition.create(resolver, arguments, self) }
    try Context.runFactory(of: resolver.registry, in: context, on: thread) {
      try definition.create(resolver, arguments, self)
    }
  }
}

extension Resolver {
  /// The resolver of the current container.
  @usableFromInline
  static var current: Resolver { Resolver(in: .current) }

  /// Creates the resolver of the container that is current in a context.
  @_transparent
  init(in context: Context?) { self.init(context?.registry ?? .shared, in: nil) }

  /// Returns a Boolean value that indicates whether a factory with the resolver can run in a context.
  @_transparent
  func canRunFactory(in context: Context?) -> Bool {
    guard let context else {
      // An object that a task of the factory creates takes the container of its lazy properties from a context.
      if case .some = creation { return false }
      return registry.isShared
    }
    if registry !== context.registry { return false }
    if case .none = creation { return true }
    return context.isOfFactory(for: creation)
  }
}

// MARK: - Values

// The functions that are inlined into client code. They provide memory on the caller's stack for the result.

extension DIContainer {
  @inlinable
  @inline(__always)
  func resolve<Value>(_ label: Label, _ file: StaticString, _ line: UInt) -> Value {
    InstanceMemory.value { memory in memory.resolve(Value.self, label, .none, file, line, from: registry, nil) }
  }

  @inlinable
  @inline(__always)
  static func resolve<Value>(_ label: Label, _ file: StaticString, _ line: UInt) -> Value {
    InstanceMemory.value { memory in memory.resolve(Value.self, label, file, line) }
  }

  @inlinable
  @inline(__always)
  static func resolve<Value, Argument>(
    _ label: Label, passing argument: Argument, _ file: StaticString, _ line: UInt, from registry: Registry?,
    _ creation: Creation? = nil
  ) -> Value {
    InstanceMemory.value { memory in
      unsafe withUnsafePointer(to: argument) {
        memory.resolve(Value.self, label, unsafe Arguments(Argument.self, at: $0), file, line, from: registry, creation)
      }
    }
  }

  @inlinable
  @inline(__always)
  static func tryResolve<Value, Argument>(
    _ label: Label, passing argument: Argument, _ file: StaticString, _ line: UInt, from registry: Registry?,
    _ creation: Creation? = nil
  ) throws(ResolutionError) -> Value {
    try InstanceMemory.value { memory throws(ResolutionError) in
      try unsafe withUnsafePointer(to: argument) { pointer throws(ResolutionError) in
        let arguments = unsafe Arguments(Argument.self, at: pointer)
        try memory.tryResolve(Value.self, label, arguments, file, line, from: registry, creation)
      }
    }
  }
}

extension Resolver {
  @inlinable
  @inline(__always)
  func resolve<Value>(_ label: Label, _ file: StaticString, _ line: UInt) -> Value {
    InstanceMemory.value { memory in memory.resolve(Value.self, label, .none, file, line, from: registry, creation) }
  }

  /// Returns an instance from a table; nil if there is none yet.
  @inlinable
  static func existing<Value>(_ label: Label, in registry: Registry?) -> Value? {
    InstanceMemory.optionalValue { memory in memory.resolveExisting(Value.self, label, from: registry) }
  }
}
