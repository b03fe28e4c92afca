internal import DependencyInjection
internal import Testing

private protocol Player {}

private struct Silence: Player {}

private protocol Motorized: AnyObject {}

private final class Motor: Motorized {}

private struct Problem: Error {}

struct MissingOptionalTests {
  /// Asks for a type again and again while it is and is not registered, in a container and in a child of it.
  private func check<Value>(_ registration: some Registration, _ type: Value.Type, named name: DependencyName? = nil) {
    let container = DIContainer()
    let child = DIContainer(parent: container)
    func expect(_ isFound: Bool, _ location: SourceLocation = #_sourceLocation) {
      // The first request may have to ask the registry, the others find what it has left in a table.
      for _ in 0..<3 {
        #expect((container.resolve(Value?.self, named: name) != nil) == isFound, sourceLocation: location)
        #expect((child.resolve(Value?.self, named: name) != nil) == isFound, sourceLocation: location)
      }
    }
    expect(false)
    container.register(registration)
    expect(true)
    container.unregister(type, named: name)
    expect(false)
    container.register(registration)
    expect(true)
    container.removeAll()
    expect(false)
    child.register(registration)
    #expect(child.resolve(Value?.self, named: name) != nil && container.resolve(Value?.self, named: name) == nil)
  }

  @Test("nil is the answer until something is registered, and again afterward, whatever the type is, in a copy, too")
  func types() {
    check(Shared(Silence() as any Player), (any Player).self)
    check(New(Silence() as any Player), (any Player).self)
    check(Shared(Motor() as any Motorized), (any Motorized).self)
    check(Shared(Motor()), Motor.self)
    check(Shared(Problem() as any Error), (any Error).self)
    check(Shared(true), Bool.self)
    check(Shared(1), Int.self)
    check(Shared("text"), String.self)
    check(Shared([Motor()]), [Motor].self)
    check(Shared(Motor(), named: "spare"), Motor.self, named: "spare")
    // A property that is an optional is nil, and so is one of a copy.
    DIContainer.withCurrent(DIContainer()) {
      #expect(DIContainer.resolve((any Motorized)?.self) == nil)
      DIContainer.withOverrides {
        Shared(Motor() as any Motorized)
      } perform: {
        #expect(DIContainer.resolve((any Motorized)?.self) != nil)
      }
      DIContainer.withOverrides {
      } perform: {
        for _ in 0..<3 { #expect(DIContainer.resolve((any Motorized)?.self) == nil) }
      }
      #expect(DIContainer.resolve((any Motorized)?.self) == nil)
    }
  }
}
