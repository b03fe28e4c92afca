internal import DependencyInjection

/// What a creation knows of the ask that it is for.
enum AsyncAsk {
  /// When it was asked.
  @TaskLocal static var begin = 0
}

extension AsyncWorld {
  /// Resolves a key, and records the result and what is wrong with it.
  func ask(
    _ key: Int, of container: Int, isOutermost: Bool,
    _ resolve: @Sendable (DependencyName) async throws -> AsyncPiece
  ) async throws -> AsyncPiece {
    let begin = clock.call()
    waiting.change { $0[begin] = "key \(key) of container \(container), asked for at \(begin)" }
    let result: Result<AsyncPiece, any Error>
    do {
      let piece = try await AsyncAsk.$begin.withValue(begin) { try await resolve(AsyncEntry.name(key)) }
      result = .success(piece)
    } catch {
      result = .failure(error)
    }
    waiting.change { $0[begin] = nil }
    return try finish(result, key, container, begin, isOutermost, isSynchronous: false)
  }

  /// Resolves a key synchronously, and records the same.
  func askSynchronously(
    _ key: Int, of container: Int, isOutermost: Bool, _ resolve: (DependencyName) throws -> AsyncPiece
  ) throws -> AsyncPiece {
    let begin = clock.call()
    let result = Result { try AsyncAsk.$begin.withValue(begin) { try resolve(AsyncEntry.name(key)) } }
    return try finish(result, key, container, begin, isOutermost, isSynchronous: true)
  }

  private func finish(
    _ result: Result<AsyncPiece, any Error>, _ key: Int, _ container: Int, _ begin: Int, _ isOutermost: Bool,
    isSynchronous: Bool
  ) throws -> AsyncPiece {
    let end = clock.call()
    switch result {
    case .success(let piece):
      let answer = AsyncHistory.Answer(
        container: container, record: piece.record, begin: begin, end: end, isOutermost: isOutermost)
      history.change { $0.answers.append(answer) }
      if script.holdsInstances { held.change { $0.append(piece) } }
    case .failure(let error):
      if let text = illegality(of: error, key, container, begin, end, isSynchronous) {
        fault("container \(container) key \(key), asked for at \(begin): \(text)")
      }
    }
    return try result.get()
  }

  /// Returns why an error is impossible, if it is.
  private func illegality(
    of error: any Error, _ key: Int, _ container: Int, _ begin: Int, _ end: Int, _ isSynchronous: Bool
  ) -> String? {
    if error is CancellationError {
      return Task.isCancelled && !isSynchronous ? nil : "a CancellationError in a task that is not cancelled"
    }
    guard let error = error as? ResolutionError else { return "the error \(error)" }
    switch error.code {
    // In a cycle, it may be the same key of another container that is missing.
    case .missingRegistration where error.name == AsyncEntry.name(key) && !script.reach(of: key).contains(key):
      history.change {
        $0.misses.append(AsyncHistory.Miss(container: container, key: key, begin: begin, end: end))
      }
      return nil
    case .missingRegistration: return nil
    case .cycle: return script.mayCycle(key) ? nil : "a cycle where there is none: \(error)"
    case .asynchronous: return isSynchronous && key > 2 ? nil : "\(error)"
    case .factoryFailed:
      guard let failure = error.underlyingError as? AsyncFailure else {
        return error.underlyingError is CancellationError && Task.isCancelled ? nil : "\(error)"
      }
      // It ran for the requester, or for an ancestor of which that needs an instance.
      let (reach, chain) = (script.reach(of: key).union([key]), script.chain(container) + [container])
      if chain.contains(failure.container), reach.contains(failure.entry.key) { return nil }
      return "the failure of number \(failure.entry.number) in container \(failure.container)"
    default: return "\(error)"
    }
  }
}
