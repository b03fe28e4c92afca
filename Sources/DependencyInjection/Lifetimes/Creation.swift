#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Something that is being created by one thread while others may wait for it.
@safe
final class Creation: @unchecked Sendable {
  // Unchecked: everything that changes is guarded by the lock of `WaitGraph`.

  /// The thread that creates, which does not end before the creation is finished.
  let owner: UnsafeMutablePointer<ThreadState>

  /// What is created; nil for the registrations of `DependencyRegistering`.
  let definition: Definition?

  fileprivate var isFinished = false
  fileprivate var hasWaiters = false

  /// Creates the record of a creation by the calling thread.
  init(of definition: Definition?, owner: UnsafeMutablePointer<ThreadState>) {
    self.definition = definition
    unsafe self.owner = owner
  }

  /// Whether the calling thread itself creates.
  func isOwned(by thread: UnsafeMutablePointer<ThreadState>) -> Bool {
    unsafe owner == thread
  }

  /// Lets go whoever waits.
  func finish() {
    WaitGraph.lock()
    isFinished = true
    if hasWaiters { WaitGraph.wakeAll() }
    WaitGraph.unlock()
  }

  /// Waits until the creation is finished.
  ///
  /// Which thread waits for which creation, and which thread owns it, is one graph for the whole process. The last
  /// wait that would close a circle in it finds that circle, because looking and waiting happen under one lock.
  ///
  /// - Returns: nil when the creation is finished, or if waiting would never end, the path of what is being created,
  ///   from this creation on through the other threads to the calling one.
  func wait(on thread: UnsafeMutablePointer<ThreadState>) -> [String]? {
    WaitGraph.lock()
    defer { WaitGraph.unlock() }
    guard !isFinished else { return nil }
    var circle: [Creation] = [self]
    while let last = circle.last, !last.isFinished {
      if unsafe last.owner == thread {
        // Every owner in the circle is blocked in here, or is the calling thread, so their frames stand still.
        let others = circle.dropLast().flatMap { unsafe $0.owner.path(from: $0.definition) }
        return unsafe others + last.owner.path(from: last.definition).prefix(1)
      }
      guard let next = unsafe last.owner.pointee.waitingFor else { break }
      circle.append(next)
    }
    unsafe thread.pointee.waitingFor = self
    hasWaiters = true
    while !isFinished { WaitGraph.wait() }
    unsafe thread.pointee.waitingFor = nil
    return nil
  }
}

/// The lock and the condition behind every wait: taken once per creation and per wait, never by a resolve that finds
/// its instance.
private enum WaitGraph {
  // Allocated once and never moved or freed, as POSIX asks.
  nonisolated(unsafe) private static let mutex: UnsafeMutablePointer<pthread_mutex_t> = {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    return unsafe mutex
  }()

  nonisolated(unsafe) private static let condition: UnsafeMutablePointer<pthread_cond_t> = {
    let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    unsafe pthread_cond_init(condition, nil)
    return unsafe condition
  }()

  static func lock() { unsafe pthread_mutex_lock(mutex) }
  static func unlock() { unsafe pthread_mutex_unlock(mutex) }
  static func wait() { unsafe pthread_cond_wait(condition, mutex) }
  static func wakeAll() { unsafe pthread_cond_broadcast(condition) }
}
