/// A reference from an instance to the container that keeps it, or, once that has ended, to the container's successor.
///
/// It does not keep the container alive.
///
/// So a `deinit` may resolve, even if the end of the container releases the instance. An instance that lives longer
/// than its container may resolve, too.
final class ContainerReference: @unchecked Sendable {
  // Unchecked: guarded by one `lock` for all references, which is held for an assignment.
  private static let lock = Monitor()

  private weak var container: DIContainer?
  private var successor: DIContainer?

  init(_ container: DIContainer) { self.container = container }

  /// The container, or its successor.
  var target: DIContainer {
    // Both are nil for the moment in which another thread ends the container. This waits for that thread.
    Self.lock.wait { container ?? successor }
  }

  /// Sets the successor of the container that ends.
  func succeed(_ successor: DIContainer) {
    Self.lock.withLock { self.successor = successor }
    Self.lock.wakeAll()
  }
}
