internal import Synchronization

/// One resolve, as ``DIContainer/trace(_:)`` shows it.
public struct ResolutionEvent: Sendable {
  /// What was asked for.
  package let key: Key

  /// Whether it was a `Dependency`.
  package let isOfDependency: Bool

  /// The registration whose factory asked, if one did.
  let requester: Definition?

  /// The registration that answered; nil if none did.
  let definition: Definition?

  /// The type that was asked for: an alias counts as itself.
  public let type: Any.Type

  /// The name that was asked for, if it was one.
  public let name: DependencyName?

  /// The names of the types that were being created, outermost first, then that of the type.
  public let path: [String]

  /// Where it was asked for.
  public let location: SourceLocation

  /// Whether the instance was created by this resolve.
  public let isCreated: Bool

  /// How long the resolve took, with everything that it created and waited for.
  public let duration: Duration

  /// Where the registration is written that answered; nil if none did.
  public var registration: SourceLocation? { definition?.location }
}

extension ResolutionEvent: CustomStringConvertible {
  /// One line: `HomeViewModel → Router (Home/HomeViewModel.swift:12), created in 0.000012 seconds`.
  public var description: String {
    "\(path.joined(separator: " → ")) (\(location)), \(isCreated ? "created" : "reused") in \(duration)"
  }
}

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
