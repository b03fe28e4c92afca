internal import Synchronization

extension DIContainer {
  /// Shows every resolve from this container and its descendants to a closure, from now on.
  ///
  /// ```swift
  /// let trace = DIContainer.shared.trace { event in logger.debug("\(event)") }
  /// trace.stop()
  /// ```
  ///
  /// The closure is called on the thread that resolved, when the resolve is done, and may be called by several at once.
  /// What it resolves itself is traced, too. A resolve that is traced costs microseconds; without a trace, nothing.
  ///
  /// - Parameter body: Sees a resolve that found something.
  /// - Returns: What stops it.
  @discardableResult
  public func trace(_ body: @escaping @Sendable (ResolutionEvent) -> Void) -> ResolutionTrace {
    let trace = ResolutionTrace(of: self, body)
    addObserver(trace)
    return trace
  }
}

/// A closure that sees resolves, until it is stopped.
public final class ResolutionTrace: ResolutionObserver {
  private let container: DIContainer
  private let body: @Sendable (ResolutionEvent) -> Void
  private let isStopped = Atomic(false)

  init(of container: DIContainer, _ body: @escaping @Sendable (ResolutionEvent) -> Void) {
    self.container = container
    self.body = body
  }

  /// Stops it; what other threads are resolving at this moment may still be shown to the closure.
  public func stop() {
    isStopped.store(true, ordering: .relaxed)
    container.removeObserver(self)
  }

  package func didResolve(_ event: ResolutionEvent) {
    // What is just being resolved may have been shown to a trace that has stopped this one.
    if !isStopped.load(ordering: .relaxed) { body(event) }
  }
}
