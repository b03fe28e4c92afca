import DependencyInjection

/// Resolves what the app has registered, with the library's own copy of the package, and prints what happens.
@_cdecl("resolve_in_plugin")
public func resolveInPlugin() {
  do throws(ResolutionError) {
    print(try DIContainer.tryResolve(String.self))
  } catch {
    print(error)
  }
}

/// Registers a number with the library's own copy of the package.
@_cdecl("register_in_plugin")
public func registerInPlugin() {
  DIContainer.register(Shared(5))
}
