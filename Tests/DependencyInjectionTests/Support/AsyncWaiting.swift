/// Opens once; tasks wait for that without blocking a thread, and stop waiting if they are canceled.
final class AsyncSignal: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
  }

  private let state = Monitor(State())
  private let identities = CallCounter()

  func wait() async throws {
    let identity = identities.call()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Void, any Error>? = state.change { state in
          if state.isOpen { return .success(()) }
          // A task that is canceled later is removed in `onCancel`.
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiters[identity] = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let continuation = state.change { $0.waiters.removeValue(forKey: identity) }
      continuation?.resume(throwing: CancellationError())
    }
  }

  func open() {
    let waiters = state.change { state in
      state.isOpen = true
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume() }
  }
}

/// Opens once; tasks wait for that without blocking a thread.
final class AsyncGate: Sendable {
  private let state = Monitor<(isOpen: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

  /// How many tasks wait.
  var waiting: Int { state.change { $0.waiters.count } }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.change { state in
        if !state.isOpen { state.waiters.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiters = state.change { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}

/// Lets other tasks run until something is as wanted.
func until(_ isWanted: @Sendable () -> Bool) async {
  while !isWanted() { await Task.yield() }
}
