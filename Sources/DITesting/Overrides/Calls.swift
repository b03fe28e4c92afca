internal import DependencyInjection

/// The calls that a mock received, with their arguments.
///
/// ```swift
/// final class RouterSpy: Router, Sendable {
///   let opened = Calls<String>()
///
///   func open(_ path: String) { opened(path) }
/// }
/// ```
///
/// A test reads ``all`` and ``count``, and waits for a call with ``next(within:isolation:)``. All are thread-safe.
public final class Calls<Argument: Sendable>: Sendable {
  private let state = Locked(State())

  private struct State {
    var all: [Argument] = []

    /// The number of calls that `next` has returned.
    var returned = 0

    /// The callers of `next` that wait for a call, in order.
    var waiting: [(number: Int, continuation: CheckedContinuation<Argument?, Never>)] = []

    var numbers = 0
  }

  /// Creates a record without calls.
  public init() {}

  /// Adds a call.
  ///
  /// - Parameter argument: The argument, or a tuple of arguments.
  public func callAsFunction(_ argument: Argument) {
    let first = state.withLock { state in
      state.all.append(argument)
      guard !state.waiting.isEmpty else { return nil as CheckedContinuation<Argument?, Never>? }
      state.returned += 1
      return state.waiting.removeFirst().continuation
    }
    first?.resume(returning: argument)
  }

  /// The arguments of all calls, in order.
  public var all: [Argument] { state.withLock(\.all) }

  /// The number of calls.
  public var count: Int { state.withLock(\.all.count) }

  /// Returns the argument of the first call that this method has not yet returned, waiting for one if necessary.
  ///
  /// - Parameters:
  ///   - limit: The longest time to wait; nil to wait without a limit.
  ///   - isolation: The actor to run on: the caller's.
  /// - Returns: The argument; nil if the time runs out or the task is canceled.
  public func next(within limit: Duration? = nil, isolation: isolated (any Actor)? = #isolation) async -> Argument? {
    guard let limit else { return await nextCall(isolation: isolation) }
    return await withTaskGroup(of: Argument?.self) { group in
      group.addTask { await self.nextCall(isolation: nil) }
      group.addTask {
        try? await Task.sleep(for: limit)
        return nil
      }
      var call: Argument?
      for await result in group {
        group.cancelAll()
        call = call ?? result
      }
      return call
    }
  }

  private func nextCall(isolation: isolated (any Actor)?) async -> Argument? {
    let number = state.withLock { state in
      state.numbers += 1
      return state.numbers
    }
    return await withTaskCancellationHandler {
      // Captured, so that the wait begins on the caller's actor: it has begun when that actor is free again.
      _ = isolation
      return await withCheckedContinuation { continuation in
        let (isOver, call) = state.withLock { state -> (Bool, Argument?) in
          if state.returned < state.all.count {
            state.returned += 1
            return (true, state.all[state.returned - 1])
          }
          // A task that is canceled later is removed in `onCancel`.
          if Task.isCancelled { return (true, nil) }
          state.waiting.append((number, continuation))
          return (false, nil)
        }
        if isOver { continuation.resume(returning: call) }
      }
    } onCancel: {
      let canceled = state.withLock { state in
        state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
      }
      canceled?.resume(returning: nil)
    }
  }
}

extension Calls<Void> {
  /// Adds a call without arguments.
  public func callAsFunction() { self(()) }
}
