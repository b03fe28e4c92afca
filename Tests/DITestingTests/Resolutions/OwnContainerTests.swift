@testable import DITesting
import DependencyInjection
import Testing

/// An app that receives its container.
private struct App {
  let container: DIContainer

  func start() { _ = container.resolve(HomeViewModel.self) }
}

@Suite(.expectingIssues, .isolatedContainer(.empty))
struct OwnContainerTests {
  private let container = DIContainer()

  init() { container.register(appRegistrations) }

  @Test("counts for the test and on its own, even what is declared, and keeps nothing alive that it created")
  func counts() {
    expectNotResolved((any Router).self, in: container)
    App(container: container).start()
    expectResolved((any Router).self, times: 1)
    expectResolved((any Router).self, times: 1, in: container)
    expectNotResolved((any Router).self, in: .current)
    #expect(
      (
        DIContainer.resolveCount(of: HomeViewModel.self, in: container),
        DIContainer.resolutions(of: HomeViewModel.self, in: container).count
      ) == (1, 1))
    expectResolvedInOrder((any Router).self, HomeViewModel.self, in: container)
    // What is resolved from another container is no near miss.
    expectFailure("Expected 'Router' to be resolved once, but it was not.") {
      expectResolved((any Router).self, times: 1, in: .current)
    }
    expectFailure(
      "Expected 'Router', 'HomeViewModel' to be resolved in this order, but 'Router' was not resolved."
    ) { expectResolvedInOrder((any Router).self, HomeViewModel.self, in: .current) }
    expectCreated(HomeViewModel.self, times: 1, in: container)
    expectResolved(HomeViewModel.self, times: 1, in: container) { App(container: container).start() }
    expectFailure(
      """
      Expected 'Router' not to be resolved, but it was resolved 2 times.
        HomeViewModel → Router (DITestingTests/Fixtures.swift:\(lineOfRegistrations + 3)) × 2
      """
    ) { expectNotResolved((any Router).self) }
    // The same is true in a nested test.
    withIsolatedContainer { App(container: container).start() }
    expectResolved((any Router).self, times: 3, in: container)
    let number = Dependency<Int>(.shared) { 1 }
    DIContainer.withCurrent(container) { #expect(number() == 1) }
    expectResolved(number, times: 1, in: container)
    expectCreated(number, times: 1, in: container)
    expectNotResolved(number, in: .current)
    #expect((number(), DIContainer.resolveCount(of: number)) == (1, 2))
    do {
      weak var instance: RouterImpl?
      do {
        let container = DIContainer()
        container.override(RouterImpl.self, with: RouterImpl())
        instance = container.resolve(RouterImpl.self)
      }
      #expect(instance == nil)
      expectResolved(RouterImpl.self, times: 1)
    }
  }

  @Test("counts where code has lost the container of the test, too, if an expectation names it")
  func detached() async {
    await Task.detached { [container] in
      App(container: container).start()
      expectResolved(HomeViewModel.self, times: 1, in: container)
      App(container: DIContainer(parent: container)).start()
      App(container: DIContainer(copying: container)).start()
      expectResolved(HomeViewModel.self, times: 3, in: container)
    }.value
  }

  @Test("counts what its descendants ask for, and they count alone")
  func descendants() {
    let child = DIContainer(parent: container)
    let other = DIContainer(parent: container)
    App(container: DIContainer(parent: child)).start()
    App(container: other).start()
    expectResolved((any Router).self, times: 2, in: container)
    expectResolved((any Router).self, times: 1, in: child)
    expectNotResolved((any Router).self, in: .current)
    expectResolved((any Router).self, times: 2)
  }

  @Test("counts what is resolved in a copy of it, which counts alone, with its own descendants")
  func copies() {
    DIContainer.withCurrent(container) {
      App(container: container).start()
      DIContainer.withOverrides {
        Shared(MockRouter() as any Router)
      } perform: {
        expectNotResolved((any Router).self, in: .current)
        App(container: .current).start()
        expectResolved((any Router).self, times: 1, in: .current)
        App(container: DIContainer(parent: .current)).start()
        expectResolved((any Router).self, times: 2, in: .current)
      }
    }
    expectResolved((any Router).self, times: 3)
    expectCreated((any Router).self, times: 2)
  }

  @Test("counts what a copy of a child of it asks for in the copy of it")
  func copiesOfChildren() {
    container.register(Shared { resolve in HomeViewModel(router: resolve()) })
    DIContainer.withCurrent(DIContainer(parent: container)) {
      DIContainer.withOverrides {
      } perform: {
        _ = DIContainer.resolve(HomeViewModel.self)
      }
    }
    expectResolved((any Router).self, times: 1, in: container)
  }

  @Test("counts for the nested test that copies it, which expects there what it resolved")
  func copiedInside() async {
    await DIContainer.withCurrent(container) {
      await expectFailures {
        withIsolatedContainer {
          let copy = DIContainer(copying: container)
          DIContainer.withCurrent(copy) {
            _ = DIContainer.resolve((any Router).self)
            expectResolved((any Router).self, times: 1, in: copy)
          }
          DIContainer.withCurrent(DIContainer(parent: container)) {
            expectResolved((any Router).self, times: 1)
          }
        }
      }
    }
  }

  @Test("counts only for the test that created it, and only until that test is over")
  func ofAnotherTest() async {
    let (created, recorder) = await isolated("other test") { (DIContainer(), DIContainer.current.recorder) }
    created.register(appRegistrations)
    #expect(created.observers.isEmpty)
    #expect(await isolated("other test") { DIContainer(copying: DIContainer()) }.observers.isEmpty)
    if let recorder {
      // As if the other test were about to stop watching.
      created.addObserver(recorder)
      await expectFailures {
        App(container: created).start()
        _ = created.resolve(Int?.self)
      }
      created.removeObserver(recorder)
    }
    App(container: created).start()
    expectNotResolved((any Router).self)
    expectFailure(
      "Cannot count the resolutions of 'Router' in this container: it was created before the isolation of the test "
        + "began, or by code that does not belong to it. Create it in the test."
    ) { expectNotResolved((any Router).self, in: created) }
    expectFailure(
      "Cannot count the resolutions of 'Router' in this container: it is the shared container, of which the test has "
        + "a copy: write `in: .current`, or leave it out."
    ) { expectNotResolved((any Router).self, in: .shared) }
    // Detached, so that it is no part of this test.
    await Task.detached { await isolated("other test") { App(container: container).start() } }.value
    #expect(DIContainer.resolveCount(of: (any Router).self, in: container) == 0)
  }

  @Test("is not recorded in a test without isolation, which says so")
  func notIsolated() {
    DIContainer.withCurrent(.shared) {
      let container = DIContainer()
      container.register(appRegistrations)
      App(container: container).start()
      let expect = { IsolatedTest.$current.withValue(nil) { expectNotResolved((any Router).self, in: container) } }
      expectFailure(
        "Cannot count the resolutions of 'Router': the test is not isolated. Add the trait `.isolatedContainer`; in XCTest, "
          + "inherit from `DITestCase`, or call `restoreRegistrationsAfterTest()`."
      ) { expect() }
    }
  }
}

@Suite(.isolatedContainer(.empty) { appRegistrations })
struct RecordedCopyTests {
  @Test("of any container is recorded in the test that makes it")
  func copies() {
    let other = DIContainer.withCurrent(DIContainer()) {
      DIContainer.register(appRegistrations)
      return DIContainer.current
    }
    let (copy, child) = (DIContainer(copying: other), DIContainer(parent: other))
    _ = copy.resolve((any Router).self)
    _ = child.resolve((any Analytics).self)
    expectResolved((any Router).self, times: 1)
    expectResolved((any Router).self, times: 1, in: copy)
    expectResolved((any Analytics).self, times: 1, in: child)
  }
}

@Suite(.expectingIssues, .isolatedContainer(.empty) { appRegistrations })
struct RecorderTests {
  /// A recorder that lists two resolutions.
  private func record(_ body: (DIContainer) async -> Void) async -> ResolutionRecorder {
    let container = DIContainer.unobserved()
    container.register(appRegistrations)
    let test = IsolatedTest("long test", in: .swiftTesting, at: FailureLocation())
    let recorder = ResolutionRecorder(for: test, in: container, capacity: 2)
    container.addObserver(recorder)
    await IsolatedTest.$current.withValue(test) {
      await DIContainer.withCurrent(container) { await body(container) }
    }
    return recorder
  }

  @Test(
    "that is full continues to count, even for each container, and says so when the test ends",
    .timeLimit(.minutes(20)))
  func isFull() async {
    let recorder = await record { container in
      DIContainer.override((any Analytics).self, with: AnalyticsImpl())
      for _ in 0..<3 { _ = container.resolve((any Router).self) }
      _ = container.resolve((any Analytics).self)
      let line = #line - 2
      expectResolved((any Router).self, times: 3)
      try? await expectResolved((any Router).self, times: 3, within: .seconds(86_400))
      expectCreated((any Analytics).self, times: 1)
      expectCreated((any Router).self, times: 1)
      expectOverridesResolved()
      #expect(DIContainer.resolveCount(of: (any Router).self) == 3)
      expectFailure(
        """
        Expected 'Router' to be resolved 2 times, but it was resolved 3 times.
          Router (DITestingTests/OwnContainerTests.swift:\(line)) × 2
          … and 1 more
        """
      ) { expectResolved((any Router).self, times: 2) }
      // Too late for what is listed, and not for what is counted.
      DIContainer.register(New(MockRouter() as any Router))
      _ = DIContainer.resolve(HomeViewModel.self)
    }
    let key = Key(HomeViewModel.self, named: nil)
    #expect(recorder.hasUsed(key) && recorder.usedKeys.contains(key))
    await expectFailures(
      """
      Only the first 2 resolutions of the test are listed; later ones are counted.
        test       long test
        note       if no expectation needs them, pass `recording: false`
      """
    ) { recorder.end() }
    let isReported = Locked(false)
    recorder.test.reportAtEnd { isReported.withLock { $0 = true } }
    #expect(isReported.withLock { $0 }, "at once, because the test is over")
    _ = await record { container in
      let (one, other) = (DIContainer(parent: container), DIContainer(parent: container))
      for _ in 0..<5 { _ = one.resolve((any Router).self) }
      _ = other.resolve((any Router).self)
      expectResolved((any Router).self, times: 5, in: one)
      expectResolved((any Router).self, times: 1, in: other)
      expectResolved((any Router).self, times: 6)
    }
    // An instance counts as each of its types.
    _ = await record { container in
      container.register(New(RouterImpl(), as: (any Router).self))
      for _ in 0..<4 { _ = container.resolve((any Router).self) }
      expectCreated(RouterImpl.self, times: 4)
    }
  }

  @Test("leaves what another test overrides in it to that test", arguments: [false, true])
  func isOfAnotherTest(isChild: Bool) async {
    await expectFailures {
      await withIsolatedContainer(overrides: .mustBeResolved) {
        let container = isChild ? DIContainer(parent: .current) : DIContainer()
        await Task.detached {
          await isolated("other test") {
            container.override((any Router).self, with: MockRouter())
            container.register(New(1))
            _ = container.resolve((any Router).self)
          }
        }.value
        let own = DIContainer.current.recorder!
        #expect(own.overrides.isEmpty && own.mentionedKeys.isEmpty)
      }
    }
  }

  @Test("does not count for another test in which its container is current, and says why", arguments: [false, true])
  func isCurrentInOtherTest(isRecorded: Bool) async {
    let isOfTest =
      " in the current container: it was created before the isolation of the test began, or by code that does not belong "
      + "to it. Create it in the test."
    let text = "Cannot count the resolutions of 'Router'" + (isRecorded ? isOfTest : ": \(notRecorded)")
    await expectFailures(text, text) {
      await withIsolatedContainer {
        for container in [DIContainer(), DIContainer(parent: .current)] {
          // Not a part of the first test, whose container is not current.
          await DIContainer.withCurrent(DIContainer()) {
            await Isolation(isRecorded: isRecorded).run("other test", in: .swiftTesting, at: nil) { () async in
              DIContainer.withCurrent(container) { expectNotResolved((any Router).self) }
            }
          }
        }
      }
    }
  }

  @Test("releases what another test overrides in it, and does not expect that")
  func isReleased() async {
    final class LazyRouter: Router {
      let name = "lazy"
      @LazyInject var analytics: any Analytics
      private let ends: Calls<String>
      init(_ ends: Calls<String>) { self.ends = ends }
      deinit { ends(name) }
    }
    let (ends, kept) = (Calls<String>(), Locked<[MockRouter]>([]))
    await expectFailures {
      await withIsolatedContainer(overrides: .mustBeReleased) {
        let container = DIContainer()
        await Task.detached {
          await isolated("other test") {
            // Until it is read, the property keeps the container, which keeps the object.
            DIContainer.withCurrent(container) {
              DIContainer.override((any Router).self, with: LazyRouter(ends))
            }
            kept.withLock {
              $0 = [MockRouter()]
              container.override(MockRouter.self, with: $0[0])
            }
          }
        }.value
      }
    }
    #expect(ends.all == ["lazy"] && kept.withLock(\.count) == 1)
  }

  @Test("is shown with a line for each location, up to twenty of them")
  func shown() {
    for line: UInt in 0..<23 {
      for _ in 0..<(line == 0 ? 40 : 1) { _ = DIContainer.resolve((any Router).self, line: line) }
    }
    let places = (0..<20).map { "  Router (DITestingTests/OwnContainerTests.swift:\($0))\($0 == 0 ? " × 40" : "")\n" }
    expectFailure(
      "Expected 'Router' not to be resolved, but it was resolved 62 times.\n" + places.joined() + "  … and 3 more"
    ) { expectNotResolved((any Router).self) }
  }
}
