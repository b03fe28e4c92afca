#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A value that only one thread at a time can reach.
///
/// A thin cover over `pthread_mutex_t` rather than `Synchronization.Mutex`, because the thread sanitizer understands
/// the former: what the sanitizer proves is the lock that ships. It is on cold paths only.
@safe
package struct Locked<Value>: ~Copyable, @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let value: UnsafeMutablePointer<Value>

  /// Creates an unlocked value.
  package init(_ initial: Value) {
    // Both are allocated once, never moved, and freed in `deinit`, when nobody can hold the lock any more.
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

  /// Runs `body` while no other thread can reach the value.
  ///
  /// The lock is not re-entrant, so `body` must not call out: no user code, nothing that could run a `deinit`.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&value.pointee)
  }
}
