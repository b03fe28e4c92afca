import Core
import Interfaces

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Registers a type of the app's copy of a module, and lets the library at the path that is the argument ask for its own.

DIContainer.register(Shared(Session()))

guard let library = dlopen(CommandLine.arguments[1], RTLD_NOW), let symbol = dlsym(library, "resolve_in_plugin") else {
  fatalError("\(String(cString: dlerror()))")
}
unsafeBitCast(symbol, to: (@convention(c) () -> Void).self)()
