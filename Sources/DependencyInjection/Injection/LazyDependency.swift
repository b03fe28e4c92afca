public import Synchronization

/// A dependency that is resolved by the first access, once.
@usableFromInline
final class LazyDependency<Value>: LazyResolution, @unchecked Sendable {
  // Unchecked: `resolved` is written once, before `isResolved` is set, and is read only after `isResolved` was seen
  // set. The wrapper's conditional conformance to `Sendable` decides whether threads may share the value.

  @exclusivity(unchecked)
  @usableFromInline
  var resolved: Value?

  /// Creates a dependency that is resolved from `container`, or else from the container that its owner belongs to.
  @inlinable
  init(_ container: DIContainer?, _ label: Label, _ file: StaticString, _ line: UInt) {
    unsafe resolved = nil
    super.init(Value.self, container, label, file, line)
  }

  /// Creates a dependency that already has its value.
  init(value: Value) {
    unsafe resolved = value
    super.init()
  }

  /// The dependency, which the first access resolves.
  @inlinable
  var value: Value {
    if !isResolved.load(ordering: .acquiring) { resolve() }
    return unsafe resolved.unsafelyUnwrapped
  }

  @inlinable
  @inline(never)
  final func resolve() {
    let value: Value = InstanceMemory.value { memory in
      if resolve(Value.self, into: memory) { return }
      memory.initialize { unsafe resolved.unsafelyUnwrapped }
    }
    publish { unsafe resolved = value }
  }
}
