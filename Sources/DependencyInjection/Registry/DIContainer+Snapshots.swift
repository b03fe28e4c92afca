// How what a container stores is copied, put back and listed.

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
    SharedContainerGuard.willChange(self)
    propagate(
      state.withLock { state in
        let invalidation = Invalidation(tracksKeys: false)
        invalidation.isEverything = true
        invalidation.references = table.pointee.clearAll()
        invalidation.registry = state.registry
        state.registry = registry
        // First all keys, so that nobody sees a part of the former ones and a part of the new.
        table.pointee.shadowed.store(.all)
        state.creations = [:]
        invalidateInherited(&state, invalidation)
        updateShadowedKeys(state)
        return invalidation
      })
  }

  /// A container of its own, without a parent, that has the same registrations and none of the instances.
  ///
  /// O(1), and for a child O(n), since the ancestors' registrations become its own.
  package func isolatedCopy() -> DIContainer {
    DIContainer(registry: merged())
  }

  /// A container of its own, without a parent, that has these registrations; none if it is nil.
  package static func isolated(with registry: Registry?) -> DIContainer {
    DIContainer(registry: registry ?? Registry(defaults: .none))
  }

  /// What is registered here and in the ancestors, without the instances.
  package func merged() -> Registry {
    var registry = registry()
    registry.instances = [:]
    var ancestor = parent
    while let container = ancestor {
      registry.inherit(container.registry())
      ancestor = container.parent
    }
    return registry
  }

  /// What answers a key in this container itself.
  package func record(of key: Key) -> Registry.Record? { state.withLock { $0.registry.records[key] } }

  /// The registration that answers a key in this container itself.
  package func definition(of key: Key) -> Definition? { record(of: key)?.definition }

  /// A Boolean value that indicates whether `registerDependencies` has still to be called for this container.
  package var lacksDefaults: Bool {
    guard Self.registering != nil else { return false }
    return state.withLock { state in
      if case .none = state.registry.defaults { return false }
      return true
    }
  }
}
