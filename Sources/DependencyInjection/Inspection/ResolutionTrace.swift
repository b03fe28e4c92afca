internal import Synchronization

extension DIContainer {
  /// Calls a closure for every resolution from this container, its descendants and later copies, from now on.
  ///
  /// ```swift
  /// let trace = DIContainer.current.trace { event in logger.debug("\(event)") }
  /// trace.stop()
  /// ```
  ///
  /// The closure is called on the thread that resolved, after the resolution. Several threads may call it at once. What
  /// the closure resolves itself is traced, too. A traced resolution costs about a microsecond; without a trace,
  /// there is no cost.
  ///
  /// - Parameter body: The closure that receives each successful resolution.
  /// - Returns: The trace, with which to stop it.
  @discardableResult
  public func trace(_ body: @escaping @Sendable (ResolutionEvent) -> Void) -> ResolutionTrace {
    let trace = ResolutionTrace(of: registry, body)
    registry.addObserver(trace)
    return trace
  }
}

/// A trace that passes resolutions to a closure until it is stopped, or until the container and its copies end.
public final class ResolutionTrace: ResolutionObserver {
  // Weak, because the container keeps the trace.
  private weak let registry: Registry?
  private let body: @Sendable (ResolutionEvent) -> Void
  private let isStopped = Atomic(false)

  init(of registry: Registry, _ body: @escaping @Sendable (ResolutionEvent) -> Void) {
    self.registry = registry
    self.body = body
  }

  /// Stops the trace; a resolution that another thread is finishing at this moment may still call the closure.
  ///
  /// Resolutions from a copy that was made during the trace, such as by `withOverrides`, still cost what a traced one
  /// costs, without calling the closure.
  public func stop() {
    if !isStopped.exchange(true, ordering: .relaxed) { registry?.removeObserver(self) }
  }

  package func didResolve(_ event: ResolutionEvent, for _: Definition?, from _: Definition?) {
    // Another observer may have stopped this trace while this resolution was being reported.
    if !isStopped.load(ordering: .relaxed) { body(event) }
  }
}
