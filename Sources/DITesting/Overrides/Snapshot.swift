public import DependencyInjection

extension DIContainer {
  /// The registrations and instances of a container at one moment.
  ///
  /// It keeps those instances alive. Taking one and restoring it cost O(n), where n is the number of registrations.
  public struct Snapshot: Sendable {
    fileprivate let registry: Registry.Snapshot

    fileprivate let unexpectedResolutions: [UnexpectedResolutions]

    /// Keeps changes of the shared container from being reported, as long as the snapshot exists.
    fileprivate let changes: RestorableChanges?
  }

  /// Takes a snapshot of this container.
  ///
  /// - Returns: The registrations, the instances, and whether `registerDependencies` has been called.
  public func snapshot() -> Snapshot {
    Snapshot(
      registry: registry.snapshot(), unexpectedResolutions: ownUnexpectedResolutions,
      changes: self == DIContainer.shared ? RestorableChanges() : nil)
  }

  /// Restores the registrations and instances of a snapshot.
  ///
  /// Snapshots nest, and each can be restored any number of times, also in another container. Instances that were
  /// created since are released. A child brings back an instance of an ancestor's registration only if it has not lost that
  /// instance since.
  ///
  /// - Parameter snapshot: The snapshot.
  public func restore(_ snapshot: Snapshot) {
    restore(snapshot.registry)
    // In another container, they are observers of its own.
    replaceUnexpectedResolutions(with: snapshot.unexpectedResolutions)
  }

  /// Takes a snapshot of the current container.
  ///
  /// - Returns: The registrations, the instances, and whether `registerDependencies` has been called.
  public static func snapshot() -> Snapshot {
    current.snapshot()
  }

  /// Restores the registrations and instances of a snapshot in the current container.
  ///
  /// - Parameter snapshot: The snapshot.
  public static func restore(_ snapshot: Snapshot) {
    current.restore(snapshot)
  }
}

/// The changes of the shared container that a snapshot can take back, as long as the snapshot exists.
final class RestorableChanges: Sendable {
  private static let count = Locked(0)

  /// A Boolean value that indicates whether a snapshot of the shared container exists.
  static var exist: Bool { count.withLock { $0 > 0 } }

  init() { Self.count.withLock { $0 += 1 } }

  deinit { Self.count.withLock { $0 -= 1 } }
}
