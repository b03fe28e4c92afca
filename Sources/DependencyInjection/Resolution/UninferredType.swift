// The overloads that the compiler chooses where a call does not say which type to resolve.
//
// Without them it fails with no diagnostic, because each of these methods is there twice, static and not, and a
// `callAsFunction` never gets one.

extension DIContainer {
  /// Reports a call whose type cannot be inferred.
  @available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
  @_disfavoredOverload
  public func resolve(named name: DependencyName? = nil) {}

  /// Reports a call whose type cannot be inferred.
  @available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
  @_disfavoredOverload
  public func tryResolve(named name: DependencyName? = nil) throws(ResolutionError) {}

  /// Reports a call whose type cannot be inferred.
  @available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
  @_disfavoredOverload
  public func resolveAsync(named name: DependencyName? = nil) async throws {}

  /// Reports a call whose type cannot be inferred.
  @available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
  @_disfavoredOverload
  public static func resolve(named name: DependencyName? = nil) {}

  /// Reports a call whose type cannot be inferred.
  @available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
  @_disfavoredOverload
  public static func tryResolve(named name: DependencyName? = nil) throws(ResolutionError) {}

  /// Reports a call whose type cannot be inferred.
  @available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
  @_disfavoredOverload
  public static func resolveAsync(named name: DependencyName? = nil) async throws {}
}

extension Resolver {
  /// Reports a call whose type cannot be inferred.
  @available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
  @_disfavoredOverload
  public func callAsFunction(named name: DependencyName? = nil) {}
}
