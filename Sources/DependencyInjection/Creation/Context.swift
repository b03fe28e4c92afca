internal import Synchronization

/// The current container of a task and of the tasks that it starts, and the creation for which they work.
final class Context: Sendable {
  @TaskLocal
  private static var binding = Binding()

  /// The context of a task, if any: the runtime takes twice as long to copy a value that is optional itself.
  private struct Binding {
    var context: Context?
  }

  let registry: Registry
  /// The handle of the container, which the tasks keep alive; nil in the context of a factory, whose tasks must not.
  let container: DIContainer?
  /// The creation, which may have ended.
  let innermostCreation: Creation?
  /// The object by which an observer recognizes the code.
  let observation: Observation?

  typealias Observation = any AnyObject & Sendable

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - registry: What is current.
  ///   - container: The handle to keep alive; nil for the context of a factory, which must not keep the container.
  ///   - creation: The creation for which the code in the context works.
  ///   - observation: The object by which an observer recognizes that code.
  init(
    _ registry: Registry, keeping container: DIContainer? = nil, in creation: Creation?,
    observedBy observation: Observation?
  ) {
    (self.registry, self.container, self.observation) = (registry, container, observation)
    innermostCreation = creation
    Circumstances.count.wrappingAdd(1, ordering: .relaxed)
  }

  // The last task that carries the context has ended.
  deinit { Circumstances.count.wrappingSubtract(1, ordering: .relaxed) }

  /// The creation for which the code in the context works; nil once it has ended.
  var creation: Creation? { innermostCreation?.ofCaller }

  /// Returns a Boolean value that indicates whether a factory for a creation can run in this context: it does not keep the
  /// container, and is not that of another creation.
  func isOfFactory(for creation: Creation?) -> Bool {
    if case .some = container { return false }
    guard let innermostCreation else { return true }
    return innermostCreation === creation
  }

  /// Runs a closure, and the tasks that it starts, in this context.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$binding.withValue(Binding(context: self), operation: body)
  }

  /// Runs an asynchronous closure, and the tasks that it starts, in this context.
  func run<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await Self.$binding.withValue(Binding(context: self), operation: body, isolation: isolation)
  }

  /// Runs a closure that is isolated to no actor, and the tasks that it starts, in this context.
  func run<Result>(concurrently body: @concurrent () async throws -> Result) async rethrows -> Result {
    try await Self.$binding.withValue(Binding(context: self), operation: { @concurrent in try await body() })
  }
}

extension Context {
  /// The context of the current task or scope, if any.
  @_transparent
  static var current: Context? { Circumstances.areSimple ? nil : binding.context }
}
