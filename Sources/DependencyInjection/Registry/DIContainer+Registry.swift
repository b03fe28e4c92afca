// How a container changes what it stores. Nothing here calls out while it holds the lock: what has to go is collected
// and released afterwards, because that may run any `deinit`, which may come back and register.

extension DIContainer {
  /// Registers a list at once.
  func add(_ list: RegistrationList) {
    for definition in list.definitions { definition.checkAliases() }
    let isDefault = unsafe Self.registering == nil ? false : ThreadState.current.pointee.registersDefaults
    let leftovers = state.withLock { state in
      var leftovers = Leftovers()
      for definition in list.definitions {
        for (index, key) in definition.keys {
          let record = Registry.Record(definition: definition, alias: index, isDefault: isDefault)
          insert(record, at: key, into: &state, &leftovers)
        }
      }
      return leftovers
    }
    finish(leftovers)
  }

  private func insert(
    _ record: Registry.Record, at key: Key, into state: inout ContainerState, _ leftovers: inout Leftovers
  ) {
    guard let replaced = state.registry.records.updateValue(record, forKey: key) else {
      if parent != nil { dropInherited(key, from: &state, &leftovers) }
      return
    }
    if record.isDefault && !replaced.isDefault {
      state.registry.records[key] = replaced
      return
    }
    dropRegistration(replaced, of: key, from: &state, &leftovers)
  }

  /// Forgets what a record that is no longer in the registry has left in the instances and in the table.
  private func dropRegistration(
    _ record: Registry.Record, of key: Key, from state: inout ContainerState, _ leftovers: inout Leftovers
  ) {
    leftovers.definitions.append(record.definition)
    clearTable(key, &state, &leftovers)
    // The same registration again starts anew as well.
    if state.registry.records[key]?.definition === record.definition || !state.registry.isCurrent(record.definition) {
      dropInstance(of: record.definition, from: &state, &leftovers)
      if !state.children.isEmpty { leftovers.children += state.children.values.compactMap(\.container) }
    }
    if parent != nil { dropInherited(key, from: &state, &leftovers) }
  }

  private func dropInstance(
    of definition: Definition, from state: inout ContainerState, _ leftovers: inout Leftovers
  ) {
    let identity = ObjectIdentifier(definition)
    // A creation in flight notices that it is no longer on the list, and is not kept.
    state.creations[identity] = nil
    guard let instance = state.registry.instances.removeValue(forKey: identity) else { return }
    leftovers.instances.append(instance)
    for (_, key) in definition.keys where state.registry.records[key]?.definition === definition {
      clearTable(key, &state, &leftovers)
    }
  }

  /// Forgets the instances of an ancestor's registrations that this container keeps because of `key`, or that `key`
  /// hides from now on.
  private func dropInherited(_ key: Key, from state: inout ContainerState, _ leftovers: inout Leftovers) {
    for (identity, instance) in state.registry.instances where !state.registry.isCurrent(instance.definition) {
      if instance.dependencies.keys.contains(key) || instance.definition.keys.contains(where: { $0.key == key }) {
        state.registry.instances[identity] = nil
        leftovers.instances.append(instance)
      }
    }
  }

  /// Releases what had to go, here and in the containers that have kept instances of it.
  private func finish(_ leftovers: consuming Leftovers) {
    for child in leftovers.children {
      for definition in leftovers.definitions { child.dropInherited(definition) }
    }
    leftovers.release()
  }

  /// Forgets the instance of a registration that an ancestor has replaced.
  private func dropInherited(_ definition: Definition) {
    let leftovers = state.withLock { state in
      var leftovers = Leftovers()
      leftovers.definitions.append(definition)
      if !state.registry.isCurrent(definition) { dropInstance(of: definition, from: &state, &leftovers) }
      leftovers.children = state.children.values.compactMap(\.container)
      return leftovers
    }
    finish(leftovers)
  }

  private func clearTable(_ key: Key, _ state: inout ContainerState, _ leftovers: inout Leftovers) {
    let withdrawal = table.clear(key.word)
    if withdrawal.count > 0 { leftovers.withdrawals.append(withdrawal) }
    if let optional = state.optionalKeys[key] {
      let withdrawal = table.clear(optional.word)
      if withdrawal.count > 0 { leftovers.withdrawals.append(withdrawal) }
    }
  }

  /// Removes the registration of a key, if it has one.
  func remove(_ key: Key) {
    let leftovers = state.withLock { state in
      var leftovers = Leftovers()
      if let removed = state.registry.records.removeValue(forKey: key) {
        dropRegistration(removed, of: key, from: &state, &leftovers)
      }
      return leftovers
    }
    finish(leftovers)
  }

  /// Releases the instances of this container, also those that are still being created.
  func dropInstances() {
    let leftovers = state.withLock { state in
      var leftovers = Leftovers()
      leftovers.withdrawals = table.clearAll()
      leftovers.instances = Array(state.registry.instances.values)
      state.registry.instances = [:]
      state.creations = [:]
      return leftovers
    }
    leftovers.release()
  }
}

// MARK: - Snapshots

extension DIContainer {
  /// What is stored now: O(1), and O(n) once for the first change after it.
  package func registry() -> Registry {
    state.withLock { $0.registry }
  }

  /// Puts back what was stored when the copy was taken: O(1) and the cells in use.
  package func setRegistry(_ registry: Registry) {
    let leftovers = state.withLock { state in
      var leftovers = Leftovers()
      leftovers.withdrawals = table.clearAll()
      leftovers.registry = state.registry
      state.registry = registry
      state.creations = [:]
      return leftovers
    }
    leftovers.release()
  }

  /// A container of its own with the same registrations and none of the instances.
  package func isolatedCopy() -> DIContainer {
    var registry = registry()
    registry.instances = [:]
    // A thread that is just registering the defaults does so for the original only.
    if case .running = registry.defaults { registry.defaults = .pending }
    return DIContainer(registry: registry, parent: parent)
  }

  /// The observer of this container or of its nearest ancestor that has one.
  package func nearestObserver() -> (any ResolutionObserver)? {
    state.withLock { $0.observer } ?? parent?.nearestObserver()
  }

  /// Shows every resolve to an observer from now on, or to none.
  package func setObserver(_ observer: (any ResolutionObserver)?) {
    let leftovers = state.withLock { state in
      state.observer = observer
      return Leftovers(withdrawals: table.clearAll())
    }
    ResolutionObservation.begin()
    leftovers.release()
  }
}

// MARK: - DependencyRegistering

extension DIContainer {
  /// The conformance, if the app has one.
  private static let registering: (any DependencyRegistering.Type)? =
    (DIContainer.self as Any.Type) as? any DependencyRegistering.Type

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
      unsafe thread.pointee.registersDefaults = true
      withSelfCurrent { registering.registerDependencies() }
      unsafe thread.pointee.registersDefaults = outer
      state.withLock { $0.registry.defaults = .none }
      creation.finish()
      return true
    }
    if unsafe creation.isOwned(by: thread) { return false }
    // A circle through another thread: that one is already in the middle of registering, so look at what is there.
    return unsafe creation.wait(on: thread) == nil
  }
}
