public import Synchronization

/// What every resolve reads first, to know that nothing special is going on.
@usableFromInline
enum Gate {
  /// The address of the shared container while static resolves are just look-ups in it.
  ///
  /// 0 before the shared container exists; 1, for good, once the process has made another container current. From then
  /// on the static API reads the task-local that says which one: a task that outlives the scope may still carry it.
  @usableFromInline
  static let shared = Atomic<UInt>(0)

  /// How many cached instances are being created in the process.
  ///
  /// While there is one, a resolve looks whether it happens inside, to note what the instance depends on. Every
  /// container carries the pointer, because code in other modules reaches a global through a call. The word is
  /// allocated once, alone on its cache lines, and never freed.
  nonisolated(unsafe) static let creations: UnsafeMutablePointer<Atomic<Int>> = {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
    let count = unsafe memory.bindMemory(to: Atomic<Int>.self, capacity: 1)
    unsafe count.initialize(to: Atomic(0))
    return unsafe count
  }()

  /// Whether another container than the shared one may be current.
  static var mayBeIsolated: Bool { shared.load(ordering: .relaxed) == 1 }

  /// Returns whether a container is the shared one, and no other one can be current.
  @inline(__always)
  static func isOnly(_ container: DIContainer) -> Bool {
    unsafe shared.load(ordering: .relaxed) == UInt(bitPattern: Unmanaged.passUnretained(container).toOpaque())
  }

  /// Lets static resolves look into the shared container right away, unless another one may be current.
  static func open(to container: DIContainer) {
    // The shared container is never released, so its address stays good.
    let address = unsafe UInt(bitPattern: Unmanaged.passRetained(container).toOpaque())
    _ = shared.compareExchange(expected: 0, desired: address, ordering: .releasing)
  }

  /// Notes for good that another container may be current.
  ///
  /// Relaxed: a thread only has to see what it has done, and a task that is started inside `withCurrent` happens after.
  static func isolate() { shared.store(1, ordering: .relaxed) }
}
