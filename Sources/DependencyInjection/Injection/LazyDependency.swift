public import Synchronization

/// The lock of all lazy dependencies: it is held for a few instructions at the first access of each.
private enum LazyLock {
  static let shared = Locked<Void>(())
}

/// A dependency that is resolved by the first access, once.
@usableFromInline
final class LazyDependency<Value>: @unchecked Sendable {
  // Unchecked: `resolved` is written once, before `isResolved` is set, and read only after it was seen set. Whether the
  // value may be shared between threads is what the wrapper's conditional conformance says.

  @usableFromInline
  let isResolved: Atomic<Bool>

  @usableFromInline
  var resolved: Value?

  private let container: DIContainer?
  private let isExplicit: Bool
  private let location: SourceLocation

  /// Who resolves it at this moment, guarded by `LazyLock`.
  private var creation: Creation?

  /// A dependency to resolve from `container`, or else from the current one.
  init(_ container: DIContainer?, _ location: SourceLocation) {
    isResolved = Atomic(false)
    self.container = container ?? (Gate.mayBeIsolated ? DIContainer.bound : nil)
    isExplicit = container != nil
    self.location = location
  }

  /// A dependency that is already there.
  init(value: Value) {
    isResolved = Atomic(true)
    resolved = value
    container = nil
    isExplicit = false
    location = SourceLocation()
  }

  /// The dependency.
  @inlinable
  var value: Value {
    if isResolved.load(ordering: .acquiring) { return unsafe resolved.unsafelyUnwrapped }
    return resolve()
  }

  @usableFromInline
  @inline(never)
  func resolve() -> Value {
    let thread = unsafe ThreadState.current
    let mine = unsafe Creation(of: nil, owner: thread)
    while !isResolved.load(ordering: .acquiring) {
      let other = LazyLock.shared.withLock { _ -> Creation? in
        // Whoever resolves it and comes back here resolves it again: a real circle is found where it closes.
        if let creation, unsafe !creation.isOwned(by: thread) { return creation }
        if creation == nil { creation = mine }
        return nil
      }
      if let other {
        // If the other thread waits for this one, go ahead without it; the first of the two values is kept.
        if unsafe other.wait(on: thread) == nil { continue }
      }
      let value: Value = source.resolve(file: location.file, line: location.line)
      let wasFirst = LazyLock.shared.withLock { _ -> Bool in
        if creation === mine { creation = nil }
        guard !isResolved.load(ordering: .relaxed) else { return false }
        resolved = value
        isResolved.store(true, ordering: .releasing)
        return true
      }
      mine.finish()
      if wasFirst { return value }
    }
    return unsafe resolved.unsafelyUnwrapped
  }

  private var source: DIContainer {
    if let container, isExplicit { return container }
    return (Gate.mayBeIsolated ? DIContainer.bound : nil) ?? container ?? .shared
  }
}
