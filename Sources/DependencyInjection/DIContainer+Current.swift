internal import Synchronization

extension DIContainer {
  @TaskLocal
  private static var taskContainer: DIContainer?

  /// The address of the shared container until another one is made current for the first time; then 0.
  ///
  /// A relaxed load is enough, unless the address is dereferenced: code that runs with another container begins after the
  /// store of 0.
  static let soleContainerAddress = Atomic<UInt>(0)

  /// Notes that another container than the shared one is going to be current.
  private static func noteOtherContainer() {
    // The shared container stores the address when it is created.
    _ = shared
    soleContainerAddress.store(0, ordering: .relaxed)
  }

  /// The container that was made current for this task or scope, if one was.
  package static var bound: DIContainer? { soleContainerAddress.load(ordering: .relaxed) == 0 ? taskContainer : nil }

  /// The container that the static methods and the property wrappers use: ``shared``, unless
  /// ``withCurrent(_:_:)`` or a test has made another one current.
  ///
  /// Tasks inherit it from the task that starts them, through `async let`, task groups and `Task {}`.
  /// `Task.detached`, `DispatchQueue.async` and threads do not; give them a closure from `escaping`.
  public static var current: DIContainer {
    bound ?? shared
  }

  /// Makes a container current for the duration of a closure and for the tasks that it starts.
  ///
  /// - Parameters:
  ///   - container: The container that the static methods and the property wrappers use in the closure.
  ///   - body: The closure.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public static func withCurrent<Result>(_ container: DIContainer, _ body: () throws -> Result) rethrows -> Result {
    if container.isSoleContainer { return try body() }
    noteOtherContainer()
    return try $taskContainer.withValue(container, operation: body)
  }

  /// Makes a container current for the duration of an asynchronous closure and for the tasks that it starts.
  ///
  /// - Parameters:
  ///   - container: The container that the static methods and the property wrappers use in the closure.
  ///   - isolation: The actor to run on: the caller's.
  ///   - body: The closure.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public static func withCurrent<Result>(
    _ container: DIContainer, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    if container.isSoleContainer { return try await body() }
    noteOtherContainer()
    return try await $taskContainer.withValue(container, operation: body, isolation: isolation)
  }

  /// Overrides registrations for the duration of a closure and for the tasks that it starts.
  ///
  /// The overrides go into a child of the current container, so everything that is resolved in the closure sees them,
  /// and nothing outside does.
  ///
  /// - Parameters:
  ///   - registrations: What to override.
  ///   - body: The closure.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public static func withOverrides<Result>(
    @RegistrationBuilder _ registrations: () -> RegistrationList, perform body: () throws -> Result
  ) rethrows -> Result {
    let child = DIContainer(parent: current)
    child.register(registrations)
    return try withCurrent(child, body)
  }

  /// Overrides registrations for the duration of an asynchronous closure and for the tasks that it starts.
  ///
  /// The overrides go into a child of the current container, so everything that is resolved in the closure sees them,
  /// and nothing outside does.
  ///
  /// - Parameters:
  ///   - registrations: What to override.
  ///   - isolation: The actor to run on: the caller's.
  ///   - body: The closure.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public static func withOverrides<Result>(
    @RegistrationBuilder _ registrations: () -> RegistrationList, isolation: isolated (any Actor)? = #isolation,
    perform body: () async throws -> Result
  ) async rethrows -> Result {
    let child = DIContainer(parent: current)
    child.register(registrations)
    return try await withCurrent(child, isolation: isolation, body)
  }

  /// Wraps a closure so that it runs with the container that is current now, wherever it runs later.
  ///
  /// For code that does not inherit the current container:
  ///
  /// ```swift
  /// queue.async(execute: DIContainer.escaping { upload() })
  /// ```
  ///
  /// The closure keeps the container alive; do not store it in an instance that the container keeps.
  ///
  /// - Parameter body: The closure.
  /// - Returns: A closure that does the same with today's current container.
  public static func escaping<each Argument, Result>(
    _ body: @escaping @Sendable (repeat each Argument) -> Result
  ) -> @Sendable (repeat each Argument) -> Result {
    let container = current
    let escaped = { @Sendable (argument: repeat each Argument) in
      withCurrent(container) { body(repeat each argument) }
    }
    guard let scope = ResolutionObservation.currentScope else { return escaped }
    return { (argument: repeat each Argument) in
      ResolutionObservation.$scope.withValue(scope) { escaped(repeat each argument) }
    }
  }

  /// Wraps an asynchronous closure so that it runs with the container that is current now, wherever it runs later.
  ///
  /// - Parameter body: The closure.
  /// - Returns: A closure that does the same with today's current container.
  @_disfavoredOverload  // a closure that never awaits stays synchronous
  public static func escaping<Result>(
    _ body: @escaping @concurrent @Sendable () async -> Result
  ) -> @concurrent @Sendable () async -> Result {
    let container = current
    let escaped: @concurrent @Sendable () async -> Result = {
      if container.isSoleContainer { return await body() }
      noteOtherContainer()
      return await $taskContainer.withValue(container, operation: body)
    }
    guard let scope = ResolutionObservation.currentScope else { return escaped }
    return { await ResolutionObservation.$scope.withValue(scope, operation: escaped) }
  }

  /// Wraps a throwing asynchronous closure so that it runs with the container that is current now, wherever it runs.
  ///
  /// - Parameter body: The closure.
  /// - Returns: A closure that does the same with today's current container.
  @_disfavoredOverload  // a closure that never awaits stays synchronous
  public static func escaping<Result>(
    _ body: @escaping @concurrent @Sendable () async throws -> Result
  ) -> @concurrent @Sendable () async throws -> Result {
    let container = current
    let escaped: @concurrent @Sendable () async throws -> Result = {
      if container.isSoleContainer { return try await body() }
      noteOtherContainer()
      return try await $taskContainer.withValue(container, operation: body)
    }
    guard let scope = ResolutionObservation.currentScope else { return escaped }
    return { try await ResolutionObservation.$scope.withValue(scope, operation: escaped) }
  }

  /// A Boolean value that indicates whether no other container can be current.
  @inline(__always)
  var isSoleContainer: Bool {
    unsafe UnsafeRawPointer(bitPattern: Self.soleContainerAddress.load(ordering: .relaxed))
      == UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
  }
}
