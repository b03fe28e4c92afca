import DependencyInjection

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Registers something, and lets the library at the path that is the argument resolve it; then the other way around.

DIContainer.register(Shared("what the app registers"))
print(DIContainer.resolve(String.self))

guard let library = dlopen(CommandLine.arguments[1], RTLD_NOW) else { fatalError("\(String(cString: dlerror()))") }

func call(_ name: String) {
  guard let symbol = dlsym(library, name) else { fatalError("\(String(cString: dlerror()))") }
  unsafeBitCast(symbol, to: (@convention(c) () -> Void).self)()
}

call("resolve_in_plugin")
call("register_in_plugin")
do throws(ResolutionError) {
  print(try DIContainer.tryResolve(Int.self))
} catch {
  print(error)
}
