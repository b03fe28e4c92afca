public import Synchronization

/// The state of the process that every resolve reads first.
@usableFromInline
enum FastPath {
  /// The address of the shared container while no other one can be current.
  ///
  /// 0 before the shared container exists; 1, for good, once another container has been current. From then on the static
  /// methods read the task-local value that names the container: a task that outlives the scope may still carry it.
  @usableFromInline
  static let sharedContainer = Atomic<UInt>(0)

  /// A Boolean value that indicates whether another container than the shared one may be current.
  static var hasOtherCurrentContainers: Bool { sharedContainer.load(ordering: .relaxed) == 1 }

  /// Returns whether a container is the shared one, and no other one can be current.
  @inline(__always)
  static func isOnlyCurrent(_ container: DIContainer) -> Bool {
    unsafe sharedContainer.load(ordering: .relaxed) == UInt(bitPattern: Unmanaged.passUnretained(container).toOpaque())
  }

  /// Lets static methods use the shared container right away, unless another one may be current.
  static func begin(with container: DIContainer) {
    // The shared container is never released, so its address stays good.
    let address = unsafe UInt(bitPattern: Unmanaged.passRetained(container).toOpaque())
    _ = sharedContainer.compareExchange(expected: 0, desired: address, ordering: .releasing)
  }

  /// Records for good that another container may be current.
  ///
  /// Relaxed: a thread only has to see what it has done, and a task that is started inside `withCurrent` happens after.
  static func noteOtherCurrentContainer() { sharedContainer.store(1, ordering: .relaxed) }
}
