@testable import DITesting
import DependencyInjection
import Testing

// `registerDependencies` is called once in a process, when the shared container is first used. There is one conformance
// in the process of the tests, of another target, so these look at how much is registered in all.

extension DIContainer {
  /// The number of registrations that can be found here.
  fileprivate var count: Int { registrations.count }

  /// Resolves something from the container, which finds nothing.
  fileprivate func use() { _ = resolve(Never?.self) }
}

// In processes of their own, in which nothing has used the shared container yet.
@Suite(.expectingIssues)
struct DefaultsTests {
  @Test("is in the container of each isolated test, even if nothing has used the shared one before", .exitTest)
  func isolation() async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<2 {
        await isolated("test") {
          precondition(DIContainer.current.count > 0)
          DIContainer.removeAll()
          DIContainer.current.use()
          precondition(DIContainer.current.count == 0, "it is not registered a second time")
        }
      }
      precondition(DIContainer.shared.count > 0)
    }
  }

  @Test("comes back with every snapshot, even one that is the first use of the shared container", .exitTest)
  func snapshot() async {
    await #expect(processExitsWith: .success) {
      let snapshot = DIContainer.snapshot()
      DIContainer.shared.use()
      let count = DIContainer.shared.count
      precondition(count > 0)
      for _ in 0..<2 {
        DIContainer.shared.removeAll()
        precondition(DIContainer.shared.count == 0)
        DIContainer.restore(snapshot)
        DIContainer.shared.use()
        precondition(DIContainer.shared.count == count)
      }
    }
  }

  @Test(
    "is not in a container that starts from nothing, and gone after removeAll, for later isolated tests as well",
    .exitTest)
  func removed() async {
    await #expect(processExitsWith: .success) {
      withIsolatedContainer(.empty) {
        DIContainer.current.use()
        precondition(DIContainer.current.count == 0)
      }
      DIContainer.shared.use()
      DIContainer.shared.removeAll()
      DIContainer.shared.use()
      precondition(DIContainer.shared.count == 0)
      await isolated("test") {
        DIContainer.current.use()
        precondition(DIContainer.current.count == 0)
      }
    }
  }

  @Test("is no change by the test that uses the shared container first", .exitTest)
  func isNoLeak() async {
    await expectFailures {
      await #expect(processExitsWith: .success) {
        TestRun.watch()
        TestRun.begin("a test without a trait")
        DIContainer.shared.use()
        precondition(DIContainer.shared.count > 0)
        await isolated("a test that starts later") { precondition(DIContainer.current.count > 0) }
      }
    }
  }

  @Test("is known when a trait registers: another type overrides nothing", .exitTest)
  func overrides() async {
    await #expect(processExitsWith: .success) {
      var list = RegistrationList()
      list.add(Shared(MockRouter() as any Router))
      let container = Isolation(registrations: list).container(for: IsolatedTest("test", in: .swiftTesting))
      precondition(container.count > 1)
      precondition(container.recorder?.unusedOverrides.isEmpty == true)
    }
  }
}
