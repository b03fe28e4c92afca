// The registration of dependencies. No function calls other code while it holds the lock. Removed instances are
// collected and released afterwards, because their release may run any `deinit`, which may register again.

extension DIContainer {
  /// Registers all registrations of a list at once.
  ///
  /// - Parameters:
  ///   - list: The registrations.
  ///   - isOverride: A Boolean value that indicates whether the list is meant to replace registrations, which are then
  ///     no duplicates.
  ///   - rebuildsDependents: A Boolean value that indicates whether the instances that depend on replaced registrations
  ///     are removed, so that the next resolutions build them from the new ones. Tests set it; an app that registers
  ///     anew must know which objects hold the old instance.
  @usableFromInline
  package func add(_ list: consuming RegistrationList, isOverride: Bool = false, rebuildsDependents: Bool = false) {
    SharedContainerGuard.willChange(self, list)
    let actions = list.actions
    var optionals: [(location: CodeLocation, type: any AnyOptional.Type)] = []
    let invalidation = change(tracksKeys: rebuildsDependents ? true : nil) { state, invalidation in
      invalidation.rebuildsDependents = rebuildsDependents
      var isDefault = false
      if case .running = state.registry.defaults { isDefault = isRegisteringDefaults }
      if !isDefault { invalidation.observers = state.observers }
      let isStrict = state.rejectsDuplicates && !isOverride
      list.drain { definition in
        if isStrict { rejectDuplicates(definition, isDefault: isDefault, state) }
        // What overrides a type replaces its decorators, too.
        if isOverride { for (key, _) in definition.keys { removeDecorators(of: key, from: &state, invalidation) } }
        definition.forEachKey { key, alias in
          let record = Registry.Record(
            definition: definition, alias: Int16(alias), isDefault: isDefault, order: state.registry.count)
          // No resolution finds an optional type. That of a `Dependency` is found by its declaration.
          if let optional = asOptional(record.type), !definition.isOfDependency, !record.isImplicit {
            optionals.append((definition.location, optional))
          }
          insert(record, at: key, into: &state, invalidation)
        }
      }
      removeDecorated(from: &state, invalidation)
    }
    for (location, type) in optionals {
      let mistake = "registered at \(location), but resolves nothing"
      CLibrary.writeError(type.warning(mistake, "Unwrap it first, or register"))
    }
    propagate(invalidation)
    if let actions { for action in actions { action(self) } }
  }

  /// Removes the registration and the decorators of a key, if it has any.
  func remove(_ key: Key) {
    SharedContainerGuard.willChange(self)
    propagate(
      change(tracksKeys: nil) { state, invalidation in
        // The declaration of a `Dependency` is never removed, only an override of it.
        let removed = state.registry.records[key].flatMap { $0.definition.isDeclared ? nil : $0 }
        let hadDecorators = removeDecorators(of: key, from: &state, invalidation)
        if removed == nil, !hadDecorators { return }
        invalidation.observers = state.observers
        invalidation.add(key)
        if let removed {
          state.registry.records[key] = nil
          state.registry.replaced[key] = nil
          if removed.definition.label.name != nil { invalidation.add(.names(of: removed.type)) }
          removeInstance(of: removed, at: key, from: &state, invalidation)
        }
        removeDecorated(from: &state, invalidation)
        updateShadowedKeys(state)
      })
  }

  /// Registers the declaration of a `Dependency`, unless something is registered for it.
  func addDefault(_ declaration: Label.Declaration) {
    guard let definition = declaration.definition else { return }
    let key = Key(definition.type, definition.label)
    state.withLock { state in
      guard state.registry.records[key] == nil else { return }
      let record = Registry.Record(definition: definition, alias: -1, isDefault: true, order: state.registry.count)
      _ = state.registry.put(record, at: key)
    }
  }

  // MARK: Under the lock

  private func insert(
    _ record: Registry.Record, at key: Key, into state: inout ContainerState, _ invalidation: Invalidation
  ) {
    if record.isImplicit {
      if let present = state.registry.records[key], !present.isImplicit { return }
      // A default whose aliases all yield to explicit registrations is not registered at all.
      let definition = record.definition
      if !definition.keys.contains(where: { state.registry.records[$0.key]?.definition === definition }) { return }
    }
    if let replaced = state.registry.put(record, at: key) {
      if record.isDefault && !replaced.isDefault && record.isImplicit == replaced.isImplicit {
        invalidation.others.append(record.definition)
        state.registry.records[key] = replaced
        return
      }
      if replaced.definition !== record.definition, !replaced.isImplicit {
        state.registry.replaced[key] = replaced.definition.location
      }
      removeInstance(of: replaced, at: key, from: &state, invalidation)
    } else if state.optionalKeys[key] != nil {
      // The table has the answer that nothing is registered.
      clearTable(key, &state, invalidation)
    }
    invalidation.add(key)
    if record.definition.label.name != nil { invalidation.add(.names(of: record.type)) }
    if parent == nil { return }
    shadow(key, state)
    // An instance of an ancestor's registration does not become this container's own if the same registration is added
    // here.
    removeInstance(ObjectIdentifier(record.definition), from: &state, invalidation)
    // Only a child can shadow what another container has resolved for all names.
    if record.definition.label.name != nil {
      state.registry.named.insert(.names(of: record.type))
      shadow(.names(of: record.type), state)
    }
  }

  /// Traps if a registration would replace another one of the same rank.
  private func rejectDuplicates(_ definition: Definition, isDefault: Bool, _ state: borrowing ContainerState) {
    // The declaration of a `Dependency` is meant to be overridden.
    if definition.isOfDependency { return }
    for (key, _) in definition.keys {
      guard let present = state.registry.records[key], present.isDefault == isDefault, !present.isImplicit,
        present.definition !== definition
      else { continue }
      fatalError(
        """
        '\(displayName(present.type, definition.label.name))' is registered twice.
          registered \(present.definition.location)
          and at     \(definition.location)
          note       tell them apart with `named:`, call `unregister` first, or use `withOverrides`; \
        `rejectsDuplicates` is on here
        """, file: definition.location.file, line: definition.location.line)
    }
  }
}
