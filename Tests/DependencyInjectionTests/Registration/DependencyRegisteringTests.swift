internal import Testing

@testable public import DependencyInjection

/// What the conformance below registers: types of its own, so that it means nothing to the other tests.
final class RegisteredByDefault {
  static let calls = CallCounter()

  /// What a test wants to happen in the middle of the registering.
  static let meanwhile = Monitor<(@Sendable () -> Void)?>(nil)

  let number: Int
  init(number: Int) { self.number = number }
}

/// A default that a test registers before anything is resolved.
struct OverriddenDefault { let isDefault: Bool }

/// A default behind an alias that a test registers itself.
private final class DefaultBehindAlias: AliasOfDefault {
  let isDefault = true
}

/// The same, of the test.
private final class ExplicitBehindAlias: AliasOfDefault {
  let isDefault = false
}

private protocol AliasOfDefault: Sendable {
  var isDefault: Bool { get }
}

/// Registers itself again when a factory that has captured it goes.
private final class Returning: Sendable {
  /// A default that has captured one.
  static func makeDefault() -> Shared {
    let returning = Returning()
    return Shared { withExtendedLifetime(returning) { OverriddenDefault(isDefault: true) } }
  }

  deinit { DIContainer.shared.register(Shared(Returned())) }
}

/// What that registers.
private struct Returned {}

/// A default that uses another one while defaults are being registered.
struct DependentDefault { let number: Int }

extension DIContainer: DependencyRegistering {
  /// Registers the types above.
  public static func registerDependencies() {
    RegisteredByDefault.calls.call()
    register {
      Shared(RegisteredByDefault(number: 7))
      Shared(OverriddenDefault(isDefault: true))
      Shared(DefaultBehindAlias(), as: (any AliasOfDefault).self)
    }
    RegisteredByDefault.meanwhile.change { $0 }?()
    let number = resolve(RegisteredByDefault.self).number
    register(Shared(DependentDefault(number: number)))
  }
}

@Suite("DependencyRegistering", .serialized)
struct DependencyRegisteringTests {
  @Test("A snapshot of containers that are registering defaults has no decorators of them")
  func snapshotOfDecorators() async {
    await #expect(processExitsWith: .success) {
      let snapshot = Monitor<Registry?>(nil)
      DIContainer.decorate(RegisteredByDefault.self) { value, _ in RegisteredByDefault(number: value.number * 2) }
      RegisteredByDefault.meanwhile.change {
        $0 = {
          DIContainer.decorate(RegisteredByDefault.self) { value, _ in RegisteredByDefault(number: value.number * 3) }
          snapshot.change { if $0 == nil { $0 = DIContainer.shared.registry() } }
        }
      }
      precondition(DIContainer.resolve(RegisteredByDefault.self).number == 42)
      DIContainer.shared.setRegistry(snapshot.change { $0! })
      precondition(DIContainer.resolve(RegisteredByDefault.self).number == 42)
      precondition(RegisteredByDefault.calls.count == 2)
    }
  }

  @Test("A default whose alias is registered explicitly is not found under its own type either")
  func ownTypeOfDefault() async {
    await #expect(processExitsWith: .success) {
      DIContainer.register(Shared(ExplicitBehindAlias() as any AliasOfDefault))
      precondition(!DIContainer.resolve((any AliasOfDefault).self).isDefault)
      precondition(DIContainer.resolve(DefaultBehindAlias?.self) == nil)
    }
    await #expect(processExitsWith: .success) {
      precondition(DIContainer.resolve(DefaultBehindAlias.self).isDefault)
      DIContainer.register(Shared(ExplicitBehindAlias() as any AliasOfDefault))
      precondition(DIContainer.resolve(DefaultBehindAlias?.self) == nil)
    }
  }

  @Test("A child that has still to register the defaults does so, whatever its parent has in its table")
  func defaultsOfChild() async {
    await #expect(processExitsWith: .success) {
      let pending = DIContainer.shared.registry()
      let child = DIContainer(parent: .shared)
      child.setRegistry(pending)
      let shared = DIContainer.resolve(RegisteredByDefault.self)
      precondition(DIContainer.resolve(RegisteredByDefault.self) === shared)
      let own = child.resolve(RegisteredByDefault.self)
      precondition(own !== shared && RegisteredByDefault.calls.count == 2)
      precondition(child.resolve(RegisteredByDefault.self) === own)
      DIContainer.shared.register(Shared("text"))
      precondition(child.resolve(String.self) == "text")
      // Then the table of the parent may answer what the child has not. The filter may take one type for another, but
      // not all of these.
      let shadowed = child.table.pointee.shadowed.load()
      let types: [Any.Type] = [String.self, Int.self, Double.self, Float.self]
      precondition(types.contains { !shadowed.mayIntersect(KeyFilter([Key($0)])) })
    }
  }

  @Test("The defaults are registered once, by the first resolve, and explicit registrations are kept")
  func defaults() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      DIContainer.register(Shared(OverriddenDefault(isDefault: false)))
      precondition(RegisteredByDefault.calls.count == 0, "registering is not resolving")
      let numbers = onThreads(8) { _ in DIContainer.resolve(RegisteredByDefault.self).number }
      precondition(numbers == Array(repeating: 7, count: 8))
      precondition(RegisteredByDefault.calls.count == 1, "once")
      precondition(
        !DIContainer.resolve(OverriddenDefault.self).isDefault, "an explicit registration overrides a default")
      precondition(DIContainer.resolve(DependentDefault.self).number == 7)
      DIContainer.register(Shared(RegisteredByDefault(number: 8)))
      precondition(DIContainer.resolve(RegisteredByDefault.self).number == 8, "later ones override as usual")
      precondition(DIContainer.shared.resolve(Int?.self) == nil)
      precondition(RegisteredByDefault.calls.count == 1, "a missing registration asks no second time")
    }
    #expect(result?.message.contains("Fatal error") == false)
  }

  @Test("Resolving inside registerDependencies is not reported to observers")
  func observed() async {
    final class Observed: ResolutionObserver {
      let types = Monitor<[String]>([])
      func didResolve(_ resolution: ResolutionEvent) { types.change { $0.append("\(resolution.type)") } }
    }
    await #expect(processExitsWith: .success) {
      let observed = Observed()
      DIContainer.shared.addObserver(observed)
      precondition(DIContainer.resolve(DependentDefault.self).number == 7)
      precondition(observed.types.change { $0 } == ["DependentDefault"])
    }
  }

  @Test("An optional and a wrapper are first resolves too")
  func otherFirstResolves() async {
    await #expect(processExitsWith: .success) {
      let found: RegisteredByDefault? = DIContainer.resolve()
      precondition(found?.number == 7)
    }
    await #expect(processExitsWith: .success) {
      @Inject var injected: RegisteredByDefault
      precondition(injected.number == 7)
    }
    await #expect(processExitsWith: .success) {
      precondition(try! DIContainer.shared.tryResolve(RegisteredByDefault.self).number == 7)
    }
  }

  @Test("They are found through a child of the shared container, and belong to the shared one")
  func throughChild() async {
    await #expect(processExitsWith: .success) {
      let child = DIContainer(parent: .shared)
      precondition(child.resolve(RegisteredByDefault.self) === DIContainer.shared.resolve(RegisteredByDefault.self))
      DIContainer.withOverrides {
        Shared(RegisteredByDefault(number: 9))
      } perform: {
        precondition(DIContainer.resolve(RegisteredByDefault.self).number == 9)
      }
      precondition(RegisteredByDefault.calls.count == 1)
    }
  }

  @Test("A first resolve inside overrides registers the defaults with the shared container")
  func firstInsideOverrides() async {
    await #expect(processExitsWith: .success) {
      DIContainer.withOverrides {
        Shared(1)
      } perform: {
        precondition(DIContainer.resolve(RegisteredByDefault.self).number == 7)
      }
      precondition(DIContainer.resolve(RegisteredByDefault.self).number == 7)
      precondition(RegisteredByDefault.calls.count == 1)
    }
  }

  @Test("Only what is registered with the container itself yields to explicit registrations")
  func otherContainer() async {
    await #expect(processExitsWith: .success) {
      let other = DIContainer()
      other.register(Shared(OverriddenDefault(isDefault: true)))
      RegisteredByDefault.meanwhile.change {
        $0 = { other.register(Shared(OverriddenDefault(isDefault: false))) }
      }
      _ = DIContainer.resolve(RegisteredByDefault.self)
      precondition(!other.resolve(OverriddenDefault.self).isDefault, "the newest wins")
    }
  }

  @Test("A default that yields is released when nobody holds the lock", .timeLimit(.minutes(5)))
  func yieldingDefault() async {
    await #expect(processExitsWith: .success) {
      DIContainer.register(Shared(OverriddenDefault(isDefault: false)))
      RegisteredByDefault.meanwhile.change {
        $0 = { DIContainer.register(Returning.makeDefault()) }
      }
      precondition(DIContainer.resolve(RegisteredByDefault.self).number == 7)
      precondition(!DIContainer.resolve(OverriddenDefault.self).isDefault)
      precondition(DIContainer.resolve(Returned?.self) != nil, "its deinit has run, and registered")
    }
  }

  @Test("A snapshot from the middle of the registering leads to registering again")
  func snapshot() async {
    await #expect(processExitsWith: .success) {
      let snapshot = Monitor<Registry?>(nil)
      RegisteredByDefault.meanwhile.change {
        $0 = { snapshot.change { $0 = DIContainer.shared.registry() } }
      }
      precondition(DIContainer.resolve(DependentDefault.self).number == 7)
      DIContainer.shared.setRegistry(snapshot.change { $0 }!)
      precondition(DIContainer.resolve(DependentDefault.self).number == 7)
      precondition(RegisteredByDefault.calls.count == 2)
    }
  }

  @Test("A container of one's own knows nothing of them")
  func ownContainer() {
    #expect(DIContainer().resolve(RegisteredByDefault?.self) == nil)
  }
}
