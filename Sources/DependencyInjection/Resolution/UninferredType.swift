// The overloads that the compiler selects for a call without an inferable type.
//
// Without them it fails with no diagnostic, because each of these methods exists twice, static and not. A
// `callAsFunction` never gets one.

@available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
extension DIContainer {
  /// Reports a call whose type cannot be inferred.
  @_disfavoredOverload
  public func resolve(named name: DependencyName? = nil) {}

  /// Reports a call whose type cannot be inferred.
  @_disfavoredOverload
  public func tryResolve(named name: DependencyName? = nil) throws(ResolutionError) {}

  /// Reports a call whose type cannot be inferred.
  @_disfavoredOverload
  public func resolveAsync(named name: DependencyName? = nil) async throws {}

  /// Reports a call whose type cannot be inferred.
  @_disfavoredOverload
  public static func resolve(named name: DependencyName? = nil) {}

  /// Reports a call whose type cannot be inferred.
  @_disfavoredOverload
  public static func tryResolve(named name: DependencyName? = nil) throws(ResolutionError) {}

  /// Reports a call whose type cannot be inferred.
  @_disfavoredOverload
  public static func resolveAsync(named name: DependencyName? = nil) async throws {}
}

@available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
extension Resolver {
  /// Reports a call whose type cannot be inferred.
  @_disfavoredOverload
  public func callAsFunction(named name: DependencyName? = nil) {}
}
