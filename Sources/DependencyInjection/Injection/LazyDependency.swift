public import Synchronization

/// A dependency that is resolved by the first access, once.
@usableFromInline
final class LazyDependency<Value>: LazyResolution, @unchecked Sendable {
  // Unchecked: `resolved` is written once, before `isResolved` is set, and read only after it was seen set. Whether the
  // value may be shared between threads is what the wrapper's conditional conformance says.

  @exclusivity(unchecked)
  @usableFromInline
  var resolved: Value?

  /// A dependency to resolve from `container`, or else from the one its owner belongs to.
  @inlinable
  init(_ container: DIContainer?, _ label: Label, _ file: StaticString, _ line: UInt) {
    unsafe resolved = nil
    super.init(Value.self, container, label, file, line)
  }

  /// A dependency that is already there.
  init(value: Value) {
    unsafe resolved = value
    super.init()
  }

  /// The dependency.
  @inlinable
  var value: Value {
    if !isResolved.load(ordering: .acquiring) { resolve() }
    return unsafe resolved.unsafelyUnwrapped
  }

  @inlinable
  @inline(never)
  final func resolve() {
    let value: Value = ResultMemory.value { memory in
      if resolve(Value.self, into: memory) { return }
      memory.instance.initialize { unsafe resolved.unsafelyUnwrapped }
    }
    publish { unsafe resolved = value }
  }
}
