internal import Synchronization

/// The container that owns an instance, from which its lazy properties and the resolvers that it keeps resolve later.
///
/// During the creation, this is the container that creates the instance, and everything that is resolved from it is a
/// part of the creation. Afterwards it is the container that keeps the instance. An instance of a parent must not
/// continue to resolve from the child that happened to create it. The reference to the keeping container is weak,
/// because that container keeps the instance.
@usableFromInline
final class OwningContainer: @unchecked Sendable {
  // Unchecked: guarded by one `lock` for all owners, which is held for an assignment.
  private static let lock = Locked<Void>(())

  /// A Boolean value that indicates whether the shared container creates, and therefore keeps, the instance.
  private let isOfShared: Bool

  /// The container that creates the instance, until another one keeps it.
  private var creator: DIContainer?
  private var keeper: ContainerReference?

  /// The context of the factory, while it runs.
  private var context: CreationContext?
  private let isBeingCreated = Atomic(false)

  /// The depth of the keeper below the root, once there is one.
  private var keeperLevel = Int.max

  /// The owners of the parts of the instance, until a container keeps the instance.
  private var parts: [OwningContainer] = []

  /// The identity of the container that creates the instance.
  ///
  /// It is used only during the creation, so it is still unique.
  private let creating: ObjectIdentifier

  init(_ creator: DIContainer) {
    isOfShared = creator.isShared
    self.creator = creator
    creating = ObjectIdentifier(creator)
  }

  // MARK: During the creation

  /// Begins the creation.
  func begin(_ context: CreationContext) {
    Self.lock.withLock { _ in self.context = context }
    isBeingCreated.store(true, ordering: .releasing)
  }

  /// Ends the creation.
  func end() {
    isBeingCreated.store(false, ordering: .relaxed)
    let ended = Self.lock.withLock { _ in context.take() }
    _ = consume ended
  }

  /// Returns a Boolean value that indicates whether a container is the one that creates the instance.
  func isCreated(by container: DIContainer) -> Bool { creating == ObjectIdentifier(container) }

  /// The context of the factory that the calling thread or task has to join to work for it.
  ///
  /// It is nil if the factory has returned, or if the thread or task works for it already, or for another one.
  var contextToJoin: CreationContext? {
    // Acquiring: the factory is called after the context was stored.
    guard isBeingCreated.load(ordering: .acquiring), let context = Self.lock.withLock({ _ in context }) else {
      return nil
    }
    guard let current = CreationContext.current else { return context }
    return current !== context && context.chain.contains { $0 === current } ? context : nil
  }

  // MARK: Afterwards

  /// Makes the container that keeps the instance its owner, and the owner of its parts, unless an ancestor is already
  /// the owner.
  ///
  /// A `PerGraph` instance is such a part. It has no keeper until an instance that has one holds it.
  func transfer(to keeper: DIContainer) {
    let reference = keeper.isShared ? nil : keeper.makeReference()
    let (former, parts) = Self.lock.withLock { _ -> ((DIContainer?, ContainerReference?), [OwningContainer]) in
      guard keeper.level < keeperLevel else { return ((nil, nil), []) }
      keeperLevel = keeper.level
      defer { (self.creator, self.keeper, self.parts) = (nil, reference, []) }
      return ((self.creator, self.keeper), self.parts)
    }
    for part in parts { part.transfer(to: keeper) }
    // Released without the lock.
    withExtendedLifetime(former) {}
  }

  /// Adds the owner of a part of the instance.
  func addPart(_ part: OwningContainer) {
    // A part that the root keeps cannot move further up.
    Self.lock.withLock { _ in if part.keeperLevel > 0 { parts.append(part) } }
  }

  /// A Boolean value that indicates whether the instance has parts that may resolve later.
  var hasParts: Bool { Self.lock.withLock { _ in !parts.isEmpty } }

  /// The container to resolve from.
  var container: DIContainer {
    if isOfShared { return .shared }
    let (creator, keeper) = Self.lock.withLock { _ in (self.creator, self.keeper) }
    if let creator { return creator }
    return keeper?.target ?? .shared
  }
}
