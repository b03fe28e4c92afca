import Core
import Interfaces

/// Resolves what the app has registered, as types of the library's own copy of the module, and prints what happens.
@_cdecl("resolve_in_plugin")
public func resolveInPlugin() {
  resolve((any Greeting).self)
  resolve(Session.self)
  resolve(Page<Int>.self)
  resolve([any Greeting].self)
  resolve((@Sendable () -> Session).self)
  resolve(Cell<Int>.self)
  resolve([Cell<Int>].self)
  resolve(Row<Int>.self)
  resolve(Row<Bool, Int, Session>.self)
  resolve((any Source<Session>).self)
  resolve(Result<Session, any Error>.self)
  resolve((Int, Session).self)
  resolve(Keeper<Session>.self)
  do throws(ResolutionError) {
    print(try DIContainer.tryResolve(String.self) { Session() })
  } catch {
    print(error)
  }
}

private func resolve<Value>(_ type: Value.Type) {
  do throws(ResolutionError) {
    print(try DIContainer.tryResolve(type))
  } catch {
    print(error)
  }
}
