internal import Synchronization

/// The current container of a task and of the tasks that it starts, and the creation for which they work.
final class Context: Sendable {
  @TaskLocal
  private static var bound: Context?

  let registry: Registry
  /// The handle of the container, which the tasks keep alive; nil in a factory, which must not.
  let container: DIContainer?
  /// The creation, which may have ended.
  private let innermostCreation: Creation?

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - registry: What is current.
  ///   - container: The handle to keep alive.
  ///   - creation: The creation for which the code in the context works.
  init(_ registry: Registry, keeping container: DIContainer? = nil, in creation: Creation?) {
    (self.registry, self.container, innermostCreation) = (registry, container, creation)
    Circumstances.count.wrappingAdd(1, ordering: .relaxed)
  }

  // The last task that carries the context has ended.
  deinit { Circumstances.count.wrappingSubtract(1, ordering: .relaxed) }

  /// The context of the current task or scope.
  static var current: Context? { Circumstances.areSimple ? nil : bound }

  /// A context of its own that says the same, for later.
  ///
  /// A context that nobody is in must not exist: as long as there is one, every resolution looks for it.
  var escaping: @Sendable () -> Context {
    { [registry, container, innermostCreation] in Context(registry, keeping: container, in: innermostCreation) }
  }

  /// The creation for which the code in the context works; nil once it has ended.
  var creation: Creation? { innermostCreation?.current }

  /// Runs a closure, and the tasks that it starts, in this context.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$bound.withValue(self, operation: body)
  }

  /// Runs a closure with a typed error, and the tasks that it starts, in this context.
  func run<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    let result = Self.$bound.withValue(self) { Result { () throws(Failure) in try body() } }
    try result.get()
  }

  /// Runs an asynchronous closure, and the tasks that it starts, in this context.
  func run<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await Self.$bound.withValue(self, operation: body, isolation: isolation)
  }

  /// Runs a closure that is isolated to no actor, and the tasks that it starts, in this context.
  func run<Result>(concurrently body: @concurrent () async throws -> Result) async rethrows -> Result {
    try await Self.$bound.withValue(self, operation: { @concurrent in try await body() })
  }
}
