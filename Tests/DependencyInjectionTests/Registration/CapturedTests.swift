@testable internal import DependencyInjection
internal import Testing

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
    // More than are retained at once.
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
