import DependencyInjection

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Registers something, and lets the library at the path that is the argument resolve it.

DIContainer.register(Shared("what the app registers"))
print(DIContainer.resolve(String.self))

guard let library = dlopen(CommandLine.arguments[1], RTLD_NOW), let symbol = dlsym(library, "resolve_in_plugin") else {
  fatalError("\(String(cString: dlerror()))")
}
unsafeBitCast(symbol, to: (@convention(c) () -> Void).self)()
