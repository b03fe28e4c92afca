/// Leads an instance to the container that keeps it, without keeping that alive; and once the container has ended, to the
/// successor that answers in its place.
///
/// So a `deinit` may resolve, also when the end of the container is what releases the instance, and so may an instance
/// that somebody holds longer than its container.
final class ContainerReference: @unchecked Sendable {
  // Unchecked: guarded by `lock`, one for all, which is held for an assignment.
  private static let lock = Monitor<Void>(())

  private weak var container: DIContainer?
  private var successor: DIContainer?

  init(_ container: DIContainer) { self.container = container }

  /// The container, or its successor.
  var target: DIContainer {
    // Between the two there is a moment in which another thread ends the container: it is waited for.
    Self.lock.wait { _ in container ?? successor }
  }

  /// Makes a container the successor of the one that ends.
  func succeed(_ successor: DIContainer) {
    Self.lock.withLock { _ in self.successor = successor }
    Self.lock.wakeAll()
  }
}
