import Core
import Interfaces

/// Resolves what the app has registered, as a type of the library's own copy of the module, and prints what happens.
@_cdecl("resolve_in_plugin")
public func resolveInPlugin() {
  do throws(ResolutionError) {
    print(try DIContainer.tryResolve(Session.self))
  } catch {
    print(error)
  }
}
