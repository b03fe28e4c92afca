internal import Synchronization

/// The objects that a change took out of a container, to be released without its lock, because that may run any
/// `deinit`.
struct Released {
  private var references: [UnclaimedReferences] = []
  private var records: [Record] = []
  private var origins: [Registrations] = []
  private var others: [AnyObject] = []

  mutating func add(_ unclaimed: UnclaimedReferences) {
    if unclaimed.count > 0 { references.append(unclaimed) }
  }

  mutating func add(_ record: Record) {
    if case .none = record { return }
    records.append(record)
  }

  mutating func add(_ origin: Registrations?) {
    if let origin { origins.append(origin) }
  }

  mutating func add(_ object: AnyObject?) {
    if let object { others.append(object) }
  }

  consuming func release() {
    for unclaimed in references { unclaimed.release() }
  }
}

extension Registry {
  /// Changes what is registered and kept: the only way to do so.
  ///
  /// Under the lock, the change replaces records and takes out what is obsolete, which is released afterwards. It ends at
  /// this container: no descendant keeps anything of it.
  @discardableResult
  func change<Result>(_ body: (inout ContainerState, inout Released) -> Result) -> Result {
    var released = Released()
    let result = state.withLock { state in body(&state, &released) }
    released.release()
    return result
  }

  // MARK: Registering

  /// Registers all registrations of a list at once.
  ///
  /// - Parameters:
  ///   - list: The registrations.
  ///   - isOverride: A Boolean value that indicates whether the list is meant to replace registrations, which are then
  ///     no duplicates, together with their decorators.
  func register(_ list: RegistrationList, isOverride: Bool = false) {
    var optionals: [(location: CodeLocation, mistake: String, type: any AnyOptional.Type)] = []
    let isObserved = isObserved
    let keys = change { state, released in
      var keys: Set<Key> = []
      list.forEach { definition in
        if state.rejectsDuplicates, !isOverride { rejectDuplicates(definition, &state) }
        for (key, type) in definition.keys {
          let isRoot = parent == nil
          state.register(definition, at: key, in: table, isRoot: isRoot, isOverride: isOverride, &released)
          // No resolution finds an optional type. That of a `Dependency` is found by its declaration.
          if MetadataKind(of: type) == .optional, !definition.isOfDependency, let optional = asOptional(type) {
            optionals.append((definition.location, definition.decoration == nil ? "registered" : "decorated", optional))
          }
          if !isObserved { continue }
          keys.insert(key)
          if definition.label.name != nil { keys.insert(.names(of: type)) }
        }
      }
      return keys
    }
    for (location, mistake, type) in optionals {
      let advice = mistake == "decorated" ? "Decorate" : "Unwrap it first, or register"
      let effect = mistake == "decorated" ? "never resolved" : "resolves nothing"
      CLibrary.writeError(type.warning("\(mistake) at \(location), but \(effect)", advice))
    }
    if isObserved { reportChange(of: keys) }
  }

  /// Decorates a registration that this container has itself.
  func decorateOwn(with decorator: Definition) {
    change { state, released in
      for (key, _) in decorator.keys {
        guard let present = state.cell(of: key, in: table)?.pointee.record.definition, present.inherited == nil else {
          continue
        }
        state.register(decorator, at: key, in: table, isRoot: parent == nil, isOverride: true, &released)
      }
    }
  }

  /// Registers the declaration of a `Dependency`, unless something is registered for it.
  func addDeclaration(_ definition: Definition, _ key: Key) {
    change { state, released in
      let cell = state.materializedCell(of: key, in: table)
      if cell.pointee.record.definition == nil { state.replace(cell, with: definition, in: table, &released) }
    }
  }

  /// Removes the registration and the decorators of a key.
  func unregister(_ key: Key) {
    let isChanged = change { state, released in
      guard let cell = state.cell(of: key, in: table), let former = cell.pointee.record.definition,
        // The declaration of a `Dependency` is never removed, only an override or a decorator of it.
        !(former.isDeclared && former.decoration == nil)
      else { return false }
      state.replaced[key] = nil
      state.replace(cell, with: nil, in: table, &released)
      return true
    }
    if isChanged, isObserved { reportChange(of: [key]) }
  }

  /// Reports that the answers to keys have changed.
  func reportChange(of keys: Set<Key>) {
    for observer in observers { observer.didChange(keys, in: DIContainer(self)) }
  }

  /// Removes all registrations and instances.
  func removeAll() { change { state, released in state.removeAll(&released) } }

  // MARK: Instances

  /// Takes out the instances of a key.
  func reset(_ key: Key) {
    let inherited = parent?.visibleDefinition(of: key)
    change { state, released in
      if let definition = state.cell(of: key, in: table)?.pointee.record.definition {
        state.reset(definition, in: table, &released)
      } else if let inherited, inherited.lifetime.isPerContainer {
        // This container keeps an instance of its own.
        state.resetHidden(&released) { inherited.contains($0) }
      }
    }
  }

  /// Takes out the instances of a scope, here and in the ancestors, or those of each container only here.
  func reset(_ scope: Scope) {
    // From the root downwards: an instance that is created in between is built from what is new further up, or is taken
    // out when its container's turn comes. The instances are released after the last turn.
    var released = Released()
    for registry in scope.isContainer ? [self] : Array(lineage).reversed() {
      registry.state.withLock { state in state.reset(&released) { $0.lifetime.scope == scope } }
    }
    released.release()
  }

  /// Takes out all instances.
  func reset() {
    change { state, released in state.reset(&released) { _ in true } }
  }

  /// Takes out all instances of this container, and of the ancestors with which it was copied.
  func resetCopies() {
    // From the root downwards, as for a scope.
    var released = Released()
    for registry in copies.reversed() {
      registry.state.withLock { state in state.reset(&released) { _ in true } }
    }
    released.release()
  }

  /// Takes out all instances, and keeps none from now on.
  func end() {
    change { state, released in
      state.hasEnded = true
      state.reset(&released) { _ in true }
    }
  }

  // MARK: Duplicates

  /// Traps if a registration would replace another one.
  private func rejectDuplicates(_ definition: Definition, _ state: inout ContainerState) {
    // The declaration of a `Dependency` is meant to be overridden, and what is decorated stays.
    if definition.isOfDependency || definition.decoration != nil { return }
    for (key, type) in definition.keys where definition.types.contains(where: { $0 == type }) {
      guard let present = state.cell(of: key, in: table)?.pointee.record.definition?.root, present !== definition,
        present.decoration == nil, present.types.contains(where: { $0 == type })
      else { continue }
      fatalError(
        """
        '\(displayName(type, definition.label.name))' is registered twice.
          registered \(present.location)
          and at     \(definition.location)
          note       tell them apart with `named:`, call `unregister` first, or use `withOverrides`; \
        `rejectsDuplicates` is on here
        """, file: definition.location.file, line: definition.location.line)
    }
  }
}

// MARK: - Under the lock

extension ContainerState {
  /// Returns the cell of a key; nil if the container has none, and is not a copy of one that has something registered.
  mutating func cell(of key: Key, in table: borrowing Table) -> CellPointer? {
    if let cell = table.find(key.word) { return cell }
    return origin == nil ? nil : materializedCell(of: key, in: table)
  }

  /// Returns the cell of a key, which is added if there is none.
  mutating func materializedCell(of key: Key, in table: borrowing Table) -> CellPointer {
    if let cell = table.find(key.word) { return cell }
    let cell = cells.add(key.word)
    if let definition = origin?.definition(of: key) {
      cell.pointee.record = .registered(definition)
      _ = cell.pointee.clear(.registry)
    }
    table.insert(cell, cells)
    return cell
  }

  /// Makes a registration the answer to a key.
  fileprivate mutating func register(
    _ definition: Definition, at key: Key, in table: borrowing Table, isRoot: Bool, isOverride: Bool,
    _ released: inout Released
  ) {
    let cell = materializedCell(of: key, in: table)
    let present = cell.pointee.record.definition
    if let decorator = definition.decoration?.decorator {
      if let present, present.hasDecorator(decorator) { return }
      // The outermost container has the declaration of a `Dependency` that nothing overrides.
      let inner = present ?? (isRoot ? definition.label.declaration?.definition : nil)
      let decorated = Definition(decorator, around: inner.map { .own($0) } ?? .inherited(nil))
      return replace(cell, with: decorated, in: table, &released)
    }
    // What is registered already, as by a module that two features contain, stays as it is.
    if let present, present.root === definition, !isOverride || present === definition { return }
    if let present, !present.isDeclared, !present.isOpen { replaced[key] = present.root.location }
    let next = isOverride ? definition : present?.decorating(definition) ?? definition
    replace(cell, with: next, in: table, &released)
  }

  /// Replaces the registration of a cell, and takes out what has been created from it.
  mutating func replace(
    _ cell: CellPointer, with definition: Definition?, in table: borrowing Table, _ released: inout Released
  ) {
    let former = cell.pointee.record
    note(former.definition, at: cell, &released)
    if let decorated = former.definition, let definition, definition.contains(decorated) {
      // An instance that exists is what is wrapped.
      if let instance = cell.pointee.instance {
        let hiddenRecord = HiddenRecord(decorated, [])
        hiddenRecord.record = .created(instance)
        hidden[HiddenKey(definition: ObjectIdentifier(decorated), arguments: 0)] = [hiddenRecord]
      }
    }
    released.add(former)
    released.add(cell.pointee.clear(definition == nil ? .nothing : .registry))
    cell.pointee.record = definition.map { .registered($0) } ?? .none
    if hidden.isEmpty { return }
    // An instance with several keys stays as long as one of them leads to it.
    var obsolete = former.definition
    while let inner = obsolete {
      if !isRegistered(inner, in: table) { removeHidden(ObjectIdentifier(inner), &released) }
      obsolete = inner.decoration?.inner
    }
  }

  mutating func isRegistered(_ definition: Definition, in table: borrowing Table) -> Bool {
    for (key, _) in definition.keys {
      if cell(of: key, in: table)?.pointee.record.definition?.contains(definition) == true { return true }
    }
    return false
  }

  /// Removes the records of a registration; requests in progress find them no more.
  private mutating func removeHidden(_ definition: ObjectIdentifier, _ released: inout Released) {
    for (key, records) in hidden where key.definition == definition {
      for hidden in records {
        released.add(hidden.record)
        hidden.record = .none
        // It has the arguments, which are the user's.
        released.add(hidden)
      }
      hidden[key] = nil
    }
  }

  // MARK: Instances

  /// Takes out the instances of a registration, and of those that it decorates.
  fileprivate mutating func reset(
    _ definition: Definition, in table: borrowing Table, _ released: inout Released
  ) {
    for (key, _) in definition.root.keys + definition.keys {
      guard let cell = table.find(key.word), let present = cell.pointee.record.definition,
        present.root === definition.root
      else { continue }
      reset(cell, present, &released)
    }
    resetHidden(&released) { $0.root === definition.root }
  }

  /// Takes out the instances of the registrations that satisfy a predicate.
  fileprivate mutating func reset(_ released: inout Released, where isReset: (Definition) -> Bool) {
    var all: [CellPointer] = []
    cells.forEach { all.append($0) }
    for cell in all {
      if let definition = cell.pointee.record.definition, isReset(definition) { reset(cell, definition, &released) }
    }
    resetHidden(&released, where: isReset)
  }

  private mutating func reset(_ cell: CellPointer, _ definition: Definition, _ released: inout Released) {
    released.add(cell.pointee.record)
    released.add(cell.pointee.clear(.registry))
    // A creation in progress notices that it is no longer in the record, and its instance is not kept.
    cell.pointee.record = .registered(definition)
  }

  fileprivate func resetHidden(_ released: inout Released, where isReset: (Definition) -> Bool) {
    for records in hidden.values {
      for hidden in records {
        guard let definition = hidden.record.definition, isReset(definition) else { continue }
        released.add(hidden.record)
        hidden.record = .registered(definition)
      }
    }
  }

  /// Removes all registrations and instances.
  ///
  /// - Parameters:
  ///   - released: Set to what has to be released without the lock.
  ///   - kind: The answer of the cells to readers: ``Cell/Kind/registry`` if registrations are about to follow.
  mutating func removeAll(_ released: inout Released, leaving kind: Cell.Kind = .nothing) {
    detach(&released)
    released.add(origin.take())
    replaced = [:]
    for records in hidden.values {
      for hidden in records {
        released.add(hidden.record)
        hidden.record = .none
        released.add(hidden)
      }
    }
    hidden = [:]
    cells.forEach { cell in
      released.add(cell.pointee.record)
      released.add(cell.pointee.clear(kind))
      cell.pointee.record = .none
    }
  }

  // MARK: Copies

  /// Notes the registration of a cell that is going to change, for the copies of this container.
  private mutating func note(_ former: Definition?, at cell: CellPointer, _ released: inout Released) {
    if changes == nil { return }
    if isKnownUniquelyReferenced(&changes) {
      // There are no copies any more.
      released.add(changes.take())
    } else {
      changes?.note(former, at: cell.pointee.key)
    }
  }

  /// Notes all registrations, for the copies of this container, which will not ask it any more.
  mutating func detach(_ released: inout Released) {
    guard let changes = changes.take() else { return }
    cells.forEach { changes.note($0.pointee.record.definition, at: $0.pointee.key) }
    changes.complete()
    released.add(changes)
  }
}

extension AnyOptional {
  /// Returns the warning for code that does something to the optional type.
  static func warning(_ mistake: String, _ advice: String) -> String {
    let wrapped = displayName(wrappedType)
    return "warning: '\(wrapped)?' is \(mistake): '\(wrapped)?' asks for a "
      + "'\(wrapped)'. \(advice) '\(wrapped)'."
  }
}
