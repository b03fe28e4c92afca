// These functions apply a change: they invalidate instances and answers in this container, and then in its descendants.

extension DIContainer {
  /// Removes the instances that this container keeps for a scope.
  ///
  /// - Returns: What to release, and the children, which may keep instances of its registrations for the scope.
  func endScope(_ scope: Scope) -> Invalidation {
    change { state, invalidation in
      invalidation.scope = scope
      removeInstances(from: &state, invalidation) { $0.lifetime.scope == scope }
    }
  }

  /// Releases the instance that this container keeps for a key, and the instances of its registration in the
  /// descendants.
  func dropInstance(of key: Key) {
    propagate(
      change { state, invalidation in
        let own = state.registry.records[key]?.definition
        if let own { invalidation.definitions.append(own) }
        // An instance of an ancestor's registration that this container keeps is removed as well, if that registration
        // answers the key.
        removeInstances(from: &state, invalidation) { definition in
          own.map(definition.contains) ?? definition.hasKey { $0 == key }
        }
        updateShadowedKeys(state)
      })
  }

  /// Changes or replaces the registry under the lock, and releases the instances that the new one does not have; the
  /// cost is the size of the table.
  ///
  /// Instances whose creation is in progress are not kept.
  func replaceRegistry(_ replace: (inout Registry) -> Void) {
    let invalidation = change { state, invalidation in
      invalidation.references = table.pointee.clearAll()
      invalidation.others.append(state.registry)
      invalidation.children = state.children.values.compactMap(\.container)
      // All keys at first, so that no reader sees a mix of the former and the new keys.
      table.pointee.shadowed.store(.all)
      replace(&state.registry)
      state.creations = [:]
      state.inheritedCreations = [:]
      updateShadowedKeys(state)
    }
    // For the descendants: the new registry has all the instances that this container keeps.
    invalidation.isEverything = true
    propagate(invalidation)
  }

  /// Releases the instances that depend on a key, in this container and its descendants; the next resolutions create
  /// them anew.
  package func dropDependents(of key: Key) {
    propagate(
      change(tracksKeys: true) { _, invalidation in
        invalidation.rebuildsDependents = true
        invalidation.add(key)
      })
  }

  /// Changes the state, and invalidates what depends on it in this container.
  ///
  /// - Parameters:
  ///   - tracksKeys: A Boolean value that indicates whether the changed keys are needed; nil if only relatives and
  ///     observers may need them.
  ///   - body: The change, which runs under the lock.
  /// - Returns: The consequences, to propagate to the descendants and to release.
  func change(
    tracksKeys: Bool? = false, _ body: (inout ContainerState, Invalidation) -> Void
  ) -> Invalidation {
    state.withLock { state in
      let invalidation = Invalidation(
        tracksKeys: tracksKeys
          ?? (parent != nil || !state.children.isEmpty || !state.observers.isEmpty
            || !state.registry.decorations.isEmpty))
      body(&state, invalidation)
      invalidateInherited(&state, invalidation)
      return invalidation
    }
  }

  // MARK: Under the lock

  /// Removes the instance and the table entries of a record that is no longer in the registry.
  func removeInstance(
    of record: Registry.Record, at key: Key, from state: inout ContainerState, _ invalidation: Invalidation
  ) {
    let definition = record.definition
    clearTable(key, &state, invalidation)
    if let key = state.registry.removeImplicitKey(of: definition) {
      clearTable(key, &state, invalidation)
      invalidation.add(key)
    }
    // Registering the same registration again also starts anew.
    guard state.registry.records[key]?.definition === definition || !state.registry.isCurrent(definition) else {
      return
    }
    invalidation.definitions.append(definition)
    removeInstance(ObjectIdentifier(definition), from: &state, invalidation)
  }

  /// Removes the instance of a registration, if there is one, and its answers from the table.
  func removeInstance(_ identity: ObjectIdentifier, from state: inout ContainerState, _ invalidation: Invalidation) {
    // A creation in progress notices that it is no longer in the dictionary, and its instance is not kept.
    state.creations[identity] = nil
    guard let instance = state.registry.instances.removeValue(forKey: identity) else { return }
    invalidation.instances.append(instance)
    instance.definition.forEachKey { key, _ in clearTable(key, &state, invalidation) }
  }

  /// Removes the answer to a key from the table.
  func clearTable(_ key: Key, _ state: inout ContainerState, _ invalidation: Invalidation) {
    for key in [key, state.optionalKeys[key]].compactMap(\.self) {
      invalidation.add(table.pointee.clear(key.word))
    }
  }

  /// Removes the instances of ancestors' registrations that a change invalidates, and collects the children that have
  /// to do the same.
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
      for (identity, instance) in state.registry.instances where !state.registry.isCurrent(instance.definition.root) {
        guard invalidation.invalidates(instance) else {
          if invalidation.changesKey(of: instance.definition) {
            invalidation.possiblyUnreachable.append(instance.definition)
          }
          continue
        }
        removeInstance(identity, from: &state, invalidation)
      }
      // The container no longer shadows the keys of instances that it no longer keeps.
      if !invalidation.instances.isEmpty { updateShadowedKeys(state) }
    }
    // The invalidation holds strong references, because the last reference to a child must not be released under the
    // lock.
    if !state.children.isEmpty { invalidation.children = state.children.values.compactMap(\.container) }
  }

  /// Removes the instances of this container's own registrations that depend on a changed key.
  private func removeDependents(_ state: inout ContainerState, _ invalidation: Invalidation) {
    // The dependencies of unfinished instances are unknown. Their requesters get them, and they are not kept.
    state.creations = [:]
    for (identity, instance) in state.registry.instances
    where invalidation.invalidates(instance) && state.registry.isCurrent(instance.definition) {
      removeInstance(identity, from: &state, invalidation)
    }
  }

  /// Removes the instances of the registrations that satisfy a predicate, and abandons their creations.
  private func removeInstances(
    from state: inout ContainerState, _ invalidation: Invalidation, where isRemoved: (Definition) -> Bool
  ) {
    state.creations = state.creations.filter { !($0.value.definition.map(isRemoved) ?? false) }
    state.inheritedCreations = state.inheritedCreations.filter {
      !($0.value.creation.definition.map(isRemoved) ?? false)
    }
    for (identity, instance) in state.registry.instances where isRemoved(instance.definition) {
      removeInstance(identity, from: &state, invalidation)
    }
  }

  // MARK: Without the lock

  /// Invalidates what the descendants keep.
  ///
  /// The removed instances are released together with the invalidations.
  func propagate(_ invalidation: Invalidation) {
    for definition in invalidation.possiblyUnreachable { removeInstanceIfUnreachable(of: definition) }
    // A loop, because any number of containers may be nested. The instances that the descendants remove are released
    // after all of them have applied the change.
    var all: [Invalidation] = []
    var pending = invalidation.children.map { (child: $0, change: invalidation) }
    while let (child, change) = pending.popLast() {
      let invalidation = child.ancestorChanged(change)
      for definition in invalidation.possiblyUnreachable { child.removeInstanceIfUnreachable(of: definition) }
      for child in invalidation.children { pending.append((child, invalidation)) }
      all.append(invalidation)
    }
    for observer in invalidation.observers { observer.didChange(invalidation.keys, in: self) }
  }

  /// Releases the instance of an ancestor's registration if no alias leads to that registration from this container any
  /// more.
  private func removeInstanceIfUnreachable(of definition: Definition) {
    func isAnswer(to key: Key) -> Bool {
      for container in lineage() {
        let answer = container.state.withLock { state -> Bool? in
          // One that a decorator here has made is at least a part of the answer.
          let decorated = state.registry.decorations[key]?.definitions ?? []
          if decorated.contains(where: { $0 === definition }) { return true }
          return state.registry.records[key].map { $0.definition === definition }
        }
        if let answer { return answer }
      }
      return false
    }
    if definition.hasKey(where: isAnswer) { return }
    _ = change { state, invalidation in
      // It may just have been registered with this container, which then owns the instance.
      if state.registry.isCurrent(definition) { return }
      removeInstance(ObjectIdentifier(definition), from: &state, invalidation)
    }
  }

  /// Removes what a change in an ancestor makes obsolete in this container.
  private func ancestorChanged(_ change: Invalidation) -> Invalidation {
    state.withLock { state in
      let invalidation = Invalidation(of: change, below: state.registry.records)
      removeDecorated(from: &state, invalidation)
      invalidateInherited(&state, invalidation)
      return invalidation
    }
  }
}
