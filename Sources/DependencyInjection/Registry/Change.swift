/// Everything that a change took out of a container, to be released without its lock, because a release may run any
/// `deinit`.
struct Released {
  // Most changes take out one instance and one registration: the arrays exist only if there is more.
  private var state = Record.State.empty
  private var states: [Record.State]?
  private var object: AnyObject?
  private var objects: [AnyObject]?

  @_transparent
  init() {}

  /// Takes out the state of a record; requests in progress search again, and the instances that they create are not
  /// kept.
  mutating func add(_ record: Record) {
    add(record.state)
    record.state = .obsolete
    // The record holds arguments, whose `deinit` may be the user's.
    add(record as AnyObject)
  }

  mutating func add(_ new: Record.State) {
    if case .empty = new { return }
    if case .empty = state {
      state = new
    } else if states == nil {
      states = [new]
    } else {
      states!.append(new)
    }
  }

  @_transparent
  mutating func add(_ new: consuming AnyObject?) {
    if object == nil { object = new } else { addAnother(new) }
  }

  /// Adds an object after the first one.
  @inline(never)
  private mutating func addAnother(_ new: AnyObject?) {
    guard let new else { return }
    if objects == nil { objects = [new] } else { objects!.append(new) }
  }

  /// Releases the instances, and then the registrations, because a factory may be the only owner of something that an
  /// instance uses in its `deinit`.
  mutating func release() {
    releaseInstances()
    (object, objects) = (nil, nil)
  }

  /// Releases the instances.
  ///
  /// Never inlined: the optimizer may move the release of one property below that of another, but not below a call.
  @inline(never)
  private mutating func releaseInstances() { (state, states) = (.empty, nil) }
}

extension Registry {
  /// Changes what is registered and kept.
  ///
  /// Under the lock, the change replaces the contents of cells, and takes out what is obsolete, to be released
  /// afterward. It stops at this container, because no descendant keeps anything that belongs to it.
  @_transparent
  func change(_ body: (inout ContainerState, inout Released) -> Void) {
    var released = Released()
    withLock { state in body(&state, &released) }
    released.release()
  }

  // MARK: Registering

  /// Registers all registrations of a list at once.
  ///
  /// - Parameters:
  ///   - list: The registrations.
  ///   - isOverride: A Boolean value that indicates whether the list is meant to replace registrations and their
  ///     decorators, so that none of it is a duplicate. The decorators come last in the list.
  func register(_ list: RegistrationList, isOverride: Bool) {
    // The first one is registered separately, because most lists have no other, and a debug build pays for each closure.
    change { state, released in
      if let first = list.first { register(first, isOverride: isOverride, &state, &released) }
      list.others?.forEach { register($0, isOverride: isOverride, &state, &released) }
    }
    list.first?.warnOfOptional()
    list.others?.forEach { $0.warnOfOptional() }
    if Circumstances.areObserved, isObserved {
      reportChange(of: list.keys { _ in true }, replacing: list.keys { !$0.isDecoration })
    }
  }

  /// Makes a registration the answer to its keys; under the lock.
  ///
  /// Never inlined, because it would be copied into each pass over a list.
  @inline(never)
  private func register(
    _ definition: Definition, isOverride: Bool, _ state: inout ContainerState, _ released: inout Released
  ) {
    if state.rejectsDuplicates, !isOverride { rejectDuplicates(definition, &state) }
    if !definition.isPlain, definition.isDecoration, level == 0, let declared = definition.label.declaration {
      // The outermost container has the declaration of a `Dependency` that nothing overrides.
      state.addDeclaration(declared, in: table)
    }
    if definition.hasOneKey {
      state.register(definition, at: definition.key, in: table, isOverride: isOverride, &released)
      return
    }
    for (key, _) in definition.keys {
      state.register(definition, at: key, in: table, isOverride: isOverride, &released)
    }
  }

  /// Decorates this container's own registration, if it has one.
  func decorateOwn(with decorator: Definition) {
    change { state, released in
      let present = state.cell(of: decorator.key, in: table)?.pointee.definition
      guard let present, present.inheriting == nil else { return }
      register(decorator, isOverride: true, &state, &released)
    }
  }

  /// Removes the registration and the decorators of a key.
  func unregister(_ key: Key) {
    change { state, released in
      guard let cell = state.cell(of: key, in: table), let former = cell.pointee.definition,
        // The declaration of a `Dependency` is never removed, only an override or a decorator of it.
        !(former.isDeclared && former.decoration == nil)
      else { return }
      state.replace(cell, with: nil, in: table, &released)
    }
    if isObserved { reportChange(of: [key], replacing: [key]) }
  }

  /// Reports that the answers to keys have changed.
  private func reportChange(of keys: Set<Key>, replacing replaced: Set<Key>) {
    for observer in observers { observer.didChange(keys, replacing: replaced, in: DIContainer(self)) }
  }

  /// Removes all instances, and then all registrations, because the `deinit` of an instance may resolve.
  func removeAll() {
    reset()
    change { state, released in state.removeAll(from: table, &released) }
  }

  // MARK: Instances

  /// Takes out the instances of a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - declared: The declaration, if the key is that of a `Dependency`, because the outermost container may no longer
  ///     have it.
  func reset(_ key: Key, declaredAs declared: Definition?) {
    let inherited = parent.flatMap { $0.visibleDefinition(of: key) ?? declared }
    change { state, released in
      let own = state.cell(of: key, in: table)?.pointee.definition
      if let own { state.reset(own, in: table, &released) }
      let isInherited = own == nil || own?.inheriting != nil
      if isInherited, let inherited, !inherited.belongsToOwner {
        // This container may keep its own instances of the inherited registration, and their wrappers.
        state.reset(in: table, &released) { $0.root === inherited.root }
      }
    }
  }

  /// Takes out the instances of a scope in this container and its ancestors; those of `Scope.container` in this
  /// container only.
  func reset(_ scope: Scope) {
    reset(in: scope.isContainer ? [self] : Array(lineage)) { $0.lifetime == .scoped(in: scope) }
  }

  /// Takes out all instances.
  func reset() { reset(in: [self]) }

  /// Takes out instances of several containers, which are ordered from the innermost to the outermost.
  func reset(in containers: [Registry], where isReset: (Definition) -> Bool = { _ in true }) {
    // From the root down: an instance that is created in the meantime is built from the new instances above it, or is
    // taken out when its container's turn comes. The instances are released after the last turn.
    var released = Released()
    for registry in containers.reversed() {
      registry.withLock { state in state.reset(in: registry.table, &released, where: isReset) }
    }
    released.release()
  }

  /// Takes out all instances, and keeps none from now on.
  func end() {
    change { state, released in
      state.hasEnded = true
      state.reset(in: table, &released) { _ in true }
    }
  }

  // MARK: Duplicates

  /// Traps if a registration would replace another one.
  private func rejectDuplicates(_ definition: Definition, _ state: inout ContainerState) {
    // The declaration of a `Dependency` is meant to be overridden, and what is decorated stays.
    if definition.label.declaration != nil || definition.decoration != nil { return }
    for (key, type) in definition.keys where definition.types.contains(where: { $0 == type }) {
      guard let answer = state.cell(of: key, in: table)?.pointee.definition, answer.inheriting == nil else { continue }
      let present = answer.root
      if present === definition || !present.types.contains(where: { $0 == type }) { continue }
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
  /// Returns the cell of a key, adding one if there is none.
  @_transparent
  mutating func materializedCell(of key: Key, in table: borrowing Table) -> CellPointer {
    if let cell = table.find(key.word) { return cell }
    return table.add(key.word, origin?.definition(of: key))
  }

  /// Registers the declaration of a `Dependency`, unless something is registered for it.
  mutating func addDeclaration(_ definition: Definition, in table: borrowing Table) {
    let cell = materializedCell(of: definition.key, in: table)
    // The list for copies does not change: each copy registers the declaration itself.
    if cell.pointee.definition == nil {
      cell.pointee.definition = definition
      cell.pointee.clear(.registry)
    }
  }

  /// Makes a registration the answer to a key.
  // Transparent, like everything else that one registration needs: a debug build pays for each call and each parameter.
  @_transparent
  fileprivate mutating func register(
    _ definition: Definition, at key: Key, in table: borrowing Table, isOverride: Bool, _ released: inout Released
  ) {
    let cell = materializedCell(of: key, in: table)
    guard let answer = answer(to: definition, in: cell, isOverride: isOverride) else { return }
    replace(cell, with: answer, in: table, &released)
  }

  /// Returns the new registration of a cell when another one is registered; nil if the present one stays.
  @_transparent
  private func answer(to definition: Definition, in cell: CellPointer, isOverride: Bool) -> Definition? {
    // The first test saves a debug build the call in the second test.
    if definition.isPlain || !definition.isDecoration {
      guard let present = cell.pointee.definition else { return definition }
      if present === definition { return nil }
      if present.isPlain { return definition }
    }
    return answer(to: definition, replacing: cell.pointee.definition, isOverride: isOverride)
  }

  /// Returns the new registration of a cell if it or the present one may be a decorator; nil if the present one stays.
  @inline(never)
  private func answer(to definition: Definition, replacing present: Definition?, isOverride: Bool) -> Definition? {
    if let decorator = definition.decorator {
      let isPresent = present?.ownLayers.contains { $0.decorator === decorator } == true
      return isPresent ? nil : decorator.around(present, isInherited: present == nil)
    }
    // A registration that is present already, such as one from a module that two features contain, stays as it is. An
    // override drops its decorators.
    guard let present, !isOverride else { return definition }
    return present.contains(definition) ? nil : present.decorating(definition, isInherited: false)
  }

  /// Replaces the registration of a cell, and takes out what was created from the former one.
  @_transparent
  mutating func replace(
    _ cell: CellPointer, with definition: consuming Definition?, in table: borrowing Table, _ released: inout Released
  ) {
    cell.pointee.clear(definition == nil ? .nothing : .registry)
    let (former, state) = (cell.pointee.definition, cell.pointee.state)
    cell.pointee.definition = consume definition
    cell.pointee.state = .empty
    if case .some = listed { released.add(listed.take()) }
    guard let former else { return }
    if !records.isEmpty {
      removeRecords(of: former, in: table, &released)
      // If an override removed the decorators of a registration, its state is in the cell again, and not in a record.
      if let present = cell.pointee.definition, present.hasStateInCell { removeRecords(of: present, &released) }
    }
    if case .empty = state {} else { takeOut(state, of: former, from: cell, &released) }
    released.add(former)
  }

  /// Takes out an instance, unless a new decorator wraps it.
  private mutating func takeOut(
    _ state: Record.State, of former: Definition, from cell: CellPointer, _ released: inout Released
  ) {
    guard cell.pointee.definition?.contains(former) == true else { return released.add(state) }
    let record = Record(former, [])
    record.state = state
    for record in records.updateValue([record], forKey: Record.Key(former)) ?? [] { released.add(record) }
  }

  /// Removes the records of a registration that was replaced, and of those that it decorates.
  private mutating func removeRecords(
    of former: Definition, in table: borrowing Table, _ released: inout Released
  ) {
    // An instance with several keys stays as long as one of them leads to it.
    for layer in former.ownLayers where !isRegistered(layer, in: table) { removeRecords(of: layer, &released) }
  }

  mutating func isRegistered(_ definition: Definition, in table: borrowing Table) -> Bool {
    for (key, _) in definition.keys {
      if cell(of: key, in: table)?.pointee.definition?.contains(definition) == true { return true }
    }
    return false
  }

  // MARK: Instances

  /// Takes out the instances of a registration, and of those that it decorates.
  fileprivate mutating func reset(
    _ definition: Definition, in table: borrowing Table, _ released: inout Released
  ) {
    // If it decorates what an ancestor registers, that instance stays, and so does its wrapper under another alias.
    let keys = definition.inheriting == nil ? definition.root.keys.map(\.key) : [definition.key]
    for key in keys {
      guard let cell = table.find(key.word), let present = cell.pointee.definition, present.root === definition.root
      else { continue }
      reset(cell, &released)
      for layer in present.layers { removeRecords(of: layer, &released) }
    }
  }

  /// Takes out the instances of the registrations that satisfy a predicate.
  fileprivate mutating func reset(
    in table: borrowing Table, _ released: inout Released, where isReset: (Definition) -> Bool
  ) {
    table.forEach { cell in
      if let definition = cell.pointee.definition, isReset(definition) { reset(cell, &released) }
    }
    if records.isEmpty { return }
    for (key, present) in records where present.contains(where: { isReset($0.definition) }) {
      for record in present { released.add(record) }
      records[key] = nil
    }
  }

  private func reset(_ cell: CellPointer, _ released: inout Released) {
    released.add(cell.pointee.state)
    cell.pointee.state = .empty
    cell.pointee.clear(.registry)
  }

  /// Removes the records of a registration.
  fileprivate mutating func removeRecords(of definition: Definition, _ released: inout Released) {
    if records.isEmpty { return }
    let keys =
      definition.argumentList == nil
      ? [Record.Key(definition)] : records.keys.filter { $0.definition == ObjectIdentifier(definition) }
    for key in keys {
      for record in records.removeValue(forKey: key) ?? [] { released.add(record) }
    }
  }

  /// Removes all registrations and instances.
  ///
  /// - Parameters:
  ///   - table: The table of the container.
  ///   - released: Receives what has to be released without the lock.
  ///   - kind: The answer of the cells to readers: ``Cell/Kind/registry`` if registrations are about to be added.
  mutating func removeAll(
    from table: borrowing Table, _ released: inout Released, leaving kind: Cell.Kind = .nothing
  ) {
    reset(in: table, &released) { _ in true }
    released.add(origin)
    origin = origin?.emptied
    released.add(listed.take())
    table.forEach { cell in
      released.add(cell.pointee.definition)
      cell.pointee.clear(kind)
      cell.pointee.definition = nil
    }
  }
}
