// How a change takes effect: what it invalidates in this container, and then in the containers below.

extension DIContainer {
  /// Forgets what this container keeps for a scope.
  ///
  /// - Returns: What to release, and the children, which may keep something of its registrations for the scope.
  func endScope(_ scope: Scope) -> Invalidation {
    state.withLock { state in
      let invalidation = Invalidation(tracksKeys: false)
      invalidation.scope = scope
      for (identity, creation) in state.creations where creation.definition?.lifetime.scope == scope {
        state.creations[identity] = nil
      }
      removeInstances(from: &state, invalidation) { $0.definition.lifetime.scope == scope }
      invalidateInherited(&state, invalidation)
      return invalidation
    }
  }

  /// Releases the instance that this container keeps for a key, and what its children keep of its registration.
  func dropInstance(of key: Key) {
    propagate(
      state.withLock { state in
        let invalidation = Invalidation(tracksKeys: false)
        let own = state.registry.records[key]?.definition
        // What this container keeps of an ancestor's registration goes as well, if that is what answers.
        func isAnswer(_ definition: Definition) -> Bool {
          own.map { $0 === definition } ?? definition.hasKey { $0 == key }
        }
        if let own {
          invalidation.definitions.append(own)
          state.creations[ObjectIdentifier(own)] = nil
        }
        for (identity, inherited) in state.inheritedCreations
        where inherited.creation.definition.map(isAnswer) ?? false {
          state.inheritedCreations[identity] = nil
        }
        removeInstances(from: &state, invalidation) { isAnswer($0.definition) }
        invalidateInherited(&state, invalidation)
        updateShadowedKeys(state)
        return invalidation
      })
  }

  /// Releases the instances of this container and what its children keep of its registrations, also those that are
  /// still being created.
  func dropInstances() {
    propagate(
      state.withLock { state in
        let invalidation = Invalidation(tracksKeys: false)
        invalidation.isEverything = true
        invalidation.references = table.pointee.clearAll()
        invalidation.instances = Array(state.registry.instances.values)
        state.registry.instances = [:]
        state.creations = [:]
        invalidateInherited(&state, invalidation)
        return invalidation
      })
  }

  /// Releases the instances that depend on a key, here and below: the next resolves create them anew.
  package func dropDependents(of key: Key) {
    propagate(
      state.withLock { state in
        let invalidation = Invalidation(tracksKeys: true)
        invalidation.rebuildsDependents = true
        invalidation.add(key)
        invalidateInherited(&state, invalidation)
        return invalidation
      })
  }

  // MARK: Under the lock

  /// Removes what a record that is no longer in the registry has left in the instances and in the table.
  func removeInstance(
    of record: Registry.Record, at key: Key, from state: inout ContainerState, _ invalidation: Invalidation
  ) {
    let definition = record.definition
    clearTable(key, &state, invalidation)
    if let key = state.registry.removeImplicitKey(of: definition) {
      clearTable(key, &state, invalidation)
      invalidation.add(key)
    }
    // The same registration again starts anew as well.
    guard state.registry.records[key]?.definition === definition || !state.registry.isCurrent(definition) else {
      return
    }
    invalidation.definitions.append(definition)
    let identity = ObjectIdentifier(definition)
    // A creation in flight notices that it is no longer on the list, and is not kept.
    state.creations[identity] = nil
    guard let instance = state.registry.instances.removeValue(forKey: identity) else { return }
    invalidation.instances.append(instance)
    definition.forEachKey { key, _ in
      if state.registry.records[key]?.definition === definition { clearTable(key, &state, invalidation) }
    }
  }

  /// Removes the answer to a key from the table.
  func clearTable(_ key: Key, _ state: inout ContainerState, _ invalidation: Invalidation) {
    for key in [key, state.optionalKeys[key]].compactMap(\.self) {
      invalidation.add(table.pointee.clear(key.word))
    }
  }

  /// Removes what this container keeps of its ancestors' registrations and what a change invalidates, and finds out which
  /// children have to do the same.
  func invalidateInherited(_ state: inout ContainerState, _ invalidation: Invalidation) {
    guard invalidation.isChange else { return }
    if invalidation.rebuildsDependents { removeDependents(&state, invalidation) }
    if parent != nil {
      for (identity, inherited) in state.inheritedCreations {
        let isObsolete =
          inherited.creation.definition.map { invalidation.invalidates($0) || invalidation.changesKey(of: $0) } ?? true
        if isObsolete { state.inheritedCreations[identity] = nil }
        state.inheritedCreations[identity]?.changedKeys.formUnion(invalidation.keys)
      }
      for (identity, instance) in state.registry.instances where !state.registry.isCurrent(instance.definition) {
        guard invalidation.invalidates(instance) else {
          if invalidation.changesKey(of: instance.definition) {
            invalidation.possiblyUnreachable.append(instance.definition)
          }
          continue
        }
        state.registry.instances[identity] = nil
        invalidation.instances.append(instance)
      }
      // What it no longer keeps, it no longer shadows.
      if !invalidation.instances.isEmpty { updateShadowedKeys(state) }
    }
    // The strong references go with the invalidation: the last one to a child must not be released in here.
    if !state.children.isEmpty { invalidation.children = state.children.values.compactMap(\.container) }
  }

  /// Removes the instances of this container's own registrations that depend on what has changed.
  private func removeDependents(_ state: inout ContainerState, _ invalidation: Invalidation) {
    // What those that are being created depend on is not known yet: they go to whoever creates them, and are not kept.
    state.creations = [:]
    let registry = state.registry
    removeInstances(from: &state, invalidation) { invalidation.invalidates($0) && registry.isCurrent($0.definition) }
  }

  /// Removes some of the instances that this container keeps.
  private func removeInstances(
    from state: inout ContainerState, _ invalidation: Invalidation, where isRemoved: (Instance) -> Bool
  ) {
    for (identity, instance) in state.registry.instances where isRemoved(instance) {
      state.registry.instances[identity] = nil
      invalidation.instances.append(instance)
      instance.definition.forEachKey { key, _ in clearTable(key, &state, invalidation) }
    }
  }

  // MARK: Without the lock

  /// Invalidates what the descendants keep; what had to go is released when the invalidations are.
  func propagate(_ invalidation: Invalidation) {
    for definition in invalidation.possiblyUnreachable { removeInstanceIfUnreachable(of: definition) }
    // In a loop, because any number of containers may be nested. What the descendants leave is released when all of them
    // know of the change.
    var all: [Invalidation] = []
    var pending = invalidation.children.map { (child: $0, change: invalidation) }
    while let (child, change) = pending.popLast() {
      let invalidation = child.ancestorChanged(change)
      for definition in invalidation.possiblyUnreachable { child.removeInstanceIfUnreachable(of: definition) }
      for child in invalidation.children { pending.append((child, invalidation)) }
      all.append(invalidation)
    }
  }

  /// Releases what this container keeps of an ancestor's registration if no alias leads to it from here any more.
  private func removeInstanceIfUnreachable(of definition: Definition) {
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
    let dropped = state.withLock { state -> Instance? in
      // Unless it has just been registered here, and the instance is this container's own.
      if state.registry.isCurrent(definition) { return nil }
      return state.registry.instances.removeValue(forKey: ObjectIdentifier(definition))
    }
    _ = consume dropped
  }

  /// Forgets what a change in an ancestor makes wrong here.
  private func ancestorChanged(_ change: Invalidation) -> Invalidation {
    state.withLock { state in
      let invalidation = Invalidation(of: change, below: state.registry.records)
      invalidateInherited(&state, invalidation)
      return invalidation
    }
  }
}
