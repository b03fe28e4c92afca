@testable import DITesting
@testable import DependencyInjection
import Testing

// `registerDependencies` is called once for each container that knows of it. There is one conformance in the process of
// the tests, of another target, so these look at what it has registered in all.

extension DIContainer {
  /// How much is registered here.
  fileprivate var count: Int { registry().records.count }

  /// Lets `registerDependencies` be called, if it has not been.
  fileprivate func use() { _ = resolve(Never?.self) }
}

@Suite("What registerDependencies registers")
struct DefaultsTests {
  @Test("comes back with the snapshot of a container that has not called it")
  func snapshot() async {
    await #expect(processExitsWith: .success) {
      let untouched = DIContainer.snapshot()
      precondition(DIContainer.shared.count == 0)
      for _ in 0..<2 {
        DIContainer.shared.use()
        precondition(DIContainer.shared.count > 0, "called again after each restore")
        DIContainer.restore(untouched)
        precondition(DIContainer.shared.count == 0)
      }
      DIContainer.shared.use()
      let used = DIContainer.snapshot()
      DIContainer.restore(untouched)
      DIContainer.restore(used)
      let count = DIContainer.shared.count
      DIContainer.shared.use()
      precondition(count > 0 && DIContainer.shared.count == count)
    }
  }

  @Test("is registered anew for each isolated test, and not shared with the others or the app")
  func isolation() async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<2 {
        await isolated("test") {
          precondition(DIContainer.current.lacksDefaults)
          DIContainer.current.use()
          precondition(DIContainer.current.count > 0)
          precondition(!DIContainer.current.lacksDefaults)
        }
        precondition(DIContainer.shared.lacksDefaults)
        precondition(DIContainer.shared.count == 0)
      }
      DIContainer.shared.use()
      await isolated("test") { precondition(!DIContainer.current.lacksDefaults) }
    }
  }

  @Test("counts as overridden by a trait, because nobody knows yet what it will be")
  func overrides() async {
    await #expect(processExitsWith: .success) {
      var list = RegistrationList()
      list.add(Shared(MockRouter() as any Router))
      let test = IsolatedTest("test", in: .swiftTesting)
      let container = Isolation(registrations: list).container(for: test)
      precondition(container.recorder?.unusedOverrides.count == 1)
      DIContainer.shared.use()
      let other = Isolation(registrations: list).container(for: test)
      precondition(other.recorder?.unusedOverrides.isEmpty == true)
    }
  }
}
