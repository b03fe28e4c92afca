@testable import DITesting
@testable import DependencyInjection
import Testing
import XCTest

/// A test case that XCTest does not run.
private final class RestoredTestCase: XCTestCase {
  static func make() -> RestoredTestCase {
    #if canImport(ObjectiveC)
      RestoredTestCase()
    #else
      RestoredTestCase(name: "restored", testClosure: { _ in })
    #endif
  }
}

/// Undoes a change to the shared container, redoes it, and perhaps undoes it again.
private func restoreNewer(takingBack takesBack: Bool) {
  DIContainer.shared.register(appRegistrations)
  TestRun.watch()
  TestRun.begin("a test that restores")
  do {
    let older = DIContainer.snapshot()
    Careless.register()
    let newer = DIContainer.snapshot()
    DIContainer.restore(older)
    let newest = DIContainer.snapshot()
    DIContainer.restore(newer)
    if takesBack { DIContainer.restore(newest) }
  }
  precondition(DIContainer.resolve((any Router).self).name == (takesBack ? "real" : "leaked"))
}

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

  static func decorate() { DIContainer.decorate((any Router).self) { router, _ in router } }
}

private func warning(
  _ types: String, at line: Int,
  advice: String = "isolate the test with `DITestCase`, or take a snapshot first and restore it"
) -> String {
  """
  \(types) registered in the shared container during a test, and nothing restores it: tests that are not \
  isolated see the change.
    changed at DITestingTests/SharedContainerTests.swift:\(line)
    note       \(advice)
  """
}

// In processes of their own, which no test of a framework runs in: `TestRun` says that one of XCTest does.
@Suite(.exitTest, .expectingIssues)
struct SharedContainerChangeTests {
  @Test(
    "is a warning at its line that names the first of many, and no part of what isolated containers start with")
  func isNotInherited() async {
    await expectFailures(
      warning("'Router' was", at: Careless.line), warning("'Router' was", at: Careless.line + 5),
      warning("'Int', 'String', 'CustomStringConvertible', 'Double', 'UInt' and 1 more were", at: Careless.line + 9),
      warning("'Router' was", at: Careless.line + 17).replacing("registered in", with: "decorated in")
    ) {
      await #expect(processExitsWith: .success) {
        DIContainer.shared.register(appRegistrations)
        TestRun.watch()
        TestRun.begin("a test without a trait")
        for _ in 0..<2 { Careless.register() }
        precondition(DIContainer.resolve((any Router).self).name == "leaked")
        Careless.registerDeclared()
        precondition(Careless.declared().name == "leaked")
        let isolatedNames = { @Sendable in [DIContainer.resolve((any Router).self).name, Careless.declared().name] }
        await isolated("a test that starts later") { precondition(isolatedNames() == ["real", "declared"]) }
        Careless.registerMany()
        Careless.decorate()
      }
    }
  }

  @Test("names up to five types")
  func types() {
    let types: [Any.Type] = [Int.self, String.self, Double.self, UInt.self, Int.self, Int8.self]
    #expect(SharedContainer.subject(types) == "'Int', 'String', 'Double', 'UInt', 'Int8' were")
  }

  @Test("that overrides, and changes it first, is not inherited, either, and is a warning in an isolated test, too")
  func overrides() async {
    func unseen(_ verb: String, _ line: Int) -> String {
      """
      'Router' was \(verb) in the shared container, but the test has a container of its own, which does not see it.
        changed at DITestingTests/SharedContainerTests.swift:\(line)
        note       use `DIContainer.override` or `DIContainer.register`, without `shared`
        note       code that is meant to use the shared container names it, as in `DIContainer.withCurrent(.shared)`
      """
    }
    // Each line is reported once, and those of an exit test are all the same, so each part has its own.
    await expectFailures(
      unseen("overridden", 1), warning("'Router' was", at: 2).replacing("registered in", with: "overridden in"),
      unseen("registered", 3)
    ) {
      await #expect(processExitsWith: .success) {
        // No test of XCTest runs yet, so the removal and what comes before are part of what tests inherit.
        withIsolatedContainer { DIContainer.shared.override((any Router).self, with: MockRouter(), line: 1) }
        DIContainer.shared.removeAll()
        DIContainer.shared.register(appRegistrations)
        TestRun.watch()
        TestRun.begin("a test without a trait")
        DIContainer.override((any Router).self, with: MockRouter(), line: 2)
        await isolated("a test that starts later") {
          precondition(DIContainer.resolve((any Router).self).name == "real")
        }
        TestRun.begin("a test")
        for _ in 0..<2 {
          withIsolatedContainer {
            DIContainer.shared.register(Shared(MockRouter() as any Router, line: 3))
            DIContainer.withCurrent(.shared) { DIContainer.register(Shared(MockRouter() as any Router)) }
            DIContainer.shared.reset()
            // The app's code uses the shared container on purpose.
            DIContainer.shared.register(Shared(RouterImpl() as any Router, file: "App/App.swift", line: 4))
          }
        }
      }
    }
  }

  @Test("is a warning even if only another container was saved before")
  func otherSnapshot() async {
    await expectFailures(warning("'Router' was", at: Careless.line)) {
      await #expect(processExitsWith: .success) {
        _ = DIContainer().snapshot()
        TestRun.begin("a test without a trait")
        Careless.register()
      }
    }
  }

  @Test("does not hide that an isolated test loses its container at the same line later")
  func lostAtTheSameLine() async {
    let escape = """
      'Router' was registered in the shared container by code that belongs to no test, or has lost the container of its test.
        DITestingTests/SharedContainerTests.swift:\(Careless.line)
        running    escaping test
        note       detached tasks, queues and threads do not inherit a test's container: wrap closures in `DIContainer.escaping`
        note       code that is meant to use the shared container names it, as in `DIContainer.withCurrent(.shared)`
      """
    await expectFailures(warning("'Router' was", at: Careless.line), escape) {
      await #expect(processExitsWith: .success) {
        DIContainer.shared.register(appRegistrations)
        TestRun.watch()
        TestRun.begin("a test without a trait")
        Careless.register()
        TestRun.end()
        await isolated("escaping test") {
          _ = DIContainer.resolve((any Router).self)
          await Task.detached { Careless.register() }.value
        }
      }
    }
  }

  @Test("is not inherited if a test of XCTest restores it")
  func isRestored() async {
    await expectFailures {
      await #expect(processExitsWith: .success) {
        DIContainer.shared.register(appRegistrations)
        TestRun.watch()
        TestRun.begin("a test that restores", of: "Module.Tests")
        RestoredTestCase.make().restoreRegistrationsAfterTest()
        DIContainer.override((any Router).self, with: MockRouter("leaked"))
        precondition(DIContainer.resolve((any Router).self).name == "leaked")
        precondition(TestRun.name == "a test that restores" && TestRun.module == "Module")
        TestRun.endTest()
        precondition(TestRun.name == nil && TestRun.module == nil)
        await isolated("a later test") { precondition(DIContainer.resolve((any Router).self).name == "real") }
      }
    }
  }

  @Test("is a warning if a snapshot that has it is restored after an older one, and none if a newer one lacks it again")
  func comesBack() async {
    await expectFailures(warning("'Router' was", at: Careless.line)) {
      await #expect(processExitsWith: .success) { restoreNewer(takingBack: false) }
    }
    await expectFailures {
      await #expect(processExitsWith: .success) { restoreNewer(takingBack: true) }
    }
  }

  @Test(
    "is none before and between tests, with another container, for what is restored, and if code names the container")
  func isNone() async {
    await expectFailures {
      await #expect(processExitsWith: .success) {
        TestRun.watch()
        // The app's: a part of the baseline.
        DIContainer.shared.register(appRegistrations)
        await isolated("test") { precondition(DIContainer.resolve((any Router).self).name == "real") }
        Careless.register()
        await isolated("test") { precondition(DIContainer.resolve((any Router).self).name == "leaked") }
        DIContainer.shared.register(appRegistrations)
        TestRun.begin("a test that restores")
        let snapshot = DIContainer.shared.snapshot()
        Careless.register()
        DIContainer.shared.unregister((any Analytics).self)
        await isolated("test") {
          precondition(DIContainer.resolve((any Router).self).name == "real")
          _ = DIContainer.resolve((any Analytics).self)
        }
        DIContainer.restore(snapshot)
        TestRun.begin("a test without a trait")
        await isolated("test") { Careless.register() }
        DIContainer.withCurrent(DIContainer()) { Careless.register() }
        DIContainer.shared.register(Shared(MockRouter() as any Router))
        DIContainer.shared.reset()
        DIContainer.shared.removeAll()
      }
    }
  }

  @Test("is a warning in the framework of the test that made it, even if the warning waits for a snapshot")
  func framework() async {
    let result = await issues {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        TestRun.watch()
        TestRun.begin("a test")
        var snapshot: DIContainer.Snapshot? = DIContainer.snapshot()
        await isolated("test of XCTest", in: .xctest) { await Task.detached { Careless.register() }.value }
        withExtendedLifetime(snapshot) {}
        snapshot = nil
      }
      let printed = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      let advice =
        "if a task or a thread has lost the container of its test, wrap the closure in `DIContainer.escaping`"
      #expect(printed.contains("warning: \(warning("'Router' was", at: Careless.line, advice: advice))"))
    }
    #expect(result.isEmpty)
  }

  @Test(
    "is a warning if it removes registrations or instances, once for each test and method, and before the first test")
  func removes() async {
    func text(_ method: String, in test: String = "a test without a trait") -> String {
      """
      `\(method)` changed the shared container during a test, and nothing restores it: tests that are not isolated \
      see the change.
        test       \(test)
        note       isolate the test with `DITestCase`, or take a snapshot first and restore it
      """
    }
    let classSetUp = """
      'Router' was registered in the shared container outside of a test, and nothing restores it: tests that are not \
      isolated see the change.
        changed at DITestingTests/SharedContainerTests.swift:\(Careless.line)
        note       `class func setUp` runs before the containers of the tests exist: override in `setUp`, or register in \
      `registrations`
      """
    await expectFailures(
      text("reset"), text("unregister"), text("removeAll"), text("reset", in: "another test"), classSetUp
    ) {
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
        TestRun.begin("another test")
        DIContainer.reset()
        // A class of tests begins, and none of them yet.
        TestRun.begin()
        Careless.register()
      }
    }
  }

  @Test("takes as much of the stack after many changes as after the first one")
  func stack() async {
    await #expect(processExitsWith: .success) {
      let addresses = Locked<[UInt]>([])
      let handlers = SharedContainerGuard.handlers.withLock(\.self)
      defer { SharedContainerGuard.handlers.withLock { $0 = handlers } }
      SharedContainerGuard.set { _, _, _ in
        unsafe withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { memory in
          let address = UInt(bitPattern: memory.baseAddress)
          addresses.withLock { $0.append(address) }
        }
      }
      for _ in 0..<100 { DIContainer.shared.reset(Int.self) }
      let all = addresses.withLock { $0 }
      precondition(all.count == 100 && Set(all).count == 1)
    }
  }
}

@Suite(.expectingIssues)
struct RequiredIsolationTests {
  private static let line = #line + 1
  private static func resolve() { _ = DIContainer.resolve((any Router)?.self) }

  @Test("fails a test of XCTest that resolves from the shared container, once, and no isolated one", .exitTest)
  func xctest() async {
    let file = "DITestingTests/SharedContainerTests.swift"
    let line = #line + 2  // the line that requires it, because XCTest does not know where its tests are
    let failures = await issues {
      await #expect(processExitsWith: .success) {
        let trait: RequiredIsolationTrait = .requiresIsolation()
        requireIsolation()
        TestRun.begin("first", of: "DITestingTests.Tests")
        DIContainer.reset()
        TestRun.end()
        TestRun.endTest()
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
        // XCTest may repeat a test, and count only the last run.
        for _ in 0..<2 {
          TestRun.begin("careless", of: "DITestingTests.Tests")
          for _ in 0..<2 { Self.resolve() }
        }
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
        note       code that is meant to use the shared container names it, as in `DIContainer.withCurrent(.shared)`
      """
    let change = """
      \(#filePath):\(line): The shared container was changed during a test that is not isolated.
        test       changing
        note       add `.isolatedContainer` to the suite, or inherit from `DITestCase`
        note       code that is meant to use the shared container names it, as in `DIContainer.withCurrent(.shared)`
      """
    #expect(failures.allSatisfy { $0.text != "" }, "the process ends well")
    let found = failures.map { "\(place(of: $0)): \($0.text)" }.filter { $0.contains("not isolated.\n") }
    #expect(
      (found.prefix(4), found.dropFirst(4).map { $0.contains("changed") }) == (
        [change.replacing("changing", with: "first"), text, text, change], [true, true, true, true, false]
      ))
  }

  @Test("fails a test of Swift Testing at the test, even if it asks a child, but not for what a child or copy has")
  func swiftTesting() {
    let container = DIContainer()
    let check = IsolationCheck(at: FailureLocation(), in: container)
    container.addObserver(check)
    // The name of a module may begin with that of another.
    for file: StaticString in ["OtherTests/File.swift", "DITesting/File.swift"] {
      container.addObserver(IsolationCheck(at: FailureLocation(file), in: container))
    }
    let found = issues { _ = container.resolve((any Router)?.self) }
    #expect(
      (found.map(\.sourceLocation?.line), found.map(\.sourceLocation?.filePath)) == (
        [Test.current?.sourceLocation.line], [#filePath]
      ))
    _ = container.resolve((any Router)?.self)
    DIContainer.withCurrent(container) { _ = container.resolve(Int?.self) }
    // What ends the process is reported, too.
    let app = DIContainer()
    app.register(New { resolve throws in HomeViewModel(router: try resolve.tryResolve()) })
    if let error = #expect(throws: ResolutionError.self, performing: { try app.tryResolve(HomeViewModel.self) }) {
      let found = issues { IsolationCheck(at: FailureLocation(), in: container).willTrap(error) }
      #expect(
        found.first?.text.hasPrefix(
          "'Router' was resolved from the shared container during a test that is not isolated.\n  \(error.location)\n")
          == true)
    }
    do {
      let container = DIContainer()
      container.register(appRegistrations)
      container.addObserver(IsolationCheck(at: FailureLocation(), in: container))
      for other in [DIContainer(copying: container), DIContainer(parent: container)] {
        other.register(New(MockRouter() as any Router))
        _ = other.resolve((any Router).self)
      }
      let child = DIContainer(parent: container)
      for copy in [DIContainer(copying: container), DIContainer(copying: child)] {
        _ = copy.resolve((any Analytics).self)
      }
      #expect(issues { _ = child.resolve((any Analytics).self) }.count == 1)
    }
  }
}

/// The path and the line of an issue.
private func place(of issue: Issue) -> String {
  "\(issue.sourceLocation?.filePath ?? ""):\(issue.sourceLocation?.line ?? 0)"
}

@Suite(.expectingIssues, .isolatedContainer(.empty) { appRegistrations })
struct FailurePlaceTests {
  /// The paths and lines of the issues that a closure records.
  private func places(_ body: () async -> Void) async -> [String] { await issues(during: body).map { place(of: $0) } }

  @Test("stands at the test, with a path that can be opened")
  func atTest() async {
    let test = "\(#filePath):\(#line - 2)"
    let late = await places {
      let container = withIsolatedContainer {
        expectNotResolved((any Router).self)
        return DIContainer.current
      }
      _ = container.resolve((any Router).self)
    }
    #expect(late == ["\(#filePath):\(#line - 6)"], "the call that isolates")
    let replaced = await places {
      withIsolatedContainer(.unexpected) { _ = DIContainer.resolve((any Router).self) }
    }
    #expect(replaced == [test])
    let nested = await places {
      withIsolatedContainer(.unexpected) {
        DIContainer.withCurrent(DIContainer(parent: .current)) {
          withIsolatedContainer { _ = DIContainer.resolve((any Router).self) }
        }
      }
    }
    #expect(nested == [test], "also in a child, as in the test itself")
  }

  @Test("stands in the column of the call, or in that of the location that a helper passes on, and is an error")
  func inColumn() {
    let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: 2, column: 3)
    let found = issues {
      expectResolved((any Router).self, column: 4)
      expectResolved((any Router).self, sourceLocation: location)
    }
    #expect((found.map(\.sourceLocation?.column), found.map(\.severity)) == ([4, 3], [.error, .error]))
  }
}
