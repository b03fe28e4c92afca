// Decorators. A decorated key has a registration of its own, which resolves the registration that it wraps. So it is
// created once, cached, invalidated and checked as every registration is.
//
// The first resolution of the key makes it, because a decorator may wrap what an ancestor registers later. It is removed
// with the registration that it wraps; see `removeDecorated`.

extension DIContainer {
  /// Adds a decorator to the key of a type and a label, outside of those that it has.
  func add<Value>(_ decorator: Decorator, to type: Value.Type, _ label: Label) {
    SharedContainerGuard.willChange(self)
    let key = Key(type, label)
    let allNames: Key? = label.name == nil ? nil : .names(of: type)
    if label.declaration == nil, let optional = asOptional(type) {
      CLibrary.writeError(optional.warning("decorated at \(decorator.location), but never resolved", "Decorate"))
    }
    let invalidation = change(tracksKeys: true) { state, invalidation in
      invalidation.observers = state.observers
      state.registry.decorations[key, default: Registry.Decoration()].decorators.append(decorator)
      clearTable(key, &state, invalidation)
      invalidation.add(key)
      if let allNames { invalidation.add(allNames) }
      removeDecorated(from: &state, invalidation)
      if parent != nil {
        if let allNames { state.registry.named.insert(allNames) }
        updateShadowedKeys(state)
      }
    }
    propagate(invalidation)
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
  ///   - owner: The container that has it: this one or an ancestor.
  ///   - key: The key.
  ///   - decorators: The decorators of the key.
  ///   - state: The state of this container.
  ///   - invalidation: The consequences.
  /// - Returns: A registration for each decorator, the innermost first, or none if the registration to wrap is out of
  ///   date; and a Boolean value that indicates whether to search again.
  func decorated(
    _ record: Registry.Record, of owner: DIContainer, _ key: Key, _ decorators: [Decorator],
    in state: inout ContainerState, _ invalidation: Invalidation
  ) -> (definitions: [Definition], needsSearch: Bool) {
    if let present = state.registry.decorations[key]?.definitions, present.first?.inner === record.definition {
      return (present, false)
    }
    // A registration that has been replaced since the search must not remove what wraps its replacement. The locks are
    // nested in one direction only: that of an ancestor inside of that of its descendant.
    let isCurrent =
      owner === self
      ? state.registry.isCurrent(record.definition)
      : owner.state.withLock { $0.registry.isCurrent(record.definition) }
    if !isCurrent { return ([], true) }
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
  /// The invalidation releases them, after the lock.
  ///
  /// - Returns: A Boolean value that indicates whether it had any.
  @discardableResult
  func removeDecorators(of key: Key, from state: inout ContainerState, _ invalidation: Invalidation) -> Bool {
    removeDecorated(key, from: &state, invalidation)
    guard let removed = state.registry.decorations.removeValue(forKey: key) else { return false }
    invalidation.others.append(removed)
    return true
  }

  private func removeDecorated(_ key: Key, from state: inout ContainerState, _ invalidation: Invalidation) {
    guard let decorated = state.registry.decorations[key]?.definitions, !decorated.isEmpty else { return }
    state.registry.decorations[key]?.definitions = []
    clearTable(key, &state, invalidation)
    for definition in decorated {
      invalidation.definitions.append(definition)
      removeInstance(ObjectIdentifier(definition), from: &state, invalidation)
    }
  }
}
