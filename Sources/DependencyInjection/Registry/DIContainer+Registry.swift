// How a container changes what it stores. Nothing here calls out while it holds the lock: what has to go is collected
// and released afterwards, because that may run any `deinit`, which may come back and register.

extension DIContainer {
  /// Registers a list at once.
  ///
  /// - Parameters:
  ///   - list: What to register.
  ///   - isOverride: Whether it is meant to replace what is there, and so no duplicate.
  ///   - rebuildsDependents: Whether the instances go that were built from what is replaced: the next resolves build
  ///     them from what replaces it. For tests: an app that registers anew has to know who holds the old instance.
  @usableFromInline
  package func add(_ list: consuming RegistrationList, isOverride: Bool = false, rebuildsDependents: Bool = false) {
    var optionals: [(definition: Definition, type: any AnyOptional.Type)] = []
    let leftovers = state.withLock { state in
      var isDefault = false
      if case .running = state.registry.defaults { isDefault = isRegisteringDefaults }
      // Most registrations are new, and leave nothing.
      var leftovers = rebuildsDependents || hasRelatives(state) ? Leftovers(tracksKeys: true) : nil
      leftovers?.rebuildsDependents = rebuildsDependents
      let isStrict = state.rejectsDuplicates && !isOverride
      list.drain { definition in
        if isStrict { rejectDuplicates(definition, isDefault: isDefault, state) }
        definition.forEachOptional { optionals.append((definition, $0)) }
        insert(definition, isDefault: isDefault, into: &state, &leftovers)
      }
      if let leftovers { end(&state, leftovers) }
      return leftovers
    }
    for (definition, type) in optionals { CLibrary.writeError(definition.optionalWarning(type)) }
    if let leftovers { finish(leftovers) }
  }

  /// Removes the registration of a key, if it has one.
  func remove(_ key: Key) {
    let leftovers = state.withLock { state -> Leftovers? in
      var leftovers = hasRelatives(state) ? Leftovers(tracksKeys: true) : nil
      removeTripwire(from: key, in: &state, &leftovers)
      // What a `Dependency` declares is not taken back, only what overrides it.
      guard let removed = state.registry.records[key], !removed.definition.isDeclared else { return leftovers }
      state.registry.records[key] = nil
      state.registry.replaced[key] = nil
      let leftover = leftovers ?? Leftovers(tracksKeys: false)
      leftover.note(key)
      if removed.definition.label.name != nil { leftover.note(.names(of: removed.type)) }
      drop(removed, of: key, from: &state, leftover)
      end(&state, leftover)
      return leftover
    }
    if let leftovers { finish(leftovers) }
  }

  /// Makes a `Dependency`'s own registration the answer to it, unless there is one.
  func addDefault(_ declaration: Label.Declaration) {
    guard let definition = declaration.definition else { return }
    let key = Key(definition.type, definition.label)
    state.withLock { state in
      guard state.registry.records[key] == nil else { return }
      let record = Registry.Record(definition: definition, alias: -1, isDefault: true, order: state.registry.count)
      _ = state.registry.put(record, at: key)
    }
  }

  /// Forgets what this container keeps for a scope.
  ///
  /// - Returns: What to release, and the children, which may keep something of its registrations for the scope.
  func endScope(_ scope: Scope) -> Leftovers {
    state.withLock { state in
      let leftovers = Leftovers(tracksKeys: false)
      leftovers.scope = scope
      for (identity, creation) in state.creations where creation.definition?.lifetime.scope == scope {
        state.creations[identity] = nil
      }
      for (identity, instance) in state.registry.instances where instance.definition.lifetime.scope == scope {
        state.registry.instances[identity] = nil
        leftovers.instances.append(instance)
        instance.definition.forEachKey { key, _ in clearTable(key, &state, leftovers) }
      }
      end(&state, leftovers)
      return leftovers
    }
  }

  /// Releases the instances of this container and what its children keep of its registrations, also those that are
  /// still being created.
  func dropInstances() {
    finish(
      state.withLock { state in
        let leftovers = Leftovers(tracksKeys: false)
        leftovers.isEverything = true
        leftovers.unclaimed = table.clearAll()
        leftovers.instances = Array(state.registry.instances.values)
        state.registry.instances = [:]
        state.creations = [:]
        end(&state, leftovers)
        return leftovers
      })
  }

  // MARK: Under the lock

  /// Whether there are containers that share something with this one.
  private func hasRelatives(_ state: borrowing ContainerState) -> Bool { parent != nil || !state.children.isEmpty }

  private func insert(
    _ definition: consuming Definition, isDefault: Bool, into state: inout ContainerState,
    _ leftovers: inout Leftovers?
  ) {
    if definition.tripwire != nil { return insertTripwire(definition, into: &state, &leftovers) }
    if !definition.aliases.isEmpty {
      let definition = definition
      return definition.forEachKey { key, alias in
        let record = Registry.Record(
          definition: definition, alias: alias, isDefault: isDefault, order: state.registry.count)
        insert(record, at: key, into: &state, &leftovers)
      }
    }
    let key = Key(definition.type, definition.label)
    let record = Registry.Record(definition: definition, alias: -1, isDefault: isDefault, order: state.registry.count)
    insert(record, at: key, into: &state, &leftovers)
  }

  private func insert(
    _ record: consuming Registry.Record, at key: Key, into state: inout ContainerState, _ leftovers: inout Leftovers?
  ) {
    if !state.registry.tripwires.isEmpty, !record.isDefault { removeTripwire(from: key, in: &state, &leftovers) }
    let replaced = state.registry.put(record, at: key)
    // Most registrations are new, and matter to no other container: they are moved here, without another reference.
    guard leftovers != nil || replaced != nil, let record = state.registry.records[key] else { return }
    let leftovers = demand(&leftovers)
    if let replaced {
      if record.isDefault && !replaced.isDefault {
        leftovers.yielded.append(record.definition)
        state.registry.records[key] = replaced
        return
      }
      if replaced.definition !== record.definition { state.registry.replaced[key] = replaced.definition.location }
      drop(replaced, of: key, from: &state, leftovers)
    }
    // What is kept of an ancestor's does not become this container's own because the registration is the same.
    if parent != nil, let kept = state.registry.instances.removeValue(forKey: ObjectIdentifier(record.definition)) {
      leftovers.instances.append(kept)
    }
    leftovers.note(key)
    if record.definition.label.name != nil {
      leftovers.note(.names(of: record.type))
      // Only a child can shadow what somebody else has made of all names.
      if parent != nil { state.registry.named.insert(.names(of: record.type)) }
    }
  }

  /// Traps if a registration would replace another one of the same rank.
  private func rejectDuplicates(_ definition: Definition, isDefault: Bool, _ state: borrowing ContainerState) {
    if definition.tripwire != nil { return }
    definition.forEachKey { key, alias in
      guard let present = state.registry.records[key], present.isDefault == isDefault,
        present.definition !== definition
      else { return }
      fatalError(
        """
        '\(displayName(present.type, definition.label.name))' is registered twice.
          registered \(present.definition.location)
          and at     \(definition.location)
          note       \(Self.duplicateNote)
        """, file: definition.location.file, line: definition.location.line)
    }
  }

  private static var duplicateNote: String {
    "tell them apart with `named:`, call `unregister` first, or use `withOverrides`; `rejectsDuplicates` is on here"
  }

  private func insertTripwire(
    _ definition: Definition, into state: inout ContainerState, _ leftovers: inout Leftovers?
  ) {
    ResolutionObservation.begin()
    let key = Key(definition.type, definition.label)
    removeTripwire(from: key, in: &state, &leftovers)
    state.registry.tripwires[key] = definition
    let leftovers = demand(&leftovers)
    leftovers.note(key)
    clearTable(key, &state, leftovers)
  }

  private func removeTripwire(from key: Key, in state: inout ContainerState, _ leftovers: inout Leftovers?) {
    guard let removed = state.registry.tripwires.removeValue(forKey: key) else { return }
    demand(&leftovers).definitions.append(removed)
  }

  /// The leftovers of a change, which most changes do not have.
  private func demand(_ leftovers: inout Leftovers?) -> Leftovers {
    if let leftovers { return leftovers }
    let new = Leftovers(tracksKeys: false)
    leftovers = new
    return new
  }

  /// Forgets what a record that is no longer in the registry has left in the instances and in the table.
  private func drop(
    _ record: Registry.Record, of key: Key, from state: inout ContainerState, _ leftovers: Leftovers
  ) {
    let definition = record.definition
    clearTable(key, &state, leftovers)
    // The same registration again starts anew as well.
    guard state.registry.records[key]?.definition === definition || !state.registry.isCurrent(definition) else {
      return
    }
    leftovers.definitions.append(definition)
    let identity = ObjectIdentifier(definition)
    // A creation in flight notices that it is no longer on the list, and is not kept.
    state.creations[identity] = nil
    guard let instance = state.registry.instances.removeValue(forKey: identity) else { return }
    leftovers.instances.append(instance)
    definition.forEachKey { key, _ in
      if state.registry.records[key]?.definition === definition { clearTable(key, &state, leftovers) }
    }
  }

  func clearTable(_ key: Key, _ state: inout ContainerState, _ leftovers: Leftovers) {
    for key in [key, state.optionalKeys[key]].compactMap(\.self) {
      let references = table.clear(key.word)
      if references.count > 0 { leftovers.unclaimed.append(references) }
    }
  }

  /// Forgets what this container keeps of its ancestors' registrations and what a change makes wrong, and finds out
  /// which children have to do the same.
  func end(_ state: inout ContainerState, _ leftovers: Leftovers) {
    guard leftovers.isChange else { return }
    if leftovers.rebuildsDependents { dropDependents(&state, leftovers) }
    if parent != nil {
      for (identity, inherited) in state.inheritedCreations {
        let isObsolete = inherited.creation.definition.map { leftovers.concerns($0) || leftovers.affects($0) } ?? true
        if isObsolete { state.inheritedCreations[identity] = nil }
        state.inheritedCreations[identity]?.changedKeys.formUnion(leftovers.keys)
      }
      for (identity, instance) in state.registry.instances where !state.registry.isCurrent(instance.definition) {
        guard leftovers.concerns(instance) else {
          if leftovers.affects(instance.definition) { leftovers.suspects.append(instance.definition) }
          continue
        }
        state.registry.instances[identity] = nil
        leftovers.instances.append(instance)
      }
    }
    // The strong references go with the leftovers: the last one to a child must not be released in here.
    if !state.children.isEmpty { leftovers.children = state.children.values.compactMap(\.container) }
  }

  /// Forgets the instances of this container's own registrations that depend on what has changed.
  private func dropDependents(_ state: inout ContainerState, _ leftovers: Leftovers) {
    // What those that are being created depend on is not known yet: they go to whoever creates them, and are not kept.
    state.creations = [:]
    for (identity, instance) in state.registry.instances
    where leftovers.concerns(instance) && state.registry.isCurrent(instance.definition) {
      state.registry.instances[identity] = nil
      leftovers.instances.append(instance)
      instance.definition.forEachKey { key, _ in clearTable(key, &state, leftovers) }
    }
  }

  // MARK: Without the lock

  /// Releases what had to go, here and in the descendants.
  ///
  /// The leftovers release what they hold when the caller lets them go.
  func finish(_ leftovers: Leftovers) {
    for definition in leftovers.suspects { dropInstanceIfLost(of: definition) }
    // In a loop, because any number of containers may be nested. What the descendants leave is released when all of them
    // know of the change.
    var all: [Leftovers] = []
    var pending = leftovers.children.map { (child: $0, change: leftovers) }
    while let (child, change) = pending.popLast() {
      let leftovers = child.ancestorChanged(change)
      for definition in leftovers.suspects { child.dropInstanceIfLost(of: definition) }
      for child in leftovers.children { pending.append((child, leftovers)) }
      all.append(leftovers)
    }
  }

  /// Releases what this container keeps of an ancestor's registration if no alias leads to it from here any more.
  private func dropInstanceIfLost(of definition: Definition) {
    func isAnswer(to key: Key) -> Bool {
      var next: DIContainer? = self
      while let container = next {
        if let record = container.state.withLock({ $0.registry.records[key] }) {
          return record.definition === definition
        }
        next = container.parent
      }
      return false
    }
    if definition.hasKey(where: isAnswer) { return }
    let dropped = state.withLock { state -> Registry.Instance? in
      // Unless it has just been registered here, and the instance is this container's own.
      if state.registry.isCurrent(definition) { return nil }
      return state.registry.instances.removeValue(forKey: ObjectIdentifier(definition))
    }
    _ = consume dropped
  }

  /// Forgets what a change in an ancestor makes wrong here.
  private func ancestorChanged(_ change: Leftovers) -> Leftovers {
    state.withLock { state in
      let leftovers = Leftovers(tracksKeys: true)
      leftovers.isEverything = change.isEverything
      leftovers.scope = change.scope
      leftovers.rebuildsDependents = change.rebuildsDependents
      leftovers.definitions = change.definitions
      // What this container has itself hides the change from everything that is resolved through it.
      leftovers.keys = change.keys.filter { state.registry.records[$0] == nil }
      end(&state, leftovers)
      return leftovers
    }
  }
}
