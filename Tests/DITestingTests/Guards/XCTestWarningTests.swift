// On Linux only: it is not known what Apple's XCTest prints on standard output besides the warnings.
#if os(Linux)
  @testable import DITesting
  import DependencyInjection
  import Dispatch
  import Testing
  import XCTest

  /// A test of XCTest for a process of its own: XCTest does not find it, because its method is not named `test…`.
  private final class WarnedTest: DITestCase {
    /// What the test does.
    private var body = {}

    /// The name in warnings.
    static var name: String { WarnedTest.make().name }

    override func setUp() { DIContainer.register(appRegistrations) }

    /// Runs a closure as the only test of a suite: on the main thread and in no task, as XCTest does.
    static func run(_ body: @escaping @Sendable () -> Void) async {
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async {
          let (suite, test) = (XCTestSuite(name: "suite"), make())
          test.body = body
          suite.addTest(test)
          suite.run()
          let run = suite.testRun
          precondition(!TestRun.isRunning)
          precondition(run?.executionCount == 1 && run?.totalFailureCount == 0 && run?.hasSucceeded == true)
          continuation.resume()
        }
      }
    }

    private static func make() -> WarnedTest {
      WarnedTest(name: "callBody") { ($0 as? WarnedTest)?.callBody() }
    }

    private func callBody() {
      // Of the first test as well, although nothing but its creation has used this library.
      precondition(TestRun.name == name && TestRun.module == "DITestingTests")
      precondition(DIContainer.resolve(Int.self) == 1, "the registrations of the app")
      body()
    }

    // MARK: What the tests do

    static let line = #line + 3

    static func registerInShared() {
      for _ in 0..<2 { DIContainer.shared.register(Shared(MockRouter("shared") as any Router)) }
    }

    static func escape() {
      DispatchQueue(label: "queue").sync(execute: DispatchWorkItem { _ = DIContainer.resolve((any Router).self) })
      onQueue(DIContainer.escaping { _ = DIContainer.resolve((any Router).self) })
      onQueue { _ = DIContainer.resolve((any Router).self) }
    }

    static func resolveAfterTheTest() {
      let test = IsolatedTest("short test", in: .xctest, at: FailureLocation())
      let container = Isolation(origin: .empty).container(for: test)
      container.register(appRegistrations)
      container.recorder?.end()
      _ = container.resolve((any Router).self)
    }
  }

  /// Runs a closure on another thread and waits for it.
  private func onQueue(_ body: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group, execute: body)
    group.wait()
  }

  // XCTest has no warnings, so they are printed: here by a process of its own, whose whole output is compared.
  struct XCTestWarningTests {
    private let file = "DITestingTests/XCTestWarningTests.swift"
    private let line = WarnedTest.line

    // What resolves after its test fails neither that test nor the one that runs now.
    @Test(
      "is printed if a queue has lost the test's container, a test registers in the shared one, or resolves when it is over",
      .exitTest)
    func isPrinted() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        DIContainer.shared.register {
          Shared(MockRouter("shared") as any Router)
          Shared(1)
        }
        await WarnedTest.run { WarnedTest.escape() }
        await WarnedTest.run { WarnedTest.registerInShared() }
        await WarnedTest.run { WarnedTest.resolveAfterTheTest() }
      }
      let printed = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
      #expect(
        printed == """
          \(file):\(line + 6): warning: 'Router' was resolved from the shared container by code that belongs to no test, or has lost the container of its test.
            Router (\(file):\(line + 6))
            running    \(WarnedTest.name)
            note       detached tasks, queues and threads do not inherit a test's container: wrap closures in `DIContainer.escaping`
            note       code that is meant to use the shared container names it, as in `DIContainer.withCurrent(.shared)`
          \(file):\(line): warning: 'Router' was registered in the shared container, but the test has a container of its own, which does not see it.
            changed at \(file):\(line)
            note       use `DIContainer.override` or `DIContainer.register`, without `shared`
            note       code that is meant to use the shared container names it, as in `DIContainer.withCurrent(.shared)`
          \(#filePath):\(line + 10): warning: A resolution of 'Router' ended after its test.
            asked at   \(file):\(line + 14)
            test       short test
            note       make the test wait for the task that resolves it, or cancel the task

          """)
    }
  }
#endif
