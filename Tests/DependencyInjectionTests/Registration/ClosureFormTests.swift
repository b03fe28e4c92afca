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
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let tests = ClosureFormTests()
      DIContainer.shared.register(New(tests.draft { DIContainer.resolve(RouterImpl.self) }))
      _ = DIContainer.resolve(RouterImpl.self)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("'RouterImpl' depends on itself."), "\(text)")
  }
}

/// A value, and so in no register, that keeps a token.
private struct Keeper: Keeping {
  let token: LifetimeToken
}

private protocol Keeping: Sendable {
  var token: LifetimeToken { get }
}

/// An expression is moved to its definition, and copied with it where one makes another.
@Suite("What an expression has captured")
struct CapturedTests {
  enum Form: CaseIterable {
    case new, shared, weak, scoped, aliased, draftUsedTwice
  }

  private func registration(_ form: Form, _ token: LifetimeToken) -> any Registration {
    switch form {
    case .new: return New(Keeper(token: token) as any Keeping)
    case .shared: return Shared(Keeper(token: token) as any Keeping)
    case .weak: return Weak(token)
    case .scoped: return Scoped(in: .captured, Keeper(token: token) as any Keeping)
    case .aliased: return New(Keeper(token: token), as: (any Keeping).self)
    case .draftUsedTwice:
      let draft = New(Keeper(token: token) as any Keeping).draft
      return Module {
        New(draft)
        Shared(draft)
      }
    }
  }

  @Test("is there as long as the registration is, and no longer", arguments: Form.allCases)
  func captured(_ form: Form) {
    let counter = LifetimeCounter()
    let container = DIContainer()
    do {
      container.register(registration(form, counter.token()))
    }
    // More than a bank is filled with at once.
    for _ in 0..<1_100 {
      if form == .weak {
        #expect(container.resolve(LifetimeToken?.self) != nil)
      } else {
        #expect(container.resolve((any Keeping)?.self) != nil)
      }
    }
    #expect(counter.alive == 1 && counter.created == 1)
    container.unregister((any Keeping).self)
    container.unregister(LifetimeToken.self)
    #expect(counter.alive == 0)
  }
}

extension Scope {
  fileprivate static let captured = Scope("captured")
}
