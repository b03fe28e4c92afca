@testable import DITesting
import DependencyInjection
import Testing

@Suite(.expectingIssues, .isolatedContainer(.empty) { appRegistrations })
struct ExpectationTests {
  @Test("fail their test from a detached task, too, when the test ends")
  func detached() async {
    await expectFailures("Expected 'Router' to be resolved once, but it was not.") {
      await isolated("waits for it") {
        await Task.detached(operation: DIContainer.escaping { expectResolved((any Router).self, times: 1) }).value
      }
    }
    // The same is true where a container of the test is current.
    await expectFailures("Expected 'Router' to be resolved once, but it was not.") {
      await isolated("waits for it") {
        await DIContainer.withCurrent(DIContainer()) {
          await Task.detached(operation: DIContainer.escaping { expectResolved((any Router).self, times: 1) }).value
        }
      }
    }
    // A warning stays one.
    let found = await issues {
      await isolated("waits for it") {
        await Task.detached(
          operation: DIContainer.escaping { expectNotResolved((any Router).self, named: "spar") }
        ).value
      }
    }
    #expect(found.map(\.severity) == [.warning])
    // The same is true where nothing is recorded.
    await expectFailures("Cannot count the resolutions of 'Router': the test has `recording: false`.") {
      await withIsolatedContainer(recording: false) {
        await Task.detached(operation: DIContainer.escaping { expectResolved((any Router).self, times: 1) }).value
      }
    }
  }

  @Test(
    "include what factories and properties ask for, are exact under concurrency, and go on while a trace shows the same"
  )
  func counts() async {
    anew {
      #expect(DIContainer.resolveCount(of: (any Router).self) == 0)
      _ = DIContainer.resolve((any Router).self)
      _ = DIContainer.resolve(HomeViewModel.self)
      _ = DIContainer.resolve(ProfileViewModel.self)
      #expect(
        (
          DIContainer.resolveCount(of: (any Router).self), DIContainer.resolveCount(of: HomeViewModel.self),
          DIContainer.resolveCount(of: (any Analytics).self)
        ) == (3, 1, 0))
      anew {
        let seen = Locked(0)
        let trace = DIContainer.current.trace { _ in seen.withLock { $0 += 1 } }
        _ = DIContainer.resolve((any Router).self)
        #expect(DIContainer.resolveCount(of: (any Router).self) == 1)
        trace.stop()
        _ = DIContainer.resolve((any Router).self)
        #expect(DIContainer.resolveCount(of: (any Router).self) == 2)
        #expect(seen.withLock { $0 } > 0)
      }
    }
    await anew {
      await withTaskGroup { group in
        for _ in 0..<8 {
          group.addTask { for _ in 0..<1_000 { _ = DIContainer.resolve((any Router).self) } }
        }
      }
      #expect(DIContainer.resolveCount(of: (any Router).self) == 8_000)
    }
  }

  @Test("satisfy expectations that they meet, of closures, too, which need no number")
  func expectationsPass() async {
    await anew {
      expectNotResolved((any Router).self)
      for _ in 0..<2 { _ = DIContainer.resolve((any Router).self) }
      expectResolved((any Router).self)
      expectResolved((any Router).self, times: 2)
      expectResolved((any Router).self, times: 1...)
      expectResolved((any Router).self, times: 0..<3)
      expectResolved((any Router).self, times: ...2)
      expectResolved((any Router).self, times: 1) { _ = DIContainer.resolve((any Router).self) }
      expectResolved((any Router).self, times: 2...) { for _ in 0..<3 { _ = DIContainer.resolve((any Router).self) } }
      let name = await expectResolved((any Router).self, times: 1) {
        await Task.yield()
        return DIContainer.resolve((any Router).self).name
      }
      #expect(name == "real")
      expectResolved((any Router).self, times: 7)
    }
    // An expectation of a closure needs no number, and may be that nothing is resolved.
    await anew {
      expectResolved((any Router).self) { _ = DIContainer.resolve(HomeViewModel.self) }
      expectNotResolved((any Analytics).self) { _ = DIContainer.resolve(HomeViewModel.self) }
      await expectNotResolved((any Analytics).self) {
        await Task.yield()
        _ = DIContainer.resolve(HomeViewModel.self)
      }
      expectFailure("Expected 'Analytics' to be resolved at least once, but it was not.") {
        expectResolved((any Analytics).self) { _ = DIContainer.resolve(HomeViewModel.self) }
      }
      let line = #line + 7
      expectFailure(
        """
        Expected 'Router' not to be resolved, but it was resolved once.
          Router (DITestingTests/ExpectationTests.swift:\(line))
        """
      ) {
        expectNotResolved((any Router).self) { _ = DIContainer.resolve((any Router).self) }
      }
    }
  }

  @Test("fail expectations that they do not meet, once, with every path and location and the range")
  func expectationFails() {
    let line: UInt = #line + 1
    _ = DIContainer.resolve(HomeViewModel.self)
    expectFailure(
      """
      Expected 'Router' to be resolved 2 times, but it was resolved once.
        HomeViewModel → Router (DITestingTests/Fixtures.swift:\(lineOfRegistrations + 3))
      """
    ) { expectResolved((any Router).self, times: 2) }
    expectFailure(
      """
      Expected 'HomeViewModel' not to be resolved, but it was resolved once.
        HomeViewModel (DITestingTests/ExpectationTests.swift:\(line))
      """
    ) { expectNotResolved(HomeViewModel.self) }
    anew {
      func expect(_ text: String, _ times: some ExpectedTimes) {
        expectFailure("Expected 'Router' to be resolved \(text), but it was not.") {
          expectResolved((any Router).self, times: times)
        }
      }
      expect("at least once", 1...)
      expect("2 to 4 times", 2...4)
      expect("once", 1...1)
      expect("5 to 6 times", 5..<7)
      expect("5 times", 5..<6)
      expect("an impossible number of times (an empty range)", 1..<1)
      expect("an impossible number of times (an empty range)", ..<0)
      expect("an impossible number of times (an empty range)", ..<Int.min)
      expect("an impossible number of times (an empty range)", Int.min..<Int.min)
      expect("an impossible number of times (an empty range)", ...(-1))
      expect("an impossible number of times (an empty range)", (-2)...(-1))
      _ = DIContainer.resolve((any Router).self)
      _ = DIContainer.resolve((any Router).self)
      let resolutions = (1...2).map { "\n  Router (DITestingTests/ExpectationTests.swift:\(#line - 3 + $0))" }.joined()
      let twice = "but it was resolved 2 times.\(resolutions)"
      expectFailure("Expected 'Router' to be resolved at most once, \(twice)") {
        expectResolved((any Router).self, times: ..<2)
      }
      expectFailure("Expected 'Router' not to be resolved, \(twice)") { expectResolved((any Router).self, times: ..<1) }
    }
  }

  @Test("inside a closure count what it starts and wraps, for each that is around it, and leave out what came before")
  func scopedExpectationIsExact() async {
    // Inside a closure count the tasks it starts and what it wraps, and nothing that happens elsewhere meanwhile.
    await anew {
      await withTaskGroup { group in
        for number in 1...8 {
          group.addTask {
            await expectResolved((any Router).self, times: 3 * number) {
              for _ in 0..<number { await Self.resolveThreeTimes() }
            }
          }
        }
      }
      expectResolved((any Router).self, times: 3 * (1...8).reduce(0, +))
    }
    // What an asynchronous factory resolves counts, in a task of its own or not.
    await anew {
      DIContainer.register {
        Shared { resolve async throws in
          await Task.yield()
          return try resolve.tryResolve((any Router).self).name.count
        }
        New { resolve async throws in
          await Task.yield()
          return try resolve.tryResolve((any Router).self).name
        }
      }
      await expectResolved((any Router).self, times: 1) { _ = try? await DIContainer.resolveAsync(Int.self) }
      await expectResolved((any Router).self, times: 1) { _ = try? await DIContainer.resolveAsync(String.self) }
    }
    // Inside a closure count for each that is around it, once, and leave out what came before.
    await anew {
      expectResolved((any Router).self, times: 3) {
        _ = DIContainer.resolve((any Router).self)
        expectResolved((any Router).self, times: 2) { for _ in 0..<2 { _ = DIContainer.resolve((any Router).self) } }
      }
      anew {
        let child = DIContainer(parent: .current)
        child.addObserver(ResolutionRecorder(for: IsolatedTest("inner", in: .swiftTesting), in: child))
        DIContainer.withCurrent(child) {
          expectResolved((any Router).self, times: 1) { _ = DIContainer.resolve((any Router).self) }
        }
        expectResolved((any Router).self, times: 1)
      }
      await anew {
        _ = DIContainer.resolve((any Router).self)
        let failure = """
          Expected 'Router' to be resolved once, but it was not.
            note       it was resolved, but not by the closure or a task that it started, at Router (DITestingTests/ExpectationTests.swift:\(#line - 3))
          """
        expectFailure(failure) { expectResolved((any Router).self, times: 1) {} }
        await expectFailures(failure) {
          await expectResolved((any Router).self, times: 1) { await Task.yield() }
        }
      }
    }
  }

  private static func resolveThreeTimes() async {
    await Task.yield()
    async let child = DIContainer.resolve((any Router).self).name
    let detached = await Task.detached(
      operation: DIContainer.escaping {
        await Task.yield()
        return DIContainer.resolve((any Router).self).name
      }
    ).value
    let wrapped = DIContainer.escaping { DIContainer.resolve((any Router).self).name }
    #expect(await child == detached)
    #expect(await Task.detached { wrapped() }.value == detached)
  }

  @Test("of an order are met by one resolution after another, whatever comes between, or fail with what was resolved")
  func order() {
    _ = DIContainer.resolve(HomeViewModel.self)
    _ = DIContainer.resolve((any Analytics).self)
    expectResolvedInOrder(HomeViewModel.self)
    // The router comes first: it exists before the view model that needs it.
    expectResolvedInOrder((any Router).self, HomeViewModel.self, (any Analytics).self)
    expectResolvedInOrder((any Router).self, (any Analytics).self)
    anew {
      expectFailure("Expected 'Router' to be resolved in this order, but 'Router' was not resolved.") {
        expectResolvedInOrder((any Router).self)
      }
      let line: UInt = #line + 1
      _ = DIContainer.resolve((any Router).self)
      _ = DIContainer.resolve((any Analytics).self)
      expectFailure(
        """
        Expected 'Analytics', 'Router' to be resolved in this order, but 'Router' was not resolved after 'Analytics'.
          Router (DITestingTests/ExpectationTests.swift:\(line))
          Analytics (DITestingTests/ExpectationTests.swift:\(line + 1))
        """
      ) { expectResolvedInOrder((any Analytics).self, (any Router).self) }
      expectFailure(
        """
        Expected 'Router', 'Router' to be resolved in this order, but 'Router' was not resolved after 'Router'.
          Router (DITestingTests/ExpectationTests.swift:\(line))
        """
      ) { expectResolvedInOrder((any Router).self, (any Router).self) }
    }
  }
}

@Suite(.isolatedContainer(.empty) { appRegistrations })
struct DetachedExpectationTests {
  @Test("a failure goes to the framework of the test, not to the one in which it would pass silently")
  func detached() async {
    let framework = await Task.detached(
      operation: DIContainer.escaping {
        await Task.yield()
        return TestFramework.current
      }
    ).value
    #expect(framework == .swiftTesting)
    let processes = await Task.detached { TestFramework.current }.value
    #expect(processes == .swiftTesting)
    await isolated("test", in: .xctest) { #expect(TestFramework.current == .swiftTesting) }
  }

  @Test("a container tells the framework of its test even when that is over", .exitTest)
  func late() async {
    await #expect(processExitsWith: .success) {
      let container = await isolated("test", in: .xctest) { DIContainer.current }
      precondition(TestFramework.current == .swiftTesting)
      await isolated("test", in: .xctest) {
        await Task.detached { precondition(TestFramework.current == .xctest) }.value
      }
      DIContainer.withCurrent(container) { precondition(TestFramework.current == .xctest) }
    }
  }
}

@Suite(.expectingIssues)
struct UnisolatedExpectationTests {
  private let text =
    "Cannot count the resolutions of 'Router': the test is not isolated. Add the trait `.isolatedContainer`; in XCTest, "
    + "inherit from `DITestCase`, or call `restoreRegistrationsAfterTest()`."

  @Test("an expectation has lost no container, even while another test is isolated")
  func besideAnotherTest() async {
    await withTaskGroup { group in
      let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
      let (ended, ending) = AsyncStream.makeStream(of: Void.self)
      group.addTask {
        await isolated("another test") {
          beginning.finish()
          for await _ in ended {}
        }
      }
      for await _ in begun {}
      expectFailure(text) { expectNotResolved((any Router).self) }
      ending.finish()
    }
  }

  @Test("an expectation fails and says what to do")
  func expectationFails() {
    DIContainer.withCurrent(.shared) {
      expectFailure(text) { expectNotResolved((any Router).self) }
      expectFailure(text) { expectResolved((any Router).self, times: 0) {} }
      expectFailure(text) { expectResolvedInOrder((any Router).self, (any Analytics).self) }
      expectFailure(text.replacing("count the resolutions of 'Router'", with: "check the overrides")) {
        expectOverridesResolved()
      }
      expectFailure(text.replacing("count the resolutions of 'Router'", with: "measure the cost")) {
        #expect(DIContainer.cost {}.resolutions == 0)
      }
      expectFailure(text) { _ = DIContainer.resolutions(of: (any Router).self) }
      expectFailure(text) { _ = DIContainer.resolveCount(of: (any Router).self) }
    }
  }
}
