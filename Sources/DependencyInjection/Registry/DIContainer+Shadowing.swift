// Keeps the fast path from taking the answer of an ancestor to a key that a container shadows.
//
// A container that has no answer of its own in its table may take that of an ancestor, if nothing in between makes a
// difference to it: neither a registration for the same key, nor one for anything that the instance was built from. The
// ancestor's cell has these keys as a filter, and each container below has one of the keys that it shadows. If the two
// have nothing in common, the registry would give the same answer.
//
// - A reader loads the filters below while it claims the reference in the cell, so the cell does not change meanwhile, and
//   the answer was right at the moment of that load. With several containers between, that is so unless, during the few
//   nanoseconds of the loads, one of them takes over a registration that another one gives up: then neither may be seen.
// - The answer is the ancestor's own, so the ancestor alone takes it back when it changes. A descendant caches nothing of
//   it, and there is nothing to invalidate.
// - A container adds a key to its filter when it registers it, under its lock and before `register` returns. Whoever
//   resolves afterwards sees it; a resolve at the same time may have come before.
// - A filter may seem to have a key that it does not. Then the registry answers, which is only slower.
// - A container shadows the keys of an instance that it keeps of an ancestor's registration: it has its own answer.
// - A container that is observed has all keys in its filter, so the registry answers, and shows the resolve.

/// The keys that a container shadows, and those between it and one of its ancestors.
@safe
struct ShadowedKeys {
  private let container: Unmanaged<DIContainer>
  private let ancestor: Unmanaged<DIContainer>

  @inline(__always)
  init(from container: Unmanaged<DIContainer>, below ancestor: Unmanaged<DIContainer>) {
    unsafe (self.container, self.ancestor) = (container, ancestor)
  }

  /// The keys now.
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

  /// Returns whether the table of an ancestor may answer at all: nobody observes this container, and it has no defaults
  /// that its next resolve registers.
  private func mayAncestorAnswer(_ state: borrowing ContainerState) -> Bool {
    guard state.observerCount == 0 else { return false }
    if case .none = state.registry.defaults { return true }
    return Self.registering == nil
  }

  /// Finds out anew which keys this container shadows.
  func updateShadowedKeys(_ state: borrowing ContainerState) {
    if parent == nil { return }
    var shadowed = KeyFilter(state.registry.records.keys)
    shadowed.formUnion(KeyFilter(state.registry.named))
    for instance in state.registry.instances.values {
      instance.definition.forEachKey { key, _ in shadowed.insert(key) }
    }
    table.pointee.shadowed.store(mayAncestorAnswer(state) ? shadowed : .all)
  }
}
