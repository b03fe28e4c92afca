internal import DependencyInjection

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

// POSIX threads and conditions, because the thread sanitizer understands them and a task pool of two threads would not
// run what has to run at the same time.

/// A lock with a condition that every change of the state signals.
@safe
final class Monitor<State>: @unchecked Sendable {
  // Unchecked: `state` is only reached under `mutex`. Neither pointer moves or is freed before `deinit`.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  init(_ state: State) {
    self.state = state
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Changes the state and wakes whoever waits for it.
  @discardableResult
  func change<Result>(_ body: (inout State) -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(condition)
      unsafe pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  /// Waits until the state is as wanted, and returns whether that happened before the time ran out.
  @discardableResult
  func wait(seconds: Double = 900, until isWanted: (State) -> Bool) -> Bool {
    var end = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &end)
    let nanoseconds = end.tv_nsec + Int(seconds.truncatingRemainder(dividingBy: 1) * 1e9)
    end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while !isWanted(state) {
      if unsafe pthread_cond_timedwait(condition, mutex, &end) == ETIMEDOUT { return isWanted(state) }
    }
    return true
  }
}

/// Something that happens once, and that others may wait for.
final class Event: Sendable {
  private let monitor = Monitor(false)

  /// Releases all threads that wait, now and later.
  func signal() { monitor.change { $0 = true } }

  /// Waits for the signal, and returns whether it came.
  @discardableResult
  func wait(seconds: Double = 900) -> Bool { monitor.wait(seconds: seconds) { $0 } }
}

/// A place where threads wait for each other; it can be used again and again.
final class Rendezvous: Sendable {
  private let monitor = Monitor(0)
  private let parties: Int

  init(of parties: Int) { self.parties = parties }

  /// Waits until the agreed number of threads has arrived, and returns whether it has.
  @discardableResult
  func meet(seconds: Double = 900) -> Bool {
    let end = monitor.change { arrived in
      arrived += 1
      return (arrived + parties - 1) / parties * parties
    }
    return monitor.wait(seconds: seconds) { $0 >= end }
  }
}

/// Starts a thread of its own.
///
/// - Parameters:
///   - stackSize: The bytes of its stack, if they matter; then this returns when the thread has ended.
///   - body: What it runs.
func startThread(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
  final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  let work = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
  // Sound: the thread takes over the one reference that was retained for it.
  var attributes = pthread_attr_t()
  unsafe pthread_attr_init(&attributes)
  defer { unsafe pthread_attr_destroy(&attributes) }
  if let stackSize {
    unsafe pthread_attr_setstacksize(&attributes, stackSize)
  } else {
    // From its start: glibc looks at the thread after it has detached it, when its memory may be gone.
    unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
  }
  #if canImport(Glibc)
    var thread = pthread_t()
    let result = unsafe pthread_create(&thread, &attributes, { unsafe runWork($0) }, work)
    guard result == 0 else { fatalError("No thread can be started.") }
    if stackSize != nil { pthread_join(thread, nil) }
  #else
    var thread: pthread_t?
    let result = unsafe pthread_create(&thread, &attributes, { unsafe runWork($0) }, work)
    guard result == 0, let thread = unsafe thread else { fatalError("No thread can be started.") }
    if stackSize != nil { unsafe pthread_join(thread, nil) }
  #endif

  // What C passes is optional on some platforms only.
  func runWork(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<Work>.fromOpaque(pointer!).takeRetainedValue().body()
    return nil
  }
}

/// Runs a closure on several threads at the same time, and returns its result on each.
///
/// A thread that does not return in time ends the process, because nothing could end the thread.
@discardableResult
func onThreads<Result>(
  _ count: Int, seconds: Double = 900, _ body: @escaping @Sendable (Int) -> Result
) -> [Result] {
  let results = Monitor([Int: Result]())
  let start = Rendezvous(of: count)
  for index in 0..<count {
    startThread {
      start.meet()
      // Wrapped, so that the result itself is handed over and not shared.
      let result = Transfer(body(index))
      results.change { $0[index] = result.value }
    }
  }
  guard results.wait(seconds: seconds, until: { $0.count == count }) else {
    fatalError("A thread hangs.")
  }
  return results.change { all in (0..<count).map { all[$0]! } }
}

/// Runs a closure on another thread and waits for what it returns.
@discardableResult
func onAnotherThread<Result>(_ body: @escaping @Sendable () -> Result) -> Result {
  onThreads(1) { _ in body() }[0]
}

/// Runs a closure on a thread of its own, for which a task waits without blocking a thread of the pool.
///
/// A task that is canceled leaves the thread alone.
func onOwnThread<Result>(_ body: @escaping @Sendable () throws -> sending Result) async throws -> sending Result {
  let (end, outcome) = (AsyncSignal(), Monitor<Transfer<Swift.Result<Result, any Error>>?>(nil))
  startThread {
    let result = Transfer(Swift.Result { try body() })
    outcome.change { $0 = result }
    end.open()
  }
  try await end.wait()
  return try outcome.change { $0.take() }!.value.get()
}

/// A value that goes from one thread to another, which the compiler cannot see to be safe.
struct Transfer<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// Takes up time, as a slow factory does.
func spend(milliseconds: Double) {
  usleep(UInt32(milliseconds * 1_000))
}

/// Yields the processor, in a loop that waits only a moment for another thread.
func letOthersRun() {
  sched_yield()
}

/// Returns whether a condition becomes true that a thread cannot signal because it is ending.
///
/// It gives up after a quarter of an hour at the earliest.
func eventually(_ isTrue: () -> Bool) -> Bool {
  for _ in 0..<9_000_000 {
    if isTrue() { return true }
    usleep(100)
  }
  return isTrue()
}

/// A Boolean value that indicates whether the address sanitizer watches, which has to be told not to look for leaks.
let hasAddressSanitizer = unsafe getenv("ASAN_OPTIONS") != nil

/// A Boolean value that indicates whether the thread sanitizer watches.
#if DI_TSAN
  let isSanitized = true
#else
  let isSanitized = false
#endif
