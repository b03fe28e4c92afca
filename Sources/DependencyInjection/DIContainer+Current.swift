extension DIContainer {
  /// The container that was made current for this task or scope, if any.
  package static var bound: DIContainer? {
    guard let context = Context.current else { return nil }
    if let container = context.container { return container }
    // A factory of the shared container runs in a context, but nobody made that container current.
    return context.registry.isShared ? nil : DIContainer(context.registry)
  }

  /// The container that the static methods and the property wrappers use: ``shared``, unless ``withCurrent(_:_:)`` or a
  /// test has made another one current.
  ///
  /// Tasks inherit it from the task that starts them, through `async let`, task groups, and `Task {}`. `Task.detached`,
  /// `DispatchQueue.async`, and threads do not inherit it. Pass them a closure that `escaping` returns.
  ///
  /// Inside of a factory, this is a handle that owns nothing. An instance may keep it without keeping the container alive.
  public static var current: DIContainer {
    bound ?? .default
  }

  /// Makes a container current for the duration of a closure and for the tasks that it starts.
  ///
  /// ```swift
  /// DIContainer.withCurrent(app) {
  ///   let router = DIContainer.resolve(Router.self)  // app's
  ///   router.open("/")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - container: The container that the static methods and the property wrappers use in the closure.
  ///   - body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: The error that the closure throws.
  public static func withCurrent<Result>(_ container: DIContainer, _ body: () throws -> Result) rethrows -> Result {
    if container.isBound { return try body() }
    return try container.context(in: .current).run(body)
  }

  /// Makes a container current for the duration of an asynchronous closure and for the tasks that it starts.
  ///
  /// See ``withCurrent(_:_:)``.
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
    return try await container.context(in: .current).run(isolation: isolation, body)
  }

  /// Overrides registrations for the duration of a closure and for the tasks that it starts.
  ///
  /// ```swift
  /// DIContainer.withOverrides {
  ///   New(MockRouter() as Router)
  /// } perform: {
  ///   let router = DIContainer.resolve(Router.self)  // the mock, in here and in the tasks started here
  ///   router.open("/")
  /// }
  /// ```
  ///
  /// The closure works on a copy of the current container's registrations, without instances. Everything in it is created
  /// anew and sees the overrides, and nothing outside of it does. To use an instance from outside, register it:
  /// `Shared(database)`. Use overrides for tests, previews and experiments. To add something to an app, such as a request or
  /// a window, use a child container.
  ///
  /// - Parameters:
  ///   - registrations: The overrides.
  ///   - body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: The error that the closure throws.
  public static func withOverrides<Result>(
    @RegistrationBuilder _ registrations: () -> RegistrationList, perform body: () throws -> Result
  ) rethrows -> Result {
    try contextOfCopy(overriddenBy: registrations).run(body)
  }

  /// Overrides registrations for the duration of an asynchronous closure and for the tasks that it starts.
  ///
  /// See ``withOverrides(_:perform:)``.
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
    try await contextOfCopy(overriddenBy: registrations).run(isolation: isolation, body)
  }

  /// Wraps a closure so that it runs with the container that is current now.
  ///
  /// Use it for code that does not inherit the current container:
  ///
  /// ```swift
  /// queue.async(execute: DIContainer.escaping { upload() })
  /// ```
  ///
  /// The closure keeps the container alive, unless it was wrapped in a factory of that container.
  ///
  /// - Parameter body: The closure.
  /// - Returns: A closure that does the same, with that container as the current one.
  public static func escaping<each Argument, Result>(
    _ body: @escaping @Sendable (repeat each Argument) -> Result
  ) -> @Sendable (repeat each Argument) -> Result {
    let makeContext = escapingContextMaker()
    return { (argument: repeat each Argument) in
      guard let context = makeContext() else { return body(repeat each argument) }
      return context.run { body(repeat each argument) }
    }
  }

  /// Wraps an asynchronous closure so that it runs with the container that is current now.
  ///
  /// Overrides that are in effect when the closure is called do not apply to it.
  ///
  /// - Parameter body: The closure.
  /// - Returns: A closure that does the same, with that container as the current one.
  @_disfavoredOverload  // a closure that never awaits stays synchronous
  public static func escaping<Result>(
    _ body: @escaping @concurrent @Sendable () async -> Result
  ) -> @concurrent @Sendable () async -> Result {
    let makeContext = escapingContextMaker()
    return {
      guard let context = makeContext() else { return await body() }
      return await context.run { await body() }
    }
  }

  /// Wraps a throwing asynchronous closure so that it runs with the container that is current now.
  ///
  /// - Parameter body: The closure.
  /// - Returns: A closure that does the same, with that container as the current one.
  @_disfavoredOverload  // a closure that never awaits stays synchronous
  public static func escaping<Result>(
    _ body: @escaping @concurrent @Sendable () async throws -> Result
  ) -> @concurrent @Sendable () async throws -> Result {
    let makeContext = escapingContextMaker()
    return {
      guard let context = makeContext() else { return try await body() }
      return try await context.run { try await body() }
    }
  }

  /// Returns a closure that makes a context like the current one, or returns nil where the shared container is current anyway.
  ///
  /// A context must not exist while no code runs in it: as long as there is one, every resolution looks for it.
  private static func escapingContextMaker() -> @Sendable () -> Context? {
    if let context = Context.current {
      let (registry, container, observation) = (context.registry, context.container, context.observation)
      let creation = Creation.current
      return { Context(registry, keeping: container, in: creation, observedBy: observation) }
    }
    let shared = Self.default
    return {
      // The shared container is current everywhere.
      if Circumstances.areSimple, !SharedContainerGuard.isWatching { return nil }
      return shared.isBound ? nil : Context(.shared, keeping: shared, in: nil, observedBy: nil)
    }
  }

  /// Returns a context, nested in another one, in which this container is current.
  func context(in outer: Context?) -> Context {
    Context(registry, keeping: self, in: outer?.creation, observedBy: outer?.observation)
  }

  /// Returns the context in which a copy of the current container is current.
  private static func contextOfCopy(overriddenBy list: () -> RegistrationList) -> Context {
    let context = Context.current
    let original = context?.registry ?? .shared
    AppRegistration.ensure(for: original)
    let copy = DIContainer(copying: original, withObservers: true)
    copy.addOverrides(list())
    return copy.context(in: context)
  }

  /// A Boolean value that indicates whether this container was made current.
  ///
  /// The shared container is current by default, but can be made current explicitly, too: lazy properties remember a
  /// container that was made current, and tests treat its use as intended.
  private var isBound: Bool { Self.bound == self }

  /// The object by which an observer recognizes the calling code.
  package static var observation: (any AnyObject & Sendable)? { Context.current?.observation }

  /// Runs a closure, and lets an observer recognize what it and the tasks that it starts resolve.
  package static func observing<Result>(
    by observation: any AnyObject & Sendable, _ body: () throws -> Result
  ) rethrows -> Result {
    try observationContext(observation).run(body)
  }

  /// Runs an asynchronous closure, and lets an observer recognize what it and the tasks that it starts resolve.
  package static func observing<Result>(
    by observation: any AnyObject & Sendable, isolation: isolated (any Actor)?, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await observationContext(observation).run(isolation: isolation, body)
  }

  private static func observationContext(_ observation: any AnyObject & Sendable) -> Context {
    let context = Context.current
    return Context(
      context?.registry ?? .shared, keeping: context?.container, in: context?.creation, observedBy: observation)
  }
}
