internal import Synchronization

extension DIContainer {
  /// The address of the shared container; 0 until it is created.
  static let sharedAddress = Atomic<UInt>(0)

  /// The container that was made current for this task or scope, if any.
  package static var bound: DIContainer? { TaskContext.withCurrent { $0?.container } }

  /// The container that the static methods and the property wrappers use: ``shared``, unless ``withCurrent(_:_:)`` or a
  /// test has made another one current.
  ///
  /// Tasks inherit it from the task that starts them, through `async let`, task groups, and `Task {}`. `Task.detached`,
  /// `DispatchQueue.async`, and threads do not inherit it. Pass them a closure that `escaping` returns.
  public static var current: DIContainer {
    bound ?? shared
  }

  /// Makes a container current for the duration of a closure and for the tasks that it starts.
  ///
  /// - Parameters:
  ///   - container: The container that the static methods and the property wrappers use in the closure.
  ///   - body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: The error that the closure throws.
  public static func withCurrent<Result>(_ container: DIContainer, _ body: () throws -> Result) rethrows -> Result {
    if container.isBound { return try body() }
    return try TaskContext(container).run(body)
  }

  /// Makes a container current for the duration of an asynchronous closure and for the tasks that it starts.
  ///
  /// - Parameters:
  ///   - container: The container that the static methods and the property wrappers use in the closure.
  ///   - isolation: The actor to run on: the caller's.
  ///   - body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: The error that the closure throws.
  public static func withCurrent<Result>(
    _ container: DIContainer, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    if container.isBound { return try await body() }
    return try await TaskContext(container).run(isolation: isolation, body)
  }

  /// Overrides registrations for the duration of a closure and for the tasks that it starts.
  ///
  /// The overrides are registered with a child of the current container. Everything that is resolved in the closure
  /// sees them, and nothing outside of it does.
  ///
  /// - Parameters:
  ///   - registrations: The overrides.
  ///   - body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: The error that the closure throws.
  public static func withOverrides<Result>(
    @RegistrationBuilder _ registrations: () -> RegistrationList, perform body: () throws -> Result
  ) rethrows -> Result {
    let child = DIContainer(parent: current)
    child.register(registrations)
    return try withCurrent(child, body)
  }

  /// Overrides registrations for the duration of an asynchronous closure and for the tasks that it starts.
  ///
  /// The overrides are registered with a child of the current container. Everything that is resolved in the closure
  /// sees them, and nothing outside of it does.
  ///
  /// - Parameters:
  ///   - registrations: The overrides.
  ///   - isolation: The actor to run on: the caller's.
  ///   - body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: The error that the closure throws.
  public static func withOverrides<Result>(
    @RegistrationBuilder _ registrations: () -> RegistrationList, isolation: isolated (any Actor)? = #isolation,
    perform body: () async throws -> Result
  ) async rethrows -> Result {
    let child = DIContainer(parent: current)
    child.register(registrations)
    return try await withCurrent(child, isolation: isolation, body)
  }

  /// Wraps a closure so that it runs with the container that is current now.
  ///
  /// Use it for code that does not inherit the current container:
  ///
  /// ```swift
  /// queue.async(execute: DIContainer.escaping { upload() })
  /// ```
  ///
  /// The closure keeps the container alive. Do not store it in an instance that the container keeps.
  ///
  /// - Parameter body: The closure.
  /// - Returns: A closure that does the same, with that container as the current one.
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

  /// Wraps an asynchronous closure so that it runs with the container that is current now.
  ///
  /// - Parameter body: The closure.
  /// - Returns: A closure that does the same, with that container as the current one.
  @_disfavoredOverload  // a closure that never awaits stays synchronous
  public static func escaping<Result>(
    _ body: @escaping @concurrent @Sendable () async -> Result
  ) -> @concurrent @Sendable () async -> Result {
    let container = current
    let escaped: @concurrent @Sendable () async -> Result = {
      container.isBound ? await body() : await TaskContext(container).run(concurrently: body)
    }
    guard let scope = ResolutionObservation.currentScope else { return escaped }
    return { await ResolutionObservation.$scope.withValue(scope, operation: escaped) }
  }

  /// Wraps a throwing asynchronous closure so that it runs with the container that is current now.
  ///
  /// - Parameter body: The closure.
  /// - Returns: A closure that does the same, with that container as the current one.
  @_disfavoredOverload  // a closure that never awaits stays synchronous
  public static func escaping<Result>(
    _ body: @escaping @concurrent @Sendable () async throws -> Result
  ) -> @concurrent @Sendable () async throws -> Result {
    let container = current
    let escaped: @concurrent @Sendable () async throws -> Result = {
      container.isBound ? try await body() : try await TaskContext(container).run(concurrently: body)
    }
    guard let scope = ResolutionObservation.currentScope else { return escaped }
    return { try await ResolutionObservation.$scope.withValue(scope, operation: escaped) }
  }

  /// An unretained reference to this container, for the time in which something else keeps the container alive.
  @inline(__always)
  var unretained: Unmanaged<DIContainer> { unsafe Unmanaged.passUnretained(self) }

  /// A Boolean value that indicates whether this container was made current, or is the shared one while no other can be
  /// current.
  ///
  /// While tests are watched, the shared one has to be made current, so that its use is known to be intended.
  private var isBound: Bool {
    TaskContext.activeCount.load(ordering: .relaxed) == 0 && !SharedContainerGuard.isWatching
      ? isShared : Self.bound === self
  }
}

/// The current container at a call, and whether the call is recorded.
struct Surroundings {
  /// The address of the current container, which the calling task or the process keeps alive.
  ///
  /// It is 0 if the current container is the shared one, and that is not created yet.
  private let address: UInt

  /// A Boolean value that indicates whether the caller is a factory whose dependencies are recorded.
  let isRecorded: Bool

  /// The surroundings of the calling function.
  @inline(__always)
  static var now: Surroundings { ofSoleContainer ?? inContext }

  /// The surroundings of the calling function, if there is no `TaskContext` in the process; nil otherwise.
  @inline(__always)
  static var ofSoleContainer: Surroundings? {
    if TaskContext.activeCount.load(ordering: .relaxed) != 0 { return nil }
    return Surroundings(address: DIContainer.sharedAddress.load(ordering: .acquiring), isRecorded: false)
  }

  @inline(never)
  private static var inContext: Surroundings {
    TaskContext.withCurrent { context in
      let current = unsafe context?.container?.unretained ?? DIContainer.shared.unretained
      let thread = ThreadState.current.context
      let isRecorded = (thread ?? (context?.creation == nil ? nil : CreationContext.ofTask))?.recorder != nil
      return unsafe Surroundings(address: UInt(bitPattern: current.toOpaque()), isRecorded: isRecorded)
    }
  }

  /// The current container.
  @inline(__always)
  var container: Unmanaged<DIContainer> {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else {
      return unsafe DIContainer.shared.unretained
    }
    // Sound: the calling task or the process keeps it.
    return unsafe Unmanaged.fromOpaque(pointer)
  }

  /// Returns a Boolean value that indicates whether a container is the current one.
  @inline(__always)
  func isCurrent(_ container: DIContainer) -> Bool {
    unsafe UInt(bitPattern: container.unretained.toOpaque()) == address
  }
}
