public import DependencyInjection

#if canImport(Testing)
  public import Testing
#endif

extension DIContainer {
  /// The registrations and instances of a container at one moment.
  ///
  /// A snapshot of a copy of a child, such as `withOverrides` makes, includes those of the copied ancestors. A snapshot
  /// keeps its instances alive. Taking or restoring one costs O(*n*), where *n* is the number of registrations.
  public struct Snapshot: Sendable {
    fileprivate let registry: Registry.Snapshot

    /// The number of the container.
    fileprivate let container: Int

    fileprivate let location: CodeLocation

    fileprivate let unexpectedResolutions: [UnexpectedResolutions]

    /// Delays the reports of changes to the shared container until the snapshot is released; restoring it drops them.
    fileprivate let changes: RestorableChanges?
  }

  /// Takes a snapshot of this container.
  ///
  /// - Parameters:
  ///   - file: The caller's file.
  ///   - line: The caller's line.
  /// - Returns: The registrations and the instances.
  public func snapshot(file: StaticString = #fileID, line: UInt = #line) -> Snapshot {
    // Otherwise, changes that nothing restores would go unreported where no test is isolated.
    TestRun.watch()
    return Snapshot(
      registry: registry.snapshot(), container: registry.number, location: CodeLocation(file: file, line: line),
      unexpectedResolutions: ownUnexpectedResolutions,
      changes: self == DIContainer.shared ? RestorableChanges() : nil)
  }

  /// Restores the registrations and instances of a snapshot.
  ///
  /// Snapshots nest, and each can be restored any number of times. Instances created since the snapshot are released.
  /// Restoring the snapshot of another container fails the test, and changes nothing.
  ///
  /// - Parameters:
  ///   - snapshot: A snapshot of this container.
  ///   - fileID: The caller's file.
  ///   - filePath: The caller's file.
  ///   - line: The caller's line.
  ///   - column: The caller's column.
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
    // A released instance may resolve in its `deinit`, from the registrations before the restoration.
    DIContainer.withCurrent(DIContainer(copying: registry, withObservers: false)) { restore(snapshot.registry) }
    replaceUnexpectedResolutions(with: snapshot.unexpectedResolutions)
    recorder?.noteRestoration(of: self)
    snapshot.changes?.wereRestored()
  }

  /// Takes a snapshot of the current container.
  ///
  /// - Parameters:
  ///   - file: The caller's file.
  ///   - line: The caller's line.
  /// - Returns: The registrations and the instances.
  public static func snapshot(file: StaticString = #fileID, line: UInt = #line) -> Snapshot {
    current.snapshot(file: file, line: line)
  }

  /// Restores the registrations and instances of a snapshot in the current container.
  ///
  /// - Parameters:
  ///   - snapshot: A snapshot of the current container.
  ///   - fileID: The caller's file.
  ///   - filePath: The caller's file.
  ///   - line: The caller's line.
  ///   - column: The caller's column.
  ///   - sourceLocation: The location to report instead, which a helper passes on.
  public static func restore(
    _ snapshot: Snapshot, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, sourceLocation: TestLocation? = nil
  ) {
    current.restore(
      snapshot, fileID: fileID, filePath: filePath, line: line, column: column, sourceLocation: sourceLocation)
  }
}

/// The changes to the shared container that a snapshot can undo.
///
/// Their reports wait until the snapshot is restored, which makes them obsolete, or is released.
final class RestorableChanges: Sendable {
  private static let state = Locked(State())

  private struct State {
    var snapshots = 0

    /// The reports of the changes that are in effect.
    var reports: [@Sendable () -> Void] = []
  }

  /// A Boolean value that indicates whether a snapshot of the shared container exists.
  static var exist: Bool { state.withLock { $0.snapshots > 0 } }

  /// The reports of the changes that the snapshot contains.
  private let reports: [@Sendable () -> Void]

  /// Makes the report of a change, unless a snapshot without the change is restored.
  static func report(_ report: @escaping @Sendable () -> Void) {
    let waits = state.withLock { state in
      if state.snapshots > 0 { state.reports.append(report) }
      return state.snapshots > 0
    }
    if !waits { report() }
  }

  /// Notes that the snapshot was restored.
  func wereRestored() { Self.state.withLock { $0.reports = reports } }

  /// Makes the reports of changes that are not restored.
  static func makeReports() {
    let reports = state.withLock { exchange(&$0.reports, with: []) }
    for report in reports { report() }
  }

  init() {
    reports = Self.state.withLock { state in
      state.snapshots += 1
      return state.reports
    }
  }

  deinit {
    let isLast = Self.state.withLock { state in
      state.snapshots -= 1
      return state.snapshots == 0
    }
    if isLast { Self.makeReports() }
  }
}
