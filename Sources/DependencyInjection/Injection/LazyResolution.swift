public import Synchronization

/// The part of a lazy dependency that does not depend on the type of its value.
///
/// It resolves the dependency once, however many threads access it first.
@usableFromInline
class LazyResolution: @unchecked Sendable {
  // Unchecked: everything that changes is guarded by `lock`.

  /// The lock of all lazy dependencies, which the first access of each holds for a few instructions.
  private static let lock = Lock()

  private typealias Origin = () -> Registry?

  @usableFromInline
  final let isResolved: Atomic<Bool>
  /// The closure that returns the container to resolve from: the given one, or the one that was current when the owner
  /// was created.
  ///
  /// It keeps the registry of that container, unless the container keeps the owner. It is nil if the dependency is
  /// resolved from the container that is current at the first access.
  private var origin: Origin?
  private let location: CodeLocation
  private let label: Label
  /// The resolution that other threads wait for.
  private var creation: Creation?

  /// Creates a dependency that is resolved from `container`, or else from the container that was made current here, or
  /// whose factory runs here; without either, from the one that is current at the first access.
  @usableFromInline
  init(_ type: Any.Type, _ container: DIContainer?, _ label: Label, _ file: StaticString, _ line: UInt) {
    isResolved = Atomic(false)
    location = CodeLocation(file: file, line: line)
    self.label = label
    // Never the handle, which would keep the container alive.
    if let registry = container?.registry ?? Context.current?.registry {
      origin = { registry }
    } else if ThreadState.current.innermostFrame != nil {
      // A factory of the shared container, because every other factory has a context.
      origin = { .shared }
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
  final func resolve(_ type: Any.Type, into memory: InstanceMemory) -> Bool {
    let origin = Self.lock.withLock { self.origin?() }
    // Threads that load different instances all publish theirs: the first one is kept.
    if memory.resolveExisting(type, label, from: origin) { return true }
    let context = Context.current
    let source = origin ?? Resolver(in: context).registry
    let thread = ThreadState.current
    let outer = thread.creation(in: context)
    let mine = Creation(nil, as: type, for: source, in: outer, inside: thread.innermostFrame)
    var first = mine
    while true {
      let isDone = Self.lock.withLock {
        if isResolved.load(ordering: .relaxed) { return true }
        // A creation that ended without a value was abandoned.
        first = creation?.ifRunning ?? mine
        creation = first
        return false
      }
      if isDone { return false }
      // A thread goes ahead if it is resolving the dependency already, or if the other thread waits for it: a real
      // cycle is found where it closes, and the first of the two values is kept.
      if first === mine || thread.isCreating(first) { break }
      do { _ = try first.waitOnThread(in: outer) } catch { break }
    }
    thread.begin(mine)
    memory.resolve(type, label, .none, location.file, location.line, from: source, mine)
    thread.end(mine)
    // The first creation ends when a value is published.
    if first !== mine { mine.end() }
    return true
  }

  /// Stops keeping the origin, if it or an ancestor keeps the owner.
  fileprivate final func releaseOrigin(ifKeptBy owner: Registry) {
    let released = Self.lock.withLock {
      let origin = self.origin?()
      if let origin, origin.lineage.contains(where: { $0 === owner }) {
        // Counted like an observer, so that the container ends even if nothing else refers to the registry: what the
        // property resolves may keep the registry.
        origin.countObservers(1)
        self.origin = { [weak origin] in origin }
      }
      return origin
    }
    // Released without the lock.
    _ = consume released
  }

  /// Stores the value that was resolved, unless there is one already.
  ///
  /// - Parameter store: A closure that stores the value.
  @usableFromInline
  final func publish(_ store: () -> Void) {
    let (origin, creation) = Self.lock.withLock { () -> (Origin?, Creation?) in
      if isResolved.load(ordering: .relaxed) { return (nil, nil) }
      store()
      isResolved.store(true, ordering: .releasing)
      // Without `take()`, so that no exclusivity check runs here.
      let (origin, creation) = (self.origin, self.creation)
      self.origin = nil
      self.creation = nil
      return (origin, creation)
    }
    creation?.end()
    // Released without the lock.
    _ = consume origin
  }
}

extension Registry {
  /// Stops the unread lazy properties of an object from keeping this container, because the container keeps the object.
  ///
  /// - Parameter object: An object that only this container has.
  package func releaseLazyProperties(of object: AnyObject) {
    for property in storedProperties(of: type(of: object)) where property.type is any LazyProperty.Type {
      // Sound: both wrappers consist of one reference, which nobody changes, because no other code refers to the
      // object.
      let lazy = unsafe Unmanaged.passUnretained(object).toOpaque()
        .load(fromByteOffset: property.offset, as: LazyResolution.self)
      lazy.releaseOrigin(ifKeptBy: self)
    }
  }
}

private protocol LazyProperty {}

extension LazyInject: LazyProperty {}
extension MutableLazyInject: LazyProperty {}

/// A dependency that is resolved once, by the first access.
// The layout is fixed, because a client of a binary framework inlines the initializer.
@usableFromInline
@_fixed_layout
final class LazyDependency<Value>: LazyResolution, @unchecked Sendable {
  // Unchecked: `resolved` is written once, before `isResolved` is set, and is read only after `isResolved` was seen
  // set. The wrapper's conditional conformance to `Sendable` decides whether threads may share the value.

  @safe @exclusivity(unchecked)
  @usableFromInline
  var resolved: Value?

  /// Creates a dependency that is resolved from `container`, or else from the one that `LazyResolution` chooses.
  @inlinable
  init(_ container: DIContainer?, _ label: Label, _ file: StaticString, _ line: UInt) {
    resolved = nil
    super.init(Value.self, container, label, file, line)
  }

  /// Creates a dependency that already has its value.
  init(value: Value) {
    resolved = value
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
    // Sound: until now, `resolved` is nil, which owns nothing. An assignment would destroy the nil, at a cost for each type.
    publish { unsafe withUnsafeMutablePointer(to: &resolved) { unsafe $0.initialize(to: value) } }
  }
}
