import Core
import Interfaces

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Registers types of the app's copy of a module, and lets the library at the path that is the argument ask for its own.

struct Hello: Greeting {}

DIContainer.register {
  Shared(Hello() as any Greeting)
  Shared(Session())
  Shared(Page<Int>())
  Shared([Hello() as any Greeting])
  New { { Session() } as @Sendable () -> Session }
  Shared(Cell<Int>())
  Shared([Cell<Int>()])
  Shared(Row<Int>())
  Shared(Row<Bool, Int, Session>())
  Shared(Cell<Session>() as any Source<Session>)
  Shared(Result<Session, any Error>.success(Session()))
  Shared((1, Session()))
  Shared(Keeper<Session>())
  New { (_, session: Session) in "a text" }
}

guard let library = dlopen(CommandLine.arguments[1], RTLD_NOW), let symbol = dlsym(library, "resolve_in_plugin") else {
  fatalError("\(String(cString: dlerror()))")
}
unsafeBitCast(symbol, to: (@convention(c) () -> Void).self)()
