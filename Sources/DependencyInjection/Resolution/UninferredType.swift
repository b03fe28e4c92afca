// The overloads that the compiler chooses where a resolve does not say its type.
//
// Without them it fails with no diagnostic, because there are also overloads for a `Dependency`.

extension DIContainer {
  /// Says that the type is missing.
  @available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
  @_disfavoredOverload
  public func resolve(named name: DependencyName? = nil) {}

  /// Says that the type is missing.
  @available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
  @_disfavoredOverload
  public func tryResolve(named name: DependencyName? = nil) throws(ResolutionError) {}

  /// Says that the type is missing.
  @available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
  @_disfavoredOverload
  public func resolveAsync(named name: DependencyName? = nil) async throws {}

  /// Says that the type is missing.
  @available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
  @_disfavoredOverload
  public static func resolve(named name: DependencyName? = nil) {}

  /// Says that the type is missing.
  @available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
  @_disfavoredOverload
  public static func tryResolve(named name: DependencyName? = nil) throws(ResolutionError) {}

  /// Says that the type is missing.
  @available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
  @_disfavoredOverload
  public static func resolveAsync(named name: DependencyName? = nil) async throws {}
}

extension Resolver {
  /// Says that the type is missing.
  @available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
  @_disfavoredOverload
  public func callAsFunction(named name: DependencyName? = nil) {}

  /// Says that the type is missing.
  @available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
  @_disfavoredOverload
  public func resolve(named name: DependencyName? = nil) {}

  /// Says that the type is missing.
  @available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
  @_disfavoredOverload
  public func resolveAsync(named name: DependencyName? = nil) async throws {}
}
