internal import Synchronization

/// The current container of a task and of the tasks that it starts, and the creation for which they work.
final class Context: Sendable {
  @TaskLocal
  private static var binding = Binding()

  /// The context of a task, if any, in a struct.
  ///
  /// The runtime takes twice as long to copy a value that is optional itself.
  private struct Binding {
    var context: Context?
  }

  /// The address of the current container, which the context retains; 0 if no code runs in the context.
  ///
  /// It changes only while nothing else refers to the context. It is atomic because the thread sanitizer would not
  /// notice that.
  private let address = Atomic<UInt>(0)
  /// The handle to the container, which the tasks keep alive; nil in the context of a factory, whose tasks must not
  /// keep it alive.
  let container: DIContainer?
  /// The creation, which may have ended.
  let innermostCreation: Creation?
  /// The object by which an observer recognizes the code.
  let observation: Observation?

  typealias Observation = any AnyObject & Sendable

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - registry: The registry of the current container.
  ///   - container: The handle to keep alive; nil for the context of a factory, which must not keep the container.
  ///   - creation: The creation for which the code in the context works.
  ///   - observation: The object by which an observer recognizes that code.
  init(
    _ registry: Registry, keeping container: DIContainer? = nil, in creation: Creation?,
    observedBy observation: Observation?
  ) {
    (self.container, innermostCreation, self.observation) = (container, creation, observation)
    enter(registry)
  }

  // The last task that carries the context has ended, or the thread whose spare context it is.
  deinit { if address.load(ordering: .relaxed) != 0 { leave() } }

  /// The creation for which the code in the context works; nil once it has ended.
  var creation: Creation? { innermostCreation?.ofCaller }

  /// Returns a Boolean value that indicates whether a factory for a creation can run in this context.
  ///
  /// It can if the context does not keep the container, and does not belong to another creation.
  func isOfFactory(for creation: Creation?) -> Bool {
    if case .some = container { return false }
    guard let innermostCreation else { return true }
    return innermostCreation === creation
  }

  /// Runs a closure, and the tasks that it starts, in this context.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$binding.withValue(Binding(context: self), operation: body)
  }

  /// Runs a synchronous factory, and the tasks that it starts, with a container as the current one.
  ///
  /// The tasks must not keep the container alive, because the container may keep what owns them. They work for no
  /// creation: the code on this thread finds the creation in a frame. Most factories start no task, so their context is
  /// used again for the next one.
  ///
  /// - Parameters:
  ///   - registry: The container.
  ///   - outer: The context of the caller.
  ///   - thread: The state of the calling thread.
  ///   - body: Calls the factory.
  /// - Throws: The error of the factory.
  @inline(__always)
  static func runFactory(
    of registry: Registry, in outer: Context?, on thread: ThreadState, _ body: () throws -> Void
  ) throws {
    if let observation = outer?.observation {
      return try Context(registry, in: nil, observedBy: observation).run(body)
    }
    var binding = Binding(context: thread.spareContext.take() ?? makeSpare())
    binding.context?.enter(registry)
    var failure: (any Error)?
    $binding.withValue(binding) { do { try body() } catch { failure = error } }
    // Otherwise, tasks refer to it, and may outlive the factory.
    if isKnownUniquelyReferenced(&binding.context) {
      binding.context?.leave()
      swap(&thread.spareContext, &binding.context)
    }
    if let failure { throw failure }
  }

  /// Returns a context for factories.
  @inline(never)
  private static func makeSpare() -> Context {
    let context = Context(.shared, in: nil, observedBy: nil)
    context.leave()
    return context
  }

  /// Runs an asynchronous closure, and the tasks that it starts, in this context.
  func run<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await Self.$binding.withValue(Binding(context: self), operation: body, isolation: isolation)
  }
}

extension Context {
  @_transparent
  var registry: Registry { Unowned(address: address.load(ordering: .relaxed)).object }

  @_transparent
  private func enter(_ registry: Registry) {
    // Retained, even though the caller refers to the registry, too: if the caller's frames are skipped, tasks may outlive
    // that reference.
    let registry = Unowned(registry)
    registry.retain()
    address.store(registry.address, ordering: .relaxed)
    Circumstances.count.wrappingAdd(1, ordering: .relaxed)
  }

  @_transparent
  private func leave() {
    Circumstances.count.wrappingSubtract(1, ordering: .relaxed)
    let registry = Unowned<Registry>(address: address.load(ordering: .relaxed))
    address.store(0, ordering: .relaxed)
    registry.release()
  }

  /// The context of the current task or scope, if any.
  @_transparent
  static var current: Context? { Circumstances.areSimple ? nil : binding.context }
}
