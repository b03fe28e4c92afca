internal import DependencyInjection
internal import Testing

/// A value, and so in no register, that keeps a token.
private struct Keeper: Keeping {
  let token: LifetimeToken
}

private protocol Keeping: Sendable {
  var token: LifetimeToken { get }
}

/// An expression is moved to its registration, and kept with it, however often that is registered.
struct CapturedTests {
  enum Form: CaseIterable {
    case new, shared, weak, scoped, aliased, usedTwice
  }

  private func registration(_ form: Form, _ token: LifetimeToken) -> any Registration {
    switch form {
    case .new: return New(Keeper(token: token) as any Keeping)
    case .shared: return Shared(Keeper(token: token) as any Keeping)
    case .weak: return Weak(token)
    case .scoped: return Scoped(in: .captured, Keeper(token: token) as any Keeping)
    case .aliased: return New(Keeper(token: token), as: (any Keeping).self)
    case .usedTwice:
      let registration = New(Keeper(token: token) as any Keeping)
      return Module {
        registration
        Module(registration)
      }
    }
  }

  @Test("What a registration captures lives exactly as long as the registration", arguments: Form.allCases)
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
    // Behind an alias, it is found under its own type, too.
    if form == .aliased { #expect(counter.alive == 1 && container.resolve(Keeper?.self) != nil) }
    container.unregister(Keeper.self)
    container.unregister(LifetimeToken.self)
    #expect(counter.alive == 0)
  }
}

extension Scope {
  fileprivate static let captured = Scope("captured")
}
