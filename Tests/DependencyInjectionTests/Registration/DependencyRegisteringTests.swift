public import DependencyInjection
internal import Testing

/// What the conformance below registers: types of its own, so that it means nothing to the other tests.
final class RegisteredByDefault {
  static let calls = CallCounter()

  /// A closure that a test runs in the middle of the registration.
  static let meanwhile = Monitor<(@Sendable () -> Void)?>(nil)

  let number: Int
  init(number: Int) { self.number = number }
}

/// What a test registers, too.
struct OverriddenDefault { let isDefault: Bool }

/// What is registered behind an alias that a test registers itself.
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

/// What uses something else that is registered, while that goes on.
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

// In processes of their own, because it is called once in each.
@Suite(.serialized)
struct DependencyRegisteringTests {
  @Test("The first resolution calls registerDependencies, once, whichever thread comes first", .exitTest)
  func firstResolution() async {
    await #expect(processExitsWith: .success) {
      // The first goes on when all have begun, and lets the others come to wait for it.
      let begun = Monitor(0)
      RegisteredByDefault.meanwhile.change {
        $0 = {
          precondition(begun.wait(until: { $0 == 8 }))
          for _ in 0..<1_000 { letOthersRun() }
        }
      }
      let numbers = onThreads(8) { _ in
        begun.change { $0 += 1 }
        return DIContainer.resolve(DependentDefault.self).number
      }
      precondition(numbers == Array(repeating: 7, count: 8))
      precondition(DIContainer.resolve(RegisteredByDefault.self).number == 7)
      precondition(DIContainer.shared.resolve(Int?.self) == nil)
      precondition(RegisteredByDefault.calls.count == 1, "a missing registration asks no second time")
    }
  }

  @Test(
    "A wait in registerDependencies that closes a cycle with the factory that has led to it is an error", .exitTest)
  func cycle() async {
    await #expect(processExitsWith: .success) {
      let other = DIContainer()
      let (begun, made) = (Monitor(false), Monitor<OverriddenDefault?>(nil))
      other.register {
        Shared { DependentDefault(number: DIContainer.shared.resolve(RegisteredByDefault.self).number) }
        Shared { resolve in
          begun.change { $0 = true }
          let isFound = (try? resolve.tryResolve(DependentDefault.self)) != nil
          return OverriddenDefault(isDefault: isFound)
        }
      }
      let failed = Monitor(false)
      RegisteredByDefault.meanwhile.change {
        $0 = {
          startThread {
            let value = other.resolve(OverriddenDefault.self)
            made.change { $0 = value }
          }
          precondition(begun.wait(until: { $0 }))
          let error = failure { try other.tryResolve(OverriddenDefault.self) }
          failed.change { $0 = error?.code == .cycle }
        }
      }
      // The first use of the shared container, while another thread waits for the instance or will.
      precondition(other.resolve(DependentDefault.self).number == 7)
      precondition(made.wait(until: { $0 != nil }))
      precondition(made.change { $0?.isDefault } == failed.change { $0 }, "one of the two waits is the error")
    }
  }

  @Test(
    "registerDependencies is called before the first registration, so what an app registers explicitly wins", .exitTest)
  func firstRegistration() async {
    await #expect(processExitsWith: .success) {
      DIContainer.register {
        Shared(OverriddenDefault(isDefault: false))
        Shared(ExplicitBehindAlias() as any AliasOfDefault)
      }
      precondition(RegisteredByDefault.calls.count == 1, "registering is a use")
      precondition(!DIContainer.resolve((any AliasOfDefault).self).isDefault)
      precondition(DIContainer.resolve(DefaultBehindAlias.self).isDefault, "the own type is another key")
      precondition(!DIContainer.resolve(OverriddenDefault.self).isDefault)
      precondition(DIContainer.resolve(RegisteredByDefault.self).number == 7)
      DIContainer.register(Shared(RegisteredByDefault(number: 8)))
      precondition(DIContainer.resolve(RegisteredByDefault.self).number == 8)
      precondition(RegisteredByDefault.calls.count == 1)
    }
  }

  @Test(
    "An optional, a wrapper, tryResolve and a copy are first uses, too, and the shared container is current in it",
    .exitTest)
  func otherFirstResolves() async {
    await #expect(processExitsWith: .success) {
      let found: RegisteredByDefault? = DIContainer.resolve()
      precondition(found?.number == 7)
    }
    await #expect(processExitsWith: .success) {
      @Inject var injected: RegisteredByDefault
      precondition(injected.number == 7)
    }
    // In it, the shared container is current, whichever one is outside.
    await #expect(processExitsWith: .success) {
      let current = Monitor<DIContainer?>(nil)
      RegisteredByDefault.meanwhile.change {
        $0 = { current.change { $0 = DIContainer.current } }
      }
      let other = DIContainer()
      DIContainer.withCurrent(other) {
        precondition(try! DIContainer.shared.tryResolve(RegisteredByDefault.self).number == 7)
      }
      precondition(current.change { $0 } == DIContainer.shared)
      precondition(other.resolve(RegisteredByDefault?.self) == nil)
    }
    // A copy has what it registers, even if the copy is the first use.
    await #expect(processExitsWith: .success) {
      let inside = DIContainer.withOverrides {
        Shared(1)
      } perform: {
        precondition(DIContainer.resolve(DependentDefault.self).number == 7)
        return DIContainer.resolve(RegisteredByDefault.self)
      }
      precondition(inside.number == 7 && inside !== DIContainer.resolve(RegisteredByDefault.self))
      precondition(RegisteredByDefault.calls.count == 1)
    }
  }

  @Test("A copy that a task of a finished factory makes in the middle of it has all that it registers", .exitTest)
  func copyMeanwhile() async {
    await #expect(processExitsWith: .success) {
      let (isMade, isCopying, found) = (Monitor(false), Monitor(false), Monitor<Int?>(nil))
      RegisteredByDefault.meanwhile.change {
        $0 = {
          let factory = Shared { () -> ExplicitBehindAlias in
            Task {
              precondition(isMade.wait(until: { $0 }))
              isCopying.change { $0 = true }
              let dependent = DIContainer.withOverrides({ Shared(1) }) { DIContainer.resolve(DependentDefault?.self) }
              found.change { $0 = dependent?.number ?? 0 }
            }
            return ExplicitBehindAlias()
          }
          DIContainer.register(factory)
          _ = DIContainer.resolve(ExplicitBehindAlias.self)
          isMade.change { $0 = true }
          precondition(isCopying.wait(until: { $0 }))
          for _ in 0..<1_000 { letOthersRun() }
        }
      }
      precondition(DIContainer.resolve(RegisteredByDefault.self).number == 7)
      precondition(found.wait(until: { $0 != nil }) && found.change { $0 } == 7)
    }
  }

  @Test(
    "A child of the shared container finds what it registers, which belongs to the shared one, until removeAll",
    .exitTest)
  func throughChild() async {
    await #expect(processExitsWith: .success) {
      let child = DIContainer(parent: .shared)
      precondition(child.resolve(RegisteredByDefault.self) === DIContainer.shared.resolve(RegisteredByDefault.self))
      DIContainer.withOverrides {
        Shared(RegisteredByDefault(number: 9))
      } perform: {
        precondition(DIContainer.resolve(RegisteredByDefault.self).number == 9)
      }
      DIContainer.shared.removeAll()
      DIContainer.register(Shared(1))
      precondition(
        DIContainer.resolve(RegisteredByDefault?.self) == nil && child.resolve(RegisteredByDefault?.self) == nil)
      precondition(RegisteredByDefault.calls.count == 1)
    }
  }

  @Test("In a strict container, to register again what it has registered is a duplicate", .exitTest)
  func duplicate() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      DIContainer.shared.rejectsDuplicates = true
      precondition(!DIContainer.shared.registrations.isEmpty, "listing is a use")
      DIContainer.register(Shared(OverriddenDefault(isDefault: false)))
    }
    #expect(
      result?.message.contains("'OverriddenDefault' is registered twice.") == true, "\(result?.message ?? "")")
  }
}
