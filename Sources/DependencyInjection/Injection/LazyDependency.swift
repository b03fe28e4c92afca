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

  /// Guarded by `LazyLock`, and let go once the dependency is resolved.
  private var origin: Origin?
  private let location: SourceLocation
  private let label: Label

  /// Who resolves it at this moment, guarded by `LazyLock`.
  private var creation: ThreadCreation?

  /// Where to resolve from.
  private enum Origin {
    /// This container.
    case explicit(DIContainer)

    /// The container that keeps the owner, which is a cached instance: its dependency must not depend on who asks first.
    case owner(OwningContainer)

    /// The current container, or if none has been made current, the one that was when the owner was created.
    case current(DIContainer?)
  }

  /// A dependency to resolve from `container`, or else from the one its owner belongs to.
  init(_ container: DIContainer?, _ label: Label, _ location: SourceLocation) {
    isResolved = Atomic(false)
    self.location = location
    self.label = label
    if let container {
      origin = .explicit(container)
    } else if let owner = DIContainer.current.recordLazyDependency(on: Value.self, label) {
      origin = .owner(owner)
    } else {
      origin = .current(DIContainer.bound)
    }
  }

  /// A dependency that is already there.
  init(value: Value) {
    isResolved = Atomic(true)
    resolved = value
    origin = nil
    location = SourceLocation()
    label = .none
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
    let mine = ThreadCreation(of: nil)
    while true {
      let (other, isDone) = LazyLock.shared.withLock { _ -> (ThreadCreation?, Bool) in
        if isResolved.load(ordering: .relaxed) { return (nil, true) }
        // Whoever resolves it and comes back here resolves it again: a real cycle is found where it closes.
        if let creation, !creation.isOwn { return (creation, false) }
        if creation == nil { creation = mine }
        return (nil, false)
      }
      if isDone { return unsafe resolved.unsafelyUnwrapped }
      // If the other thread waits for this one, go ahead without it; the first of the two values is kept.
      if let other, other.wait() == nil { continue }
      let value: Value = source.resolve(label, location.file, location.line)
      let (wasFirst, done) = LazyLock.shared.withLock { _ -> (Bool, Origin?) in
        if creation === mine { creation = nil }
        guard !isResolved.load(ordering: .relaxed) else { return (false, nil) }
        resolved = value
        isResolved.store(true, ordering: .releasing)
        defer { origin = nil }
        return (true, origin)
      }
      mine.finish()
      _ = consume done
      if wasFirst { return value }
    }
  }

  private var source: DIContainer {
    switch LazyLock.shared.withLock({ _ in origin }) {
    case .explicit(let container): container
    case .owner(let owner): owner.container
    case .current(let creator): DIContainer.bound ?? creator ?? .shared
    case nil: .current
    }
  }
}
