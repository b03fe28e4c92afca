// The condition under which the fast path may use the answer of an ancestor's table.
//
// A container without an answer in its own table may use that of an ancestor, if no container in between would change
// it. Such a container would have a registration for the same key, or for a key on which the instance depends. The
// ancestor's cell has these keys as a filter. Each container below has a filter of the keys that it shadows. If the
// filters have nothing in common, the registry would give the same answer.
//
// - A reader loads the filters below while it claims the reference in the cell. So the cell does not change meanwhile,
//   and the answer was right at the moment of that load. With several containers in between, there is one exception:
//   if, during the few nanoseconds of the loads, one of them takes over a registration that another one gives up, the
//   reader may see neither.
// - The answer is the ancestor's own, so only the ancestor removes it when it changes. A descendant caches none of it,
//   so there is nothing to invalidate.
// - A container adds a key to its filter when it registers the key, under its lock and before `register` returns. Every
//   later resolution sees it. A resolution at the same time may have come before.
// - A filter may seem to contain a key that it does not. Then the registry answers, which is only slower.
// - A container shadows the keys of an instance that it keeps for an ancestor's registration, because it has its own
//   answer.
// - The filter of an observed container contains all keys, so the registry answers, and reports the resolution.

/// The keys that a container, and the containers between it and one of its ancestors, shadow.
@safe
struct ShadowedKeys {
  private let container: Unmanaged<DIContainer>
  private let ancestor: Unmanaged<DIContainer>

  @inline(__always)
  init(from container: Unmanaged<DIContainer>, below ancestor: Unmanaged<DIContainer>) {
    unsafe (self.container, self.ancestor) = (container, ancestor)
  }

  /// Returns the keys that are shadowed now.
  func load() -> KeyFilter {
    var shadowed = KeyFilter()
    var next: Unmanaged<DIContainer>? = unsafe container
    // Sound: a container keeps its ancestors.
    while let container = unsafe next, unsafe container.toOpaque() != ancestor.toOpaque() {
      unsafe shadowed.formUnion(container._withUnsafeGuaranteedRef { $0.table }.pointee.shadowed.load())
      unsafe next = container._withUnsafeGuaranteedRef { unsafe $0.parent?.unretained }
    }
    return shadowed
  }
}

extension DIContainer {
  /// Adds a key to those that this container shadows.
  func shadow(_ key: Key, _ state: borrowing ContainerState) {
    guard mayAncestorAnswer(state) else { return }
    var shadowed = table.pointee.shadowed.load()
    shadowed.insert(key)
    table.pointee.shadowed.store(shadowed)
  }

  /// Returns a Boolean value that indicates whether the table of an ancestor may answer: nobody observes this
  /// container, and it has no pending defaults.
  private func mayAncestorAnswer(_ state: borrowing ContainerState) -> Bool {
    state.observerCount == 0 && state.registry.hasAllDefaults
  }

  /// Recomputes the keys that this container shadows.
  func updateShadowedKeys(_ state: borrowing ContainerState) {
    if parent == nil { return }
    var shadowed = KeyFilter(state.registry.records.keys)
    shadowed.formUnion(KeyFilter(state.registry.decorations.keys))
    shadowed.formUnion(KeyFilter(state.registry.named))
    for instance in state.registry.instances.values {
      instance.definition.forEachKey { key, _ in shadowed.insert(key) }
    }
    table.pointee.shadowed.store(mayAncestorAnswer(state) ? shadowed : .all)
  }
}
