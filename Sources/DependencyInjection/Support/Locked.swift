/// A value that only one thread at a time can access.
///
/// It uses a mutex of the C library rather than `Synchronization.Mutex`, because the thread sanitizer understands the former:
/// the lock that the sanitizer checks is the lock that ships. It is used on cold paths only.
@safe
package struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  fileprivate let mutex = CLibrary.Mutex()
  private let value: UnsafeMutablePointer<Value>

  /// Creates an unlocked value.
  package init(_ initial: consuming Value) {
    // Allocated once, never moved, and freed in `deinit`, when no thread can hold the lock any more.
    unsafe value = .allocate(capacity: 1)
    unsafe value.initialize(to: initial)
  }

  deinit {
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` while no other thread can access the value.
  ///
  /// The lock is not reentrant, so `body` must not call other code: no user code, and nothing that could run a
  /// `deinit`.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    mutex.lock()
    defer { mutex.unlock() }
    return try unsafe body(&value.pointee)
  }
}

/// A lock on which threads can wait, for a static property: it is never freed.
@safe
struct Monitor: ~Copyable, @unchecked Sendable {
  private let locked = Locked<Void>(())
  private let condition = CLibrary.Condition()

  /// Runs `body` while no other thread can; `body` must not call other code.
  func withLock<Result>(_ body: () -> Result) -> Result { locked.withLock { _ in body() } }

  /// Wakes all waiting threads, so that they check again.
  func wakeAll() { condition.wakeAll() }

  /// Waits until `body` returns a value; calls it again whenever the thread is woken.
  func wait<Result>(for body: () -> Result?) -> Result {
    locked.mutex.lock()
    defer { locked.mutex.unlock() }
    while true {
      if let result = body() { return result }
      condition.wait(unlocking: locked.mutex)
    }
  }
}
