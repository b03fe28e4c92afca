// Copies of a container's registry: snapshots, isolated containers, and lookups.

extension DIContainer {
  /// Returns a copy of the registry.
  ///
  /// The copy costs O(1), and the first change after it O(n), once.
  package func registry() -> Registry {
    state.withLock { state in
      var registry = state.registry
      // If the copy is restored, registering the defaults starts over.
      if case .running = registry.defaults {
        registry.defaults = .pending
        // What it registers again replaces the former registration; a decorator would wrap twice.
        registry.decorations = registry.decorations.compactMapValues(\.withoutDefaults)
      }
      return registry
    }
  }

  /// Restores a copy of the registry.
  ///
  /// It costs O(1), plus the size of the table, and for a child the number of its instances.
  package func setRegistry(_ registry: Registry) {
    SharedContainerGuard.willChange(self)
    replaceRegistry { current in
      var registry = registry
      if parent != nil { registry.removeInheritedInstances(unlessIn: current) }
      current = registry
    }
  }

  /// Returns an independent container without a parent that has the same registrations and none of the instances.
  ///
  /// It costs O(1), and for a child O(n), because the ancestors' registrations become its own.
  package func isolatedCopy() -> DIContainer {
    DIContainer(registry: merged())
  }

  /// Returns an independent container without a parent that has the given registrations, or none if the argument is
  /// nil.
  package static func isolated(with registry: Registry?) -> DIContainer {
    DIContainer(registry: registry ?? Registry(defaults: .none))
  }

  /// Returns the registrations of this container and its ancestors, without the instances.
  package func merged() -> Registry {
    var registry = registry()
    registry.instances = [:]
    for key in registry.decorations.keys { registry.decorations[key]?.definitions = [] }
    for ancestor in lineage().dropFirst() { registry.inherit(ancestor.registry()) }
    return registry
  }

  /// Returns the record of a key in this container, without its ancestors.
  package func record(of key: Key) -> Registry.Record? { state.withLock { $0.registry.records[key] } }

  /// Returns the registration of a key in this container, without its ancestors.
  package func definition(of key: Key) -> Definition? { record(of: key)?.definition }

  /// Returns the location of the registration that a registration has replaced last for a key.
  func replaced(by definition: Definition, at key: Key) -> CodeLocation? {
    for container in lineage() {
      let here = container.state.withLock { state in
        state.registry.records[key].map { ($0.definition === definition, state.registry.replaced[key]) }
      }
      if let (isHere, location) = here { return isHere ? location : nil }
    }
    return nil
  }

  /// A Boolean value that indicates whether `registerDependencies` is still pending for this container.
  package var lacksDefaults: Bool { state.withLock { !$0.registry.hasAllDefaults } }
}
