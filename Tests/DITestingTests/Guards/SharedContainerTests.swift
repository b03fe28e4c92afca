@testable import DITesting
import DependencyInjection
import Testing

/// What a test without isolation does.
private enum Careless {
  static let line = #line + 3

  static func register() {
    DIContainer.register(Shared(MockRouter("leaked") as any Router))
  }

  static let declared = Dependency<any Router> { MockRouter("declared") }

  static func registerDeclared() { declared.register { MockRouter("leaked") } }

  static func registerMany() {
    DIContainer.register {
      Shared(1)
      Shared("text", as: String.self, (any CustomStringConvertible).self)
      Shared(2.0)
      Shared(UInt(3))
      Shared(Int8(4))
    }
  }
}

private func warning(_ types: String, at line: Int) -> String {
  """
  \(types) registered in the shared container during a test, and nothing restores it: tests that are not \
  isolated see the change.
    changed at DITestingTests/SharedContainerTests.swift:\(line)
    note       isolate the test with `.isolatedContainer` or `DITestCase`, or take a snapshot first and restore it
  """
}

// In processes of their own, which no test of a framework runs in: `TestRun` says that one of XCTest does.
@Suite("A change of the shared container by a test", .expectingIssues)
struct SharedContainerChangeTests {
  @Test("is no part of what isolated containers start with, and a warning at its line")
  func isNotInherited() async {
    await expectFailures(warning("'Router' was", at: Careless.line)) {
      await #expect(processExitsWith: .success) {
        DIContainer.shared.register(appRegistrations)
        TestRun.watch()
        TestRun.begin("a test without a trait")
        for _ in 0..<2 { Careless.register() }
        precondition(DIContainer.resolve((any Router).self).name == "leaked")
        await isolated("a test that starts later") {
          precondition(DIContainer.resolve((any Router).self).name == "real")
        }
      }
    }
  }

  @Test("is a warning that names the first of many")
  func many() async {
    await expectFailures(
      warning("'Int', 'String', 'CustomStringConvertible', 'Double', 'UInt' and 1 more were", at: Careless.line + 9)
    ) {
      await #expect(processExitsWith: .success) {
        TestRun.watch()
        TestRun.begin("a test without a trait")
        Careless.registerMany()
      }
    }
  }

  @Test("is a warning if it overrides a declared dependency, which isolated containers do not inherit")
  func declared() async {
    await expectFailures(warning("'Router' was", at: Careless.line + 5)) {
      await #expect(processExitsWith: .success) {
        TestRun.watch()
        TestRun.begin("a test without a trait")
        Careless.registerDeclared()
        precondition(Careless.declared().name == "leaked")
        await isolated("a test that starts later") { precondition(Careless.declared().name == "declared") }
      }
    }
  }

  @Test("is the app's before and between tests, and no change but a part of the baseline")
  func app() async {
    await expectFailures {
      await #expect(processExitsWith: .success) {
        TestRun.watch()
        DIContainer.shared.register(appRegistrations)
        await isolated("test") { precondition(DIContainer.resolve((any Router).self).name == "real") }
        Careless.register()
        await isolated("test") { precondition(DIContainer.resolve((any Router).self).name == "leaked") }
      }
    }
  }

  @Test("is none of which anybody says that it is put back, and does not reach isolated containers either")
  func restored() async {
    await expectFailures {
      await #expect(processExitsWith: .success) {
        DIContainer.shared.register(appRegistrations)
        TestRun.watch()
        TestRun.begin("a test that restores")
        let snapshot = DIContainer.shared.snapshot()
        Careless.register()
        DIContainer.shared.unregister((any Analytics).self)
        await isolated("test") {
          precondition(DIContainer.resolve((any Router).self).name == "real")
          _ = DIContainer.resolve((any Analytics).self)
        }
        DIContainer.restore(snapshot)
      }
    }
  }

  @Test("is a warning if it removes registrations or instances, once for each test and method")
  func removes() async {
    func text(_ method: String) -> String {
      """
      `\(method)` changed the shared container during a test, and nothing restores it: tests that are not isolated \
      see the change.
        test       a test without a trait
        note       isolate the test with `.isolatedContainer` or `DITestCase`, or take a snapshot first and restore it
      """
    }
    await expectFailures(text("reset"), text("unregister"), text("removeAll")) {
      await #expect(processExitsWith: .success) {
        DIContainer.shared.register(appRegistrations)
        TestRun.watch()
        DIContainer.reset()
        TestRun.begin("a test without a trait")
        for _ in 0..<2 { DIContainer.reset() }
        DIContainer.reset((any Router).self)
        DIContainer.reset(Scope("unknown"))
        DIContainer.unregister((any Router).self)
        DIContainer.removeAll()
        await isolated("test") {
          precondition(DIContainer.resolve((any Router).self).name == "real")
          DIContainer.reset()
          DIContainer.removeAll()
        }
      }
    }
  }

  @Test("that overrides is not inherited by isolated containers, either")
  func overrideIsNotInherited() async {
    let line = #line + 4
    await expectFailures(
      warning("'Router' was", at: line).replacing("registered in", with: "overridden in")
    ) {
      await #expect(processExitsWith: .success) {
        DIContainer.shared.register(appRegistrations)
        TestRun.watch()
        TestRun.begin("a test without a trait")
        DIContainer.override((any Router).self, with: MockRouter())
        await isolated("a test that starts later") {
          precondition(DIContainer.resolve((any Router).self).name == "real")
        }
      }
    }
  }

  @Test("is a warning if an isolated test overrides in it")
  func overrideInIsolatedTest() async {
    let line = #line + 9
    await expectFailures(
      """
      'Router' was overridden in the shared container, but the test has a container of its own, which does not see it.
        changed at DITestingTests/SharedContainerTests.swift:\(line)
        note       use `DIContainer.override` or `DIContainer.register`, without `shared`
        note       code that is meant to use the shared container says so with `DIContainer.withCurrent(.shared)`
      """
    ) {
      await #expect(processExitsWith: .success) {
        withIsolatedContainer { DIContainer.shared.override((any Router).self, with: MockRouter()) }
      }
    }
  }

  @Test("is on purpose if the code names the shared container")
  func isNamed() async {
    await expectFailures {
      await #expect(processExitsWith: .success) {
        TestRun.watch()
        TestRun.begin("a test without a trait")
        DIContainer.shared.register(Shared(MockRouter() as any Router))
        DIContainer.shared.reset()
        DIContainer.shared.removeAll()
      }
    }
  }

  @Test("is a warning if a test with a container of its own names the shared container for a mock")
  func isNamedInIsolatedTest() async {
    let line = #line + 9
    await expectFailures(
      """
      'Router' was registered in the shared container, but the test has a container of its own, which does not see it.
        changed at DITestingTests/SharedContainerTests.swift:\(line)
        note       use `DIContainer.override` or `DIContainer.register`, without `shared`
        note       code that is meant to use the shared container says so with `DIContainer.withCurrent(.shared)`
      """
    ) {
      await #expect(processExitsWith: .success) {
        TestRun.watch()
        TestRun.begin("a test")
        for _ in 0..<2 {
          withIsolatedContainer {
            DIContainer.shared.register(Shared(MockRouter() as any Router))
            DIContainer.withCurrent(.shared) { DIContainer.register(Shared(MockRouter() as any Router)) }
            DIContainer.shared.reset()
          }
        }
      }
    }
  }

  @Test("before the first test of a class is a warning that names what runs for each test")
  func classSetUp() async {
    let text = """
      'Router' was registered in the shared container outside of a test, and nothing restores it: tests that are not \
      isolated see the change.
        changed at DITestingTests/SharedContainerTests.swift:\(Careless.line)
        note       `class func setUp` runs before the containers of the tests begin: override in `setUp`, or register in \
      `registrations`
      """
    await expectFailures(text) {
      await #expect(processExitsWith: .success) {
        TestRun.watch()
        TestRun.begin()
        Careless.register()
      }
    }
  }

  @Test("is none that registers with another container")
  func others() async {
    await expectFailures {
      await #expect(processExitsWith: .success) {
        TestRun.watch()
        TestRun.begin("a test")
        await isolated("test") { Careless.register() }
        DIContainer.withCurrent(DIContainer()) { Careless.register() }
      }
    }
  }
}

@Suite("Isolation that a target requires", .expectingIssues)
struct RequiredIsolationTests {
  private static let line = #line + 1
  private static func resolve() { _ = DIContainer.resolve((any Router)?.self) }

  @Test("fails a test of XCTest that resolves from the shared container, once, and no isolated one")
  func xctest() async {
    let file = "DITestingTests/SharedContainerTests.swift"
    let line = #line + 2  // the line that requires it, because XCTest does not tell where its tests are
    let failures = await issues {
      await #expect(processExitsWith: .success) {
        let trait: RequiredIsolationTrait = .requiresIsolation()
        requireIsolation()
        Self.resolve()
        _ = trait
        TestRun.begin("of another target", of: "OtherTests.Tests")
        Self.resolve()
        TestRun.begin("isolated", of: "DITestingTests.Tests")
        await isolated("isolated", escapes: .ignore) {
          Self.resolve()
          await Task.detached { Self.resolve() }.value  // has lost the container, which is not for this to report
        }
        do {
          let snapshot = DIContainer.snapshot()
          Self.resolve()
          DIContainer.restore(snapshot)
        }
        TestRun.begin("on purpose", of: "DITestingTests.Tests")
        DIContainer.withCurrent(.shared) { Self.resolve() }
        TestRun.begin("careless", of: "DITestingTests.Tests")
        for _ in 0..<2 { Self.resolve() }
        TestRun.begin("changing", of: "DITestingTests.Tests")
        DIContainer.register(New(MockRouter() as any Router))
        for change in 1...5 {
          TestRun.begin("change \(change)", of: "DITestingTests.Tests")
          switch change {
          case 1: DIContainer.shared.register(New(MockRouter() as any Router))
          case 2: DIContainer.reset()
          case 3: DIContainer.shared.unregister((any Router).self)
          case 4: DIContainer.shared.removeAll()
          default: _ = DIContainer.shared.resolve((any Router)?.self)
          }
        }
      }
    }
    let text = """
      \(#filePath):\(line): 'Router' was resolved from the shared container during a test that is not isolated.
        Router (\(file):\(Self.line))
        test       careless
        note       add `.isolatedContainer` to the suite, or inherit from `DITestCase`
        note       code that is meant to use the shared container says so with `DIContainer.withCurrent(.shared)`
      """
    let change = """
      \(#filePath):\(line): The shared container was changed during a test that is not isolated.
        test       changing
        note       add `.isolatedContainer` to the suite, or inherit from `DITestCase`
        note       code that is meant to use the shared container says so with `DIContainer.withCurrent(.shared)`
      """
    #expect(failures.allSatisfy { $0.text != "" }, "the process ends well")
    let found = failures.map { "\(place(of: $0)): \($0.text)" }.filter { $0.contains("not isolated.\n") }
    #expect(found.prefix(2) == [text, change])
    #expect(found.dropFirst(2).map { $0.contains("changed") } == [true, true, true, true, false])
  }

  @Test("does not ask for isolation in copies and children of the shared container")
  func copies() {
    let container = DIContainer()
    container.register(appRegistrations)
    container.addObserver(IsolationCheck(at: FailureLocation(), in: container))
    for other in [DIContainer(copying: container), DIContainer(parent: container)] {
      other.register(New(MockRouter() as any Router))
      _ = other.resolve((any Router).self)
    }
  }

  @Test("fails a test of Swift Testing at the test")
  func swiftTesting() {
    let container = DIContainer()
    let check = IsolationCheck(at: FailureLocation(), in: container)
    container.addObserver(check)
    container.addObserver(IsolationCheck(at: FailureLocation("OtherTests/File.swift"), in: container))
    let found = issues { _ = container.resolve((any Router)?.self) }
    #expect(found.map(\.sourceLocation?.line) == [Test.current?.sourceLocation.line])
    #expect(found.map(\.sourceLocation?.filePath) == [#filePath])
    _ = container.resolve((any Router)?.self)
    DIContainer.withCurrent(container) { _ = container.resolve(Int?.self) }
  }
}

/// The path and the line of an issue.
private func place(of issue: Issue) -> String {
  "\(issue.sourceLocation?.filePath ?? ""):\(issue.sourceLocation?.line ?? 0)"
}

@Suite("A failure that happens elsewhere", .expectingIssues, .isolatedContainer(.empty) { appRegistrations })
struct FailurePlaceTests {
  /// The paths and lines of the issues that a closure records.
  private func places(_ body: () async -> Void) async -> [String] { await issues(during: body).map { place(of: $0) } }

  @Test("stands at the test, with a path that can be opened")
  func atTest() async {
    let test = "\(#filePath):\(#line - 2)"
    let late = await places {
      let container = withIsolatedContainer { DIContainer.current }
      _ = container.resolve((any Router).self)
    }
    #expect(late == ["\(#filePath):\(#line - 3)"], "the call that isolates")
    let replaced = await places {
      withIsolatedContainer(.unexpected) { _ = DIContainer.resolve((any Router).self) }
    }
    #expect(replaced == [test])
  }
}
