// Decorators. A decorated key has a registration of its own, which resolves the registration that it wraps. So it is
// created once, cached, invalidated and checked as every registration is.
//
// The first resolution of the key makes it, because a decorator may wrap what an ancestor registers later. It is removed
// with the registration that it wraps; see `removeDecorated`.

extension DIContainer {
  /// Adds a decorator to a key, outside of those that it has.
  ///
  /// - Parameters:
  ///   - decorator: The decorator.
  ///   - key: The key.
  ///   - allNames: The key that represents all names of the type, if the key has a name.
  func add(_ decorator: Decorator, to key: Key, _ allNames: Key?) {
    SharedContainerGuard.willChange(self)
    let (invalidation, observers) = state.withLock { state in
      let invalidation = Invalidation(tracksKeys: true)
      state.registry.decorations[key, default: Registry.Decoration()].decorators.append(decorator)
      clearTable(key, &state, invalidation)
      invalidation.add(key)
      if let allNames { invalidation.add(allNames) }
      removeDecorated(from: &state, invalidation)
      invalidateInherited(&state, invalidation)
      if parent != nil {
        if let allNames { state.registry.named.insert(allNames) }
        updateShadowedKeys(state)
      }
      return (invalidation, state.observers)
    }
    propagate(invalidation)
    for observer in observers { observer.didChange(invalidation.keys, in: self) }
  }

  // MARK: Under the lock

  /// Removes the decorated registrations whose key, decorators, or wrapped registration a change affects.
  func removeDecorated(from state: inout ContainerState, _ invalidation: Invalidation) {
    for (key, decoration) in state.registry.decorations {
      let isObsolete =
        invalidation.keys.contains(key) || decoration.definitions.first?.inner.map(invalidation.invalidates) ?? false
      if isObsolete { removeDecorated(key, from: &state, invalidation) }
    }
  }

  /// Returns the registrations that answer a decorated key, made anew unless they wrap a given one.
  ///
  /// - Parameters:
  ///   - record: The record of the registration to wrap.
  ///   - key: The key.
  ///   - decorators: The decorators of the key.
  ///   - state: The state of this container.
  ///   - invalidation: The consequences.
  /// - Returns: A registration for each decorator, the innermost first, and a Boolean value that indicates whether they
  ///   are new.
  func decorated(
    _ record: Registry.Record, _ key: Key, _ decorators: [Decorator], in state: inout ContainerState,
    _ invalidation: Invalidation
  ) -> (definitions: [Definition], areNew: Bool) {
    if let present = state.registry.decorations[key]?.definitions, present.first?.inner === record.definition {
      return (present, false)
    }
    removeDecorated(key, from: &state, invalidation)
    var definitions: [Definition] = []
    for decorator in decorators {
      definitions.append(
        Definition(decorating: definitions.last ?? record.definition, as: record.type, with: decorator))
    }
    state.registry.decorations[key]?.definitions = definitions
    invalidateInherited(&state, invalidation)
    return (definitions, true)
  }

  /// Removes the decorators of a key.
  ///
  /// - Returns: A Boolean value that indicates whether it had any.
  @discardableResult
  func removeDecorators(of key: Key, from state: inout ContainerState, _ invalidation: Invalidation) -> Bool {
    removeDecorated(key, from: &state, invalidation)
    return state.registry.decorations.removeValue(forKey: key) != nil
  }

  private func removeDecorated(_ key: Key, from state: inout ContainerState, _ invalidation: Invalidation) {
    guard let decorated = state.registry.decorations[key]?.definitions, !decorated.isEmpty else { return }
    state.registry.decorations[key]?.definitions = []
    clearTable(key, &state, invalidation)
    for definition in decorated {
      let identity = ObjectIdentifier(definition)
      invalidation.definitions.append(definition)
      state.creations[identity] = nil
      if let instance = state.registry.instances.removeValue(forKey: identity) {
        invalidation.instances.append(instance)
      }
    }
  }
}
