// The end of a container.

extension DIContainer {
  /// Returns the reference by which instances find this container or its successor.
  func makeReference() -> ContainerReference {
    state.withLock { state in
      if let reference = state.reference { return reference }
      let reference = ContainerReference(self)
      state.reference = reference
      return reference
    }
  }

  /// The maximum number of containers that may succeed each other.
  ///
  /// Without this limit, instances whose `deinit` creates each other again would never end.
  private static var maximumGeneration: Int { 100 }

  /// Releases the instances of this container, which is ending, while a successor can still resolve what they request.
  func endInstances() {
    guard var reference = state.withLock({ $0.reference.take() }), !isKnownUniquelyReferenced(&reference) else {
      return
    }
    if generation == Self.maximumGeneration {
      fatalError("The instances of a container create each other again and again while they are released.")
    }
    let unclaimed = table.pointee.clearAll()
    let successor = DIContainer(registry: takeRegistry(), parent: parent, generation: generation + 1)
    for observer in ownObservers { successor.addObserver(observer) }
    reference.succeed(successor)
    for references in unclaimed { references.release() }
    successor.releaseInstances()
  }

  private func takeRegistry() -> Registry {
    state.withLock { state in
      defer { state.registry.instances = [:] }
      return state.registry
    }
  }

  /// Releases the instances one by one, the newest first, because newer ones may depend on older ones.
  private func releaseInstances() {
    let identities = state.withLock { state in
      state.registry.instances.map { ($0.key, $0.value.order) }.sorted { $0.1 > $1.1 }.map(\.0)
    }
    for identity in identities {
      _ = change { state, invalidation in removeInstance(identity, from: &state, invalidation) }
    }
  }
}
