// How a container changes what it stores. Nothing here calls out while it holds the lock: what has to go is collected
// and released afterwards, because that may run any `deinit`, which may come back and register.

extension DIContainer {
  /// Registers a list at once.
  func add(_ list: RegistrationList) {
    list.forEach { $0.checkAliases() }
    let leftovers = state.withLock { state in
      var isDefault = false
      if case .running = state.registry.defaults { isDefault = isRegisteringDefaults }
      // Most registrations are new, and leave nothing.
      var leftovers = hasRelatives(state) ? Leftovers(tracksKeys: true) : nil
      list.forEach { insert($0, isDefault: isDefault, into: &state, &leftovers) }
      if let leftovers { end(&state, leftovers) }
      return leftovers
    }
    if let leftovers { finish(leftovers) }
  }

  /// Removes the registration of a key, if it has one.
  func remove(_ key: Key) {
    let leftovers = state.withLock { state -> Leftovers? in
      guard let removed = state.registry.records.removeValue(forKey: key) else { return nil }
      let leftovers = Leftovers(tracksKeys: hasRelatives(state))
      leftovers.note(key)
      drop(removed, of: key, from: &state, leftovers)
      end(&state, leftovers)
      return leftovers
    }
    if let leftovers { finish(leftovers) }
  }

  /// Releases the instances of this container and what its children keep of its registrations, also those that are
  /// still being created.
  func dropInstances() {
    finish(
      state.withLock { state in
        let leftovers = Leftovers(tracksKeys: false)
        leftovers.isEverything = true
        leftovers.withdrawals = table.clearAll()
        leftovers.instances = Array(state.registry.instances.values)
        state.registry.instances = [:]
        state.creations = [:]
        end(&state, leftovers)
        return leftovers
      })
  }

  /// Takes the factories out of the table that are called without making this container current.
  func forgetFactories() {
    let leftovers = Leftovers(tracksKeys: false)
    state.withLock { _ in leftovers.withdrawals = table.clearAll(.factory) }
  }

  // MARK: Under the lock

  /// Whether there are containers that share something with this one.
  private func hasRelatives(_ state: borrowing ContainerState) -> Bool { parent != nil || !state.children.isEmpty }

  private func insert(
    _ definition: Definition, isDefault: Bool, into state: inout ContainerState, _ leftovers: inout Leftovers?
  ) {
    definition.forEachKey { key, alias in
      let record = Registry.Record(definition: definition, alias: alias, isDefault: isDefault)
      insert(record, at: key, into: &state, &leftovers)
    }
  }

  private func insert(
    _ record: Registry.Record, at key: Key, into state: inout ContainerState, _ leftovers: inout Leftovers?
  ) {
    if let replaced = state.registry.records.updateValue(record, forKey: key) {
      if record.isDefault && !replaced.isDefault {
        state.registry.records[key] = replaced
        return
      }
      let leftover = leftovers ?? Leftovers(tracksKeys: false)
      leftovers = leftover
      drop(replaced, of: key, from: &state, leftover)
    }
    guard let leftovers else { return }
    // What is kept of an ancestor's does not become this container's own because the registration is the same.
    if parent != nil, let kept = state.registry.instances.removeValue(forKey: ObjectIdentifier(record.definition)) {
      leftovers.instances.append(kept)
    }
    leftovers.note(key)
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

  private func clearTable(_ key: Key, _ state: inout ContainerState, _ leftovers: Leftovers) {
    let withdrawal = table.clear(key.word)
    if withdrawal.count > 0 { leftovers.withdrawals.append(withdrawal) }
    if let optional = state.optionalKeys[key] {
      let withdrawal = table.clear(optional.word)
      if withdrawal.count > 0 { leftovers.withdrawals.append(withdrawal) }
    }
  }

  /// Forgets what this container keeps of its ancestors' registrations and what a change makes wrong, and finds out
  /// which children have to do the same.
  private func end(_ state: inout ContainerState, _ leftovers: Leftovers) {
    guard leftovers.isChange else { return }
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

  // MARK: Without the lock

  /// Releases what had to go, here and in the descendants.
  ///
  /// The leftovers release what they hold when the caller lets them go.
  private func finish(_ leftovers: Leftovers) {
    for definition in leftovers.suspects { dropInstanceIfLost(of: definition) }
    for child in leftovers.children { child.ancestorChanged(leftovers) }
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

  private func ancestorChanged(_ change: Leftovers) {
    finish(
      state.withLock { state in
        let leftovers = Leftovers(tracksKeys: true)
        leftovers.isEverything = change.isEverything
        leftovers.definitions = change.definitions
        // What this container has itself hides the change from everything that is resolved through it.
        leftovers.keys = change.keys.filter { state.registry.records[$0] == nil }
        end(&state, leftovers)
        return leftovers
      })
  }
}

// MARK: - Snapshots

extension DIContainer {
  /// What is stored now: O(1), and O(n) once for the first change after it.
  package func registry() -> Registry {
    state.withLock { state in
      var registry = state.registry
      // Whoever restores it in the middle of registering the defaults has to start over.
      if case .running = registry.defaults { registry.defaults = .pending }
      return registry
    }
  }

  /// Puts back what was stored when the copy was taken: O(1) and the nodes of the table.
  package func setRegistry(_ registry: Registry) {
    finish(
      state.withLock { state in
        let leftovers = Leftovers(tracksKeys: false)
        leftovers.isEverything = true
        leftovers.withdrawals = table.clearAll()
        leftovers.registry = state.registry
        state.registry = registry
        state.creations = [:]
        end(&state, leftovers)
        return leftovers
      })
  }

  /// A container of its own, without a parent, that has the same registrations and none of the instances.
  ///
  /// O(1), and for a child O(n), since the ancestors' registrations become its own.
  package func isolatedCopy() -> DIContainer {
    var registry = registry()
    registry.instances = [:]
    var ancestor = parent
    while let container = ancestor {
      let inherited = container.registry()
      registry.records.merge(inherited.records) { own, _ in own }
      if case .pending = inherited.defaults { registry.defaults = .pending }
      ancestor = container.parent
    }
    return DIContainer(registry: registry)
  }

  /// The observer of this container or of its nearest ancestor that has one.
  package func nearestObserver() -> (any ResolutionObserver)? {
    state.withLock { $0.observer } ?? parent?.nearestObserver()
  }

  /// Shows every resolve to an observer from now on, or to none.
  package func setObserver(_ observer: (any ResolutionObserver)?) {
    // First, so that nobody puts an answer into a table that has just been cleared.
    ResolutionObservation.begin()
    let replaced = state.withLock { state in
      defer { state.observer = observer }
      return state.observer
    }
    _ = consume replaced
    clearTable()
  }

  /// Makes the registry answer the next resolve of everything, here and in the descendants.
  private func clearTable() {
    let leftovers = Leftovers(tracksKeys: false)
    state.withLock { state in
      leftovers.withdrawals = table.clearAll()
      leftovers.children = state.children.values.compactMap(\.container)
    }
    for child in leftovers.children { child.clearTable() }
  }
}

// MARK: - DependencyRegistering

extension DIContainer {
  /// The conformance, if the app has one.
  private static let registering: (any DependencyRegistering.Type)? =
    (DIContainer.self as Any.Type) as? any DependencyRegistering.Type

  /// Whether the calling thread registers the defaults of this container.
  private var isRegisteringDefaults: Bool {
    guard Self.registering != nil else { return false }
    return unsafe ThreadState.current.pointee.registersDefaults == ObjectIdentifier(self)
  }

  /// Calls `registerDependencies`, unless that has been done or this thread is doing it.
  ///
  /// - Returns: Whether anything may have been registered, so that looking again makes sense.
  func registerDefaults(on thread: UnsafeMutablePointer<ThreadState>) -> Bool {
    guard let registering = Self.registering else {
      state.withLock { $0.registry.defaults = .none }
      return false
    }
    let (creation, isMine) = state.withLock { state -> (Creation?, Bool) in
      switch state.registry.defaults {
      case .none: return (nil, false)
      case .running(let creation): return (creation, false)
      case .pending:
        let creation = unsafe Creation(of: nil, owner: thread)
        state.registry.defaults = .running(creation)
        return (creation, true)
      }
    }
    guard let creation else { return true }
    if isMine {
      let outer = unsafe thread.pointee.registersDefaults
      unsafe thread.pointee.registersDefaults = ObjectIdentifier(self)
      withSelfCurrent { registering.registerDependencies() }
      unsafe thread.pointee.registersDefaults = outer
      state.withLock { state in
        // Unless a snapshot has been restored meanwhile, for which they are still to be registered.
        if case .running(let current) = state.registry.defaults, current === creation {
          state.registry.defaults = .none
        }
      }
      creation.finish()
      return true
    }
    if unsafe creation.isOwned(by: thread) { return false }
    // A circle through another thread: that one is already in the middle of registering, so look at what is there.
    return unsafe creation.wait(on: thread) == nil
  }
}
