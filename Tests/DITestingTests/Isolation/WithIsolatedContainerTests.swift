@testable import DITesting
import DependencyInjection
import Testing
import XCTest

@Suite(.expectingIssues)
struct WithIsolatedContainerTests {
  @Test("runs a closure with a container of its own, which it takes the registrations of, and nests")
  func synchronous() {
    do {
      let outer = DIContainer.current
      let name = withIsolatedContainer(.empty) {
        appRegistrations
        Shared(MockRouter("closure") as any Router)
      } perform: {
        #expect(DIContainer.current != outer)
        let name = DIContainer.resolve((any Router).self).name
        expectResolved((any Router).self, times: 1)
        return name
      }
      #expect((name, DIContainer.current) == ("closure", outer))
    }
    withIsolatedContainer(.empty) {
      appRegistrations
    } perform: {
      DIContainer.override((any Router).self, with: MockRouter("outer"))
      withIsolatedContainer {
        #expect(DIContainer.resolve((any Router).self).name == "outer")
        DIContainer.override((any Router).self, with: MockRouter("inner"))
      }
      withIsolatedContainer(.empty) { #expect(DIContainer.resolve((any Router)?.self) == nil) }
      #expect(DIContainer.resolve((any Router).self).name == "outer")
      expectResolved((any Router).self, times: 1)
    }
  }

  @Test("runs an asynchronous closure, on the actor of the caller")
  @MainActor
  func asynchronous() async throws {
    let name = await withIsolatedContainer(.empty) {
      appRegistrations
    } perform: {
      MainActor.assertIsolated()
      await Task.yield()
      async let child = DIContainer.resolve((any Router).self).name
      return await child
    }
    #expect(name == "real")
    await #expect(throws: CancellationError.self) {
      try await withIsolatedContainer { () async throws -> Void in throw CancellationError() }
    }
  }

  @Test("has the name of the test that calls it or, outside of a test, of its line")
  func name() async {
    let test = Test.current.map { "\($0.name) (\($0.sourceLocation))" }
    let name = { @Sendable in IsolatedTest.current?.name }
    #expect(withIsolatedContainer(perform: name) == test)
    await withIsolatedContainer {
      await Task.yield()
      #expect(name() == test)
    }
    let line = #line + 2
    let names = await Task.detached {
      let name = withIsolatedContainer(perform: name)
      return await withIsolatedContainer {
        await Task.yield()
        return [name, IsolatedTest.current?.name]
      }
    }.value
    #expect(names == [line, line + 1].map { "\(#fileID):\($0)" })
  }

  @Test("includes what the factories of a parent do")
  func factoriesOfParents() {
    let parent = DIContainer()
    parent.register(Shared { _ in ActiveTests.running(.current)?.test === IsolatedTest.current })
    DIContainer.withCurrent(DIContainer(parent: parent)) {
      withIsolatedContainer { #expect(DIContainer.resolve(Bool.self)) }
    }
  }

  @Test("records nothing if it is told so, and says that, also inside of withOverrides, with its settings")
  func unrecorded() {
    withIsolatedContainer(.empty, recording: false) {
      appRegistrations
    } perform: {
      #expect(DIContainer.current.recorder == nil)
      DIContainer.override((any Router).self, with: MockRouter())
      #expect(DIContainer.resolve((any Router).self).name == "mock")
      withIsolatedContainer { #expect(DIContainer.current.recorder == nil, "as around it") }
      withIsolatedContainer(recording: true) { expectNotResolved((any Router).self) }
      expectFailure("Cannot count the resolutions of 'Router': the test has `recording: false`.") {
        expectNotResolved((any Router).self)
      }
    }
    withIsolatedContainer(.empty, escapes: .ignore, recording: false) {
      appRegistrations
    } perform: {
      DIContainer.withOverrides {
        Shared(MockRouter("closure") as any Router)
      } perform: {
        #expect(DIContainer.current.recorder == nil && ActiveTests.running(.current)?.test.escapes == .ignore)
        expectFailure("Cannot count the resolutions of 'Router': the test has `recording: false`.") {
          expectNotResolved((any Router).self)
        }
        withIsolatedContainer {
          #expect(DIContainer.resolve((any Router).self).name == "closure")
          #expect(DIContainer.current.recorder == nil, "as around it")
          #expect(ActiveTests.running(.current)?.test.escapes == .ignore, "as around it")
        }
      }
    }
  }

  @Test("has a trait that records nothing", .isolatedContainer(.empty, recording: false) { appRegistrations })
  func unrecordedTrait() {
    #expect(DIContainer.current != DIContainer.shared && DIContainer.current.recorder == nil)
  }
}

@Suite(.expectingIssues, .isolatedContainer(.empty) { appRegistrations })
struct LiveResolveTests {
  private func text(_ type: String, at line: Int, registered: String) -> String {
    """
    '\(type)' was resolved, but the test has not overridden it.
      \(type) (DITestingTests/WithIsolatedContainerTests.swift:\(line))
      registered DITestingTests/\(registered)
      note       with `.unexpected`, a test resolves only types that it overrides or registers
    """
  }

  private var registered: String { "Fixtures.swift:\(lineOfRegistrations + 2)" }

  @Test(
    "of a type that the test has not registered fails it with `.unexpected`, once for each location",
    .isolatedContainer(.unexpected))
  func fails() {
    withIsolatedContainer {
      Shared(MockRouter() as any Router)
    } perform: {
      #expect(DIContainer.resolve((any Router).self).name == "mock")
      expectFailure(text("Analytics", at: #line + 1, registered: registered)) {
        _ = DIContainer.resolve((any Analytics).self)
      }
    }
    // The same registrations as in the app.
    withIsolatedContainer {
      appRegistrations
    } perform: {
      _ = DIContainer.resolve((any Analytics).self)
    }
    withIsolatedContainer {
      DIContainer.override { appRegistrations }
      _ = DIContainer.resolve((any Analytics).self)
    }
    withIsolatedContainer(.empty) {
      Shared(AnalyticsImpl() as any Analytics)
    } perform: {
      _ = DIContainer.resolve((any Analytics).self)
    }
    DIContainer.withOverrides {
      Shared(MockRouter() as any Router)
    } perform: {
      #expect(DIContainer.resolve((any Router).self).name == "mock")
      expectFailure(text("Analytics", at: #line + 1, registered: registered)) {
        _ = DIContainer.resolve((any Analytics).self)
      }
    }
    let dependency = Dependency<Int> { 1 }
    let file = "WithIsolatedContainerTests.swift:\(#line - 1)"
    expectFailure(text("Int", at: #line, registered: file)) { _ = dependency() }
    // A declaration may have the address of a released override.
    for _ in 0..<2 { DIContainer.override { New(AnalyticsImpl()) } }
    let late = Dependency<[Int]>(.shared) { [1] }
    let lateFile = "WithIsolatedContainerTests.swift:\(#line - 1)"
    expectFailure(text("Array<Int>", at: #line, registered: lateFile)) { _ = late() }
    dependency.register { 2 }
    #expect(dependency() == 2)
    expectFailure(text("Analytics", at: #line + 1, registered: registered)) {
      for _ in 0..<2 { _ = DIContainer.resolve((any Analytics).self) }
    }
    DIContainer.override((any Analytics).self, with: AnalyticsImpl())
    _ = DIContainer.resolve((any Analytics).self)
    // What the app decorates is live, too.
    let app = DIContainer()
    app.register(appRegistrations)
    app.decorate((any Analytics).self) { analytics, _ in analytics }
    DIContainer.withCurrent(app) {
      withIsolatedContainer(.unexpected) {
        expectFailure(text("Analytics", at: #line + 1, registered: registered)) {
          _ = DIContainer.resolve((any Analytics).self)
        }
      }
    }
  }

  @Test(
    "of a type that the trait registers passes with `.unexpected`",
    .isolatedContainer(.unexpected) { Shared(MockRouter() as any Router) })
  func overridden() {
    #expect(DIContainer.resolve((any Router).self).name == "mock")
  }
}

/// A custom base class.
class OwnBaseTestCase: XCTestCase {
  override func invokeTest() {
    withIsolatedContainer(.empty) {
      appRegistrations
    } perform: {
      super.invokeTest()
    }
  }
}

final class OwnBaseTests: OwnBaseTestCase {
  override func setUp() { DIContainer.override((any Router).self, with: MockRouter("set up")) }

  override func tearDown() { XCTAssertResolved((any Router).self, times: 1) }

  func testIsIsolated() { XCTAssertEqual(DIContainer.resolve((any Router).self).name, "set up") }

  func testIsIsolatedAsynchronously() async {
    await Task.yield()
    XCTAssertEqual(DIContainer.resolve((any Router).self).name, "set up")
  }
}

/// A test case that starts with only its own registrations, and records nothing.
final class ConfiguredTestCaseTests: DITestCase {
  override var origin: IsolationOrigin { .empty }
  override var registrations: Module { Module { Shared(MockRouter("property") as any Router) } }
  override var escapes: EscapeHandling { .ignore }
  override var recording: Bool { false }

  private var setUpName: String?

  override func setUp() { setUpName = DIContainer.resolve((any Router).self).name }

  func testHasWhatItSays() {
    XCTAssertEqual(setUpName, "property")
    XCTAssertNil(DIContainer.resolve((any Analytics)?.self))
    XCTAssertNil(DIContainer.current.recorder)
    XCTAssertEqual(ActiveTests.running(.current)?.test.escapes, .ignore)
  }
}
