#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A value that only one thread at a time can access.
///
/// It uses `pthread_mutex_t` rather than `Synchronization.Mutex`, because the thread sanitizer understands the former:
/// the lock that the sanitizer checks is the lock that ships. It is used on cold paths only.
@safe
package struct Locked<Value>: ~Copyable, @unchecked Sendable {
  fileprivate let mutex: UnsafeMutablePointer<pthread_mutex_t>
  fileprivate let value: UnsafeMutablePointer<Value>

  /// Creates an unlocked value.
  package init(_ initial: Value) {
    // Both are allocated once, never moved, and freed in `deinit`, when no thread can hold the lock any more.
    unsafe mutex = .allocate(capacity: 1)
    unsafe value = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe value.initialize(to: initial)
  }

  deinit {
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Runs `body` while no other thread can access the value.
  ///
  /// The lock is not reentrant, so `body` must not call other code: no user code, and nothing that could run a
  /// `deinit`.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&value.pointee)
  }
}

/// A locked value on whose changes threads can wait.
@safe
struct Monitor<Value>: ~Copyable, @unchecked Sendable {
  private let locked: Locked<Value>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  init(_ initial: Value) {
    locked = Locked(initial)
    // As with the mutex: allocated once, never moved, and freed when no thread can wait any more.
    unsafe condition = .allocate(capacity: 1)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe condition.deallocate()
  }

  /// Runs `body` while no other thread can access the value; `body` must not call other code.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result { locked.withLock(body) }

  /// Wakes all waiting threads, so that they check again.
  func wakeAll() { unsafe pthread_cond_broadcast(condition) }

  /// Waits until `body` returns a value; calls it again whenever the thread is woken.
  func wait<Result>(for body: (inout Value) -> Result?) -> Result {
    unsafe pthread_mutex_lock(locked.mutex)
    defer { unsafe pthread_mutex_unlock(locked.mutex) }
    while true {
      if let result = unsafe body(&locked.value.pointee) { return result }
      unsafe pthread_cond_wait(condition, locked.mutex)
    }
  }
}
