/// Leads an instance to the container that keeps it, without keeping that alive; and once the container has ended, to the
/// successor that answers in its place.
///
/// So a `deinit` may resolve, also when the end of the container is what releases the instance, and so may an instance
/// that somebody holds longer than its container.
final class ContainerReference: @unchecked Sendable {
  // Unchecked: guarded by `lock`, one for all, which is held for an assignment.
  private static let lock = Monitor<Void>(())

  private weak var container: DIContainer?
  private var successor: DIContainer?

  init(_ container: DIContainer) { self.container = container }

  /// The container, or its successor.
  var target: DIContainer {
    // Between the two there is a moment in which another thread ends the container: it is waited for.
    Self.lock.wait { _ in container ?? successor }
  }

  /// Makes a container the successor of the one that ends.
  func succeed(_ successor: DIContainer) {
    Self.lock.withLock { _ in self.successor = successor }
    Self.lock.wakeAll()
  }
}

// MARK: - The end of a container

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

  /// The number of containers that may succeed each other.
  ///
  /// Without it, instances whose `deinit` creates each other anew would never end.
  private static var maximumGeneration: Int { 100 }

  /// Releases the instances of this container, which ends, while a successor can still answer what they ask for.
  func endInstances() {
    guard var reference = state.withLock({ $0.reference.take() }), !isKnownUniquelyReferenced(&reference) else {
      return
    }
    if generation == Self.maximumGeneration {
      fatalError("The instances of a container create each other again and again while they are released.")
    }
    let unclaimed = table.clearAll()
    let successor = DIContainer(registry: takeRegistry(), parent: parent, generation: generation + 1)
    for observer in state.withLock({ $0.observers }) { successor.addObserver(observer) }
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

  /// Releases the instances one by one, the newest first, because those may depend on older ones.
  private func releaseInstances() {
    let identities = state.withLock { state in
      state.registry.instances.map { ($0.key, $0.value.order) }.sorted { $0.1 > $1.1 }.map(\.0)
    }
    for identity in identities {
      finish(
        state.withLock { state in
          let leftovers = Leftovers(tracksKeys: false)
          guard let instance = state.registry.instances.removeValue(forKey: identity) else { return leftovers }
          leftovers.instances.append(instance)
          instance.definition.forEachKey { key, _ in clearTable(key, &state, leftovers) }
          return leftovers
        })
    }
  }
}
