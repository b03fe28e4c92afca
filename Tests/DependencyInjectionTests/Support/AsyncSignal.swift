/// Opens once; tasks wait for that without blocking a thread, and stop waiting if they are canceled.
final class AsyncSignal: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    var cancelled: Set<Int> = []
  }

  private let state = Monitor(State())
  private let identities = CallCounter()

  func wait() async throws {
    let identity = identities.call()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Void, any Error>? = state.change { state in
          if state.isOpen { return .success(()) }
          if state.cancelled.contains(identity) { return .failure(CancellationError()) }
          state.waiters[identity] = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let continuation = state.change { state in
        state.cancelled.insert(identity)
        return state.waiters.removeValue(forKey: identity)
      }
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
