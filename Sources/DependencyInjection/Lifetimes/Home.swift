internal import Synchronization

/// The container that an instance belongs to, for whatever of it resolves later: lazy properties and kept resolvers.
///
/// While the instance is being created, that is the container that creates it, and what is resolved from here is a part of
/// the creation. Afterwards it is the one that keeps the instance: an instance of a parent must not go on resolving from
/// the child that happened to create it. That one is not kept alive, because it keeps the instance.
@usableFromInline
final class Home: @unchecked Sendable {
  // Unchecked: guarded by `lock`, one for all, which is held for an assignment.
  private static let lock = Locked<Void>(())

  /// Whether the shared container creates the instance, which then keeps it.
  private let isOfShared: Bool

  /// The container that creates, until another one keeps the instance.
  private var creator: DIContainer?
  private var keeper: ContainerReference?

  /// The context of the factory, while it runs.
  private var context: CreationContext?
  private let isBeingCreated = Atomic(false)

  /// How far below the root the keeper is, once there is one.
  private var settledLevel = Int.max

  /// The homes of what the instance is made of, until it is settled itself.
  private var adopted: [Home] = []

  /// The container that creates.
  ///
  /// Asked for only while it does, so that the identity is still its own.
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

  /// Whether this container is creating the instance.
  func isCreated(by container: DIContainer) -> Bool { creating == ObjectIdentifier(container) }

  /// The context of the factory that the calling thread or task has to join so as to work for it.
  ///
  /// It is nil if the factory has returned, and if the thread or task works for it already, or for another one.
  var contextToJoin: CreationContext? {
    // Acquiring: the factory has been called after the context was stored.
    guard isBeingCreated.load(ordering: .acquiring), let context = Self.lock.withLock({ _ in context }) else {
      return nil
    }
    guard let current = CreationContext.current else { return context }
    return current !== context && context.chain.contains { $0 === current } ? context : nil
  }

  // MARK: Afterwards

  /// Makes the container that keeps the instance its home, unless an ancestor of it is that already.
  ///
  /// And that of what the instance is made of: a `PerGraph` instance has no keeper until something holds it that has.
  func settle(in keeper: DIContainer) {
    let reference = keeper.isShared ? nil : keeper.makeReference()
    let (former, adopted) = Self.lock.withLock { _ -> ((DIContainer?, ContainerReference?), [Home]) in
      guard keeper.level < settledLevel else { return ((nil, nil), []) }
      settledLevel = keeper.level
      defer { (self.creator, self.keeper, self.adopted) = (nil, reference, []) }
      return ((self.creator, self.keeper), self.adopted)
    }
    for home in adopted { home.settle(in: keeper) }
    // Released without the lock.
    withExtendedLifetime(former) {}
  }

  /// Notes that the instance is made of another one.
  func adopt(_ other: Home) {
    // What the root keeps can go no further up.
    Self.lock.withLock { _ in if other.settledLevel > 0 { adopted.append(other) } }
  }

  /// Whether the instance is made of others that may resolve later.
  var hasAdopted: Bool { Self.lock.withLock { _ in !adopted.isEmpty } }

  /// The container to resolve from.
  @usableFromInline
  var container: DIContainer {
    if isOfShared { return .shared }
    let (creator, keeper) = Self.lock.withLock { _ in (self.creator, self.keeper) }
    if let creator { return creator }
    return keeper?.target ?? .shared
  }
}
