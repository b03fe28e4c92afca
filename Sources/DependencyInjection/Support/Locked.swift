/// A value that only one thread at a time can access.
///
/// It uses a mutex of the C library rather than `Synchronization.Mutex`, because the thread sanitizer understands the former:
/// the lock that the sanitizer checks is the lock that ships. It is used on cold paths only.
package final class Locked<Value>: @unchecked Sendable {
  // Unchecked: `mutex` guards `value`.
  private let mutex = Lock()
  @safe @exclusivity(unchecked)
  private var value: Value

  /// Creates an unlocked value.
  package init(_ initial: Value) { value = initial }

  /// Runs `body` while no other thread can access the value.
  ///
  /// The lock is not reentrant, so `body` must not call other code: no user code, and nothing that could run a
  /// `deinit`.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    mutex.lock()
    defer { mutex.unlock() }
    return try body(&value)
  }
}
