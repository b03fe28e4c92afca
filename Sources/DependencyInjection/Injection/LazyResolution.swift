public import Synchronization

/// The part of a lazy dependency that does not depend on the type of its value.
///
/// It resolves the dependency once, however many threads access it first.
@usableFromInline
class LazyResolution: @unchecked Sendable {
  // Unchecked: everything that changes is guarded by `lock`.

  /// The lock of all lazy dependencies, which the first access of each holds for a few instructions.
  private static let lock = Locked<Void>(())

  @usableFromInline
  final let isResolved: Atomic<Bool>

  /// The source of the container; released once the dependency is resolved.
  private var origin: Origin?
  private let location: CodeLocation
  private let label: Label

  /// The resolution that other threads wait for.
  private var creation: ThreadCreation?

  /// The container to resolve from, as it was when the owner was created.
  private enum Origin {
    /// An explicit container.
    case explicit(DIContainer)

    /// The container that keeps the owner, which is a cached instance; its dependency must not depend on the first
    /// requester.
    case owner(OwningContainer)

    /// The current container, or if none has been made current, the one that was current when the owner was created.
    case current(DIContainer?)
  }

  /// Creates a dependency that is resolved from `container`, or else from the container that its owner belongs to.
  @usableFromInline
  init(_ type: Any.Type, _ container: DIContainer?, _ label: Label, _ file: StaticString, _ line: UInt) {
    isResolved = Atomic(false)
    location = CodeLocation(file: file, line: line)
    self.label = label
    if let container {
      origin = .explicit(container)
    } else if TaskContext.activeCount.load(ordering: .relaxed) == 0 {
      origin = .current(nil)
    } else if let owner = DIContainer.current.recordLazyDependency(on: type, label) {
      origin = .owner(owner)
    } else {
      origin = .current(DIContainer.bound)
    }
  }

  /// Creates a dependency that already has its value.
  init() {
    isResolved = Atomic(true)
    location = CodeLocation()
    label = .none
  }

  /// Resolves the dependency into memory, unless another thread has done so meanwhile.
  ///
  /// - Returns: A Boolean value that indicates whether it was resolved here. If so, the caller publishes it.
  @usableFromInline
  final func resolve(_ type: Any.Type, into memory: ResultMemory) -> Bool {
    let source = source
    // An existing instance is the same for every thread that gets here.
    if memory.resolveExisting(type, label, from: source) { return true }
    let mine = ThreadCreation(of: nil)
    while true {
      let (other, isDone) = Self.lock.withLock { _ -> (ThreadCreation?, Bool) in
        if isResolved.load(ordering: .relaxed) { return (nil, true) }
        // A thread that resolves the dependency and gets here again resolves it again; a real cycle is found where it
        // closes.
        if let creation, !creation.isOwn { return (creation, false) }
        if creation == nil { creation = mine }
        return (nil, false)
      }
      if isDone { return false }
      // If the other thread waits for this one, go ahead without it. The first of the two values is kept.
      if let other, other.wait() == nil { continue }
      memory.resolve(type, label, .none, location.file, location.line, from: source)
      return true
    }
  }

  /// Stores the value that was resolved, unless there is one already.
  ///
  /// - Parameter store: A closure that stores the value.
  @usableFromInline
  final func publish(_ store: () -> Void) {
    let (origin, creation) = Self.lock.withLock { _ -> (Origin?, ThreadCreation?) in
      if isResolved.load(ordering: .relaxed) { return (nil, nil) }
      store()
      isResolved.store(true, ordering: .releasing)
      // Without `take()`, so that no exclusivity check runs here.
      let (origin, creation) = (self.origin, self.creation)
      self.origin = nil
      self.creation = nil
      return (origin, creation)
    }
    creation?.finish()
    // Released without the lock.
    _ = consume origin
  }

  /// The container to resolve from; nil for the current one.
  private var source: DIContainer? {
    switch Self.lock.withLock({ _ in origin }) {
    case .explicit(let container): container
    case .owner(let owner): owner.container
    case .current(let creator): creator == nil ? nil : DIContainer.bound ?? creator
    case nil: nil
    }
  }
}
