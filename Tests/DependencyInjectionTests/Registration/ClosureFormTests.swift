@testable internal import DependencyInjection
internal import Testing

/// A factory that returns an object in a register, which the compiler makes of an expression in optimised code only.
@Suite("Factories that return objects")
struct ClosureFormTests {
  private let container = DIContainer()

  private func draft(as alias: Any.Type? = nil, _ make: @escaping () -> RouterImpl) -> DefinitionDraft {
    DefinitionDraft(
      type: RouterImpl.self, factory: Factory(closure: ObjectClosure { make() }.erased, details: nil),
      aliases: alias.map { [Alias(type: $0, convert: nil)] } ?? [], named: nil,
      location: SourceLocation(file: #fileID, line: #line))
  }

  @Test("make a new one each time, through the registry and from the table")
  func new() {
    let container = container
    let calls = CallCounter()
    container.register(
      New(
        draft {
          calls.call()
          return RouterImpl()
        }))
    var kept: [RouterImpl] = []
    for _ in 0..<5 { kept.append(container.resolve()) }
    #expect(Set(kept.map { ObjectIdentifier($0) }).count == 5 && calls.count == 5)
    #expect(container.resolve(RouterImpl?.self) != nil)
  }

  @Test("make the one that is shared, or held weakly")
  func kept() {
    container.register(Shared(draft { RouterImpl() }))
    let shared = container.resolve(RouterImpl.self)
    #expect(container.resolve(RouterImpl.self) === shared)
    container.register(Weak(draft { RouterImpl() }))
    let held = container.resolve(RouterImpl.self)
    #expect(container.resolve(RouterImpl.self) === held && held !== shared)
  }

  @Test("make what is found under an alias")
  func alias() {
    container.register(New(draft(as: (any Router).self) { RouterImpl() }))
    #expect(container.resolve((any Router).self) is RouterImpl)
  }

  @Test("release what they have captured when they are replaced")
  func captured() {
    var object: RouterImpl? = RouterImpl()
    weak let captured = object
    container.register(New(draft { [object] in object! }))
    object = nil
    #expect(container.resolve(RouterImpl.self) === captured && captured != nil)
    container.register(New(draft { RouterImpl() }))
    #expect(captured == nil)
  }

  @Test("are called in the shared container as they are, one inside the other, and may lead in a circle")
  func direct() async {
    await #expect(processExitsWith: .success) {
      let tests = ClosureFormTests()
      let alone = DIContainer.shared
      alone.register {
        New(tests.draft { RouterImpl(config: DIContainer.resolve((any AppConfiguration).self)) })
        New(AppConfigurationImpl() as any AppConfiguration)
      }
      for _ in 0..<5 { precondition(DIContainer.resolve(RouterImpl.self).config != nil) }
    }
    await #expect(processExitsWith: .failure) {
      let tests = ClosureFormTests()
      DIContainer.shared.register(New(tests.draft { DIContainer.resolve(RouterImpl.self) }))
      _ = DIContainer.resolve(RouterImpl.self)
    }
  }
}
