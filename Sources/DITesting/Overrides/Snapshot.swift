public import DependencyInjection

extension DIContainer {
  /// The registrations and instances of a container at one moment.
  ///
  /// It keeps those instances alive. Taking one and restoring it cost O(n), where n is the number of registrations.
  public struct Snapshot: Sendable {
    fileprivate let registry: Registry.Snapshot

    /// The number of the container.
    fileprivate let container: Int

    fileprivate let location: CodeLocation

    fileprivate let unexpectedResolutions: [UnexpectedResolutions]

    /// Keeps changes of the shared container from being reported, as long as the snapshot exists.
    fileprivate let changes: RestorableChanges?
  }

  /// Takes a snapshot of this container.
  ///
  /// - Parameters:
  ///   - file: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  /// - Returns: The registrations, the instances, and whether `registerDependencies` has been called.
  public func snapshot(file: StaticString = #fileID, line: UInt = #line) -> Snapshot {
    Snapshot(
      registry: registry.snapshot(), container: registry.number, location: CodeLocation(file: file, line: line),
      unexpectedResolutions: ownUnexpectedResolutions,
      changes: self == DIContainer.shared ? RestorableChanges() : nil)
  }

  /// Restores the registrations and instances of a snapshot.
  ///
  /// Snapshots nest, and each can be restored any number of times. Instances that were created since are released. A child brings
  /// back an instance of an ancestor's registration only if it has not lost that instance since. The snapshot of another
  /// container fails the test, and changes nothing.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot, of this container.
  ///   - fileID: The caller's file, for messages.
  ///   - filePath: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - column: The caller's column, for messages.
  ///   - sourceLocation: The location to report instead, which a helper passes on.
  public func restore(
    _ snapshot: Snapshot, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, sourceLocation: TestLocation? = nil
  ) {
    guard snapshot.container == registry.number else {
      return report(
        """
        Nothing was restored, because the snapshot is of another container.
          taken at   \(snapshot.location)
          note       to start from the registrations of a container, use a copy of it: `DIContainer(copying: container)`
        """, at: FailureLocation(fileID, filePath, line, column, sourceLocation))
    }
    // What goes may resolve in its `deinit`: from the registrations that it has had.
    DIContainer.withCurrent(DIContainer(copying: self, withObservers: false)) { restore(snapshot.registry) }
    replaceUnexpectedResolutions(with: snapshot.unexpectedResolutions)
  }

  /// Takes a snapshot of the current container.
  ///
  /// - Parameters:
  ///   - file: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  /// - Returns: The registrations, the instances, and whether `registerDependencies` has been called.
  public static func snapshot(file: StaticString = #fileID, line: UInt = #line) -> Snapshot {
    current.snapshot(file: file, line: line)
  }

  /// Restores the registrations and instances of a snapshot in the current container.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot, of the current container.
  ///   - fileID: The caller's file, for messages.
  ///   - filePath: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - column: The caller's column, for messages.
  ///   - sourceLocation: The location to report instead, which a helper passes on.
  public static func restore(
    _ snapshot: Snapshot, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, sourceLocation: TestLocation? = nil
  ) {
    current.restore(
      snapshot, fileID: fileID, filePath: filePath, line: line, column: column, sourceLocation: sourceLocation)
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
