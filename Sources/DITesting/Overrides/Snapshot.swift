public import DependencyInjection

extension DIContainer {
  /// What a container had registered and created at one moment.
  ///
  /// It keeps the instances alive that existed then. Taking one costs O(1), and the first change of the container
  /// after it O(n) once, where n is the number of registrations.
  public struct Snapshot: Sendable {
    fileprivate let registry: Registry

    fileprivate let unexpectedResolves: [UnexpectedResolves]

    /// Says that what is overridden may still be put back, as long as somebody has the snapshot.
    fileprivate let pledge: Pledge?
  }

  /// Takes a snapshot of this container.
  ///
  /// - Returns: The registrations, the instances, and whether `registerDependencies` has been called.
  public func snapshot() -> Snapshot {
    Snapshot(
      registry: registry(), unexpectedResolves: ownUnexpectedResolves,
      pledge: self === DIContainer.shared ? Pledge() : nil)
  }

  /// Puts a container back into the state of a snapshot.
  ///
  /// Snapshots nest, and each can be restored any number of times, also in another container. Instances that were
  /// created since are released.
  ///
  /// - Parameter snapshot: The state to go back to.
  public func restore(_ snapshot: Snapshot) {
    setRegistry(snapshot.registry)
    // In another container, they are observers of its own.
    replaceUnexpectedResolves(with: snapshot.unexpectedResolves)
  }

  /// Takes a snapshot of the current container.
  ///
  /// - Returns: The registrations, the instances, and whether `registerDependencies` has been called.
  public static func snapshot() -> Snapshot {
    current.snapshot()
  }

  /// Puts the current container back into the state of a snapshot.
  ///
  /// - Parameter snapshot: The state to go back to.
  public static func restore(_ snapshot: Snapshot) {
    current.restore(snapshot)
  }
}

/// A snapshot of the shared container that somebody has, and so can restore.
final class Pledge: Sendable {
  private static let count = Locked(0)

  /// A Boolean value that indicates whether there is one.
  static var isGiven: Bool { count.withLock { $0 > 0 } }

  init() { Self.count.withLock { $0 += 1 } }

  deinit { Self.count.withLock { $0 -= 1 } }
}
