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

  /// Whether a container is the shared one, and the only one that can be current.
  @inline(__always)
  static func isOpen(to container: DIContainer) -> Bool {
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
  /// Relaxed is enough for the gate itself: a thread only has to see what it has done, and a task that is started
  /// inside `withCurrent` happens after.
  static func isolate() {
    close(isIsolated) { shared.exchange(1, ordering: .relaxed) }
  }

  /// Sees to it that no factory is called just as it is from now on, for good.
  ///
  /// For instances that live as long as the outermost factory, whose end has to be noticed; and for those that a task
  /// creates, because there what a factory resolves is not noted by the thread.
  static func watchFactories() {
    close(isWatching) {
      // Relaxed: whoever puts a factory into the table looks under the lock that taking them out takes afterwards.
      mustWatch.store(true, ordering: .relaxed)
      return shared.load(ordering: .relaxed)
    }
  }

  /// Takes the factories that are called just as they are out of the table of the container whose address `change` has
  /// found in the gate, once.
  private static func close(_ isDone: borrowing Atomic<Bool>, _ change: () -> UInt) {
    // Acquiring, so that whoever finds it done also finds the factories gone.
    if isDone.load(ordering: .acquiring) { return }
    // What that leaves is released without the lock.
    let leftovers = closing.withLock { _ -> Leftovers? in
      defer { isDone.store(true, ordering: .releasing) }
      // Sound: as above.
      return unsafe UnsafeRawPointer(bitPattern: change() & ~1).map { pointer in
        unsafe Unmanaged<DIContainer>.fromOpaque(pointer).takeUnretainedValue().forgetFactories()
      }
    }
    _ = consume leftovers
  }

  /// Whether the table of a container may hold factories that are called just as they are.
  static func admitsFactories(of container: DIContainer) -> Bool {
    isOpen(to: container) && !mustWatch.load(ordering: .relaxed)
  }

  private static let closing = Locked(())
  private static let isIsolated = Atomic<Bool>(false)
  private static let mustWatch = Atomic<Bool>(false)
  private static let isWatching = Atomic<Bool>(false)
}
