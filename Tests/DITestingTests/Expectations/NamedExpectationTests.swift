import DITesting
import DependencyInjection
import Testing
import XCTest

extension DIContainer {
  fileprivate static let lineOfDeclaration = #line + 1
  fileprivate static let declaredRouter = Dependency<any Router>(.shared) { RouterImpl() }
  fileprivate static let otherRouter = Dependency<any Router>(.shared) { RouterImpl() }
}

private let routers = Module {
  Shared(RouterImpl() as any Router)
  Shared(MockRouter() as any Router, named: .spare)
}

private let file = "DITestingTests/NamedExpectationTests.swift"

/// What failures call the declared dependency.
private let declared = "'Router' (declared at \(file):\(DIContainer.lineOfDeclaration))"

/// Where `resolveEach` resolves the first of four.
private let line = #line + 3

private func resolveEach() {
  _ = DIContainer.resolve((any Router).self)
  _ = DIContainer.resolve((any Router).self, named: .spare)
  _ = DIContainer.declaredRouter()
  _ = DIContainer.otherRouter()
}

@Suite(.expectingIssues, .isolatedContainer(.empty) { routers })
struct NamedExpectationTests {
  @Test("count it alone, those of a type count all of them, and those of nil count what has no name")
  func counts() {
    resolveEach()
    #expect(
      (
        DIContainer.resolveCount(of: (any Router).self), DIContainer.resolveCount(of: (any Router).self, named: .spare),
        DIContainer.resolveCount(of: (any Router).self, named: "other"),
        DIContainer.resolveCount(of: DIContainer.declaredRouter),
        DIContainer.resolutions(of: (any Router).self, named: .spare).map(\.location.line),
        DIContainer.resolutions(of: DIContainer.otherRouter).map(\.location.line)
      ) == (4, 1, 0, 1, [UInt(line + 1)], [UInt(line + 3)]))
    let name: DependencyName? = nil
    #expect(
      (
        DIContainer.resolveCount(of: (any Router).self, named: name),
        DIContainer.resolveCount(of: (any Router).self, named: .any)
      ) == (1, 4))
    expectResolved((any Router).self, named: nil, times: 1)
    expectResolved((any Router).self, named: .any, times: 4)
    expectFailure(
      """
      Expected 'Router' not to be resolved, but it was resolved once.
        Router (\(file):\(line))
      """
    ) { expectNotResolved((any Router).self, named: nil) }
  }

  @Test("of an optional count what it wraps, which is what resolving it looks for, and a declared dependency of it")
  func optionals() {
    let declared = Dependency<(any Router)?> { nil }
    let text = """
      'Router' was resolved, but the test declares it unexpected.
        Router (\(file):\(#line + 7))
        declared   \(file):\(#line + 4)
      """
    expectFailure(text) {
      withIsolatedContainer {
        Unexpected((any Router)?.self)
      } perform: {
        _ = DIContainer.resolve((any Router)?.self)
        expectResolved((any Router)?.self, times: 1)
        expectCreated((any Router)?.self, times: 1) { _ = DIContainer.resolve((any Router)?.self, named: .spare) }
        expectResolved((any Router)?.self, named: .spare, times: 1)
        expectResolved((any Router)?.self, times: 1) { _ = declared() }
        expectNotResolved((any Router).self) { _ = declared() }
      }
    }
  }

  @Test("that nothing meets tell what was resolved in its place, and warn if nothing is registered with the name")
  func nearMisses() async {
    withIsolatedContainer {
      let line = #line + 1
      _ = DIContainer.resolve((any Router).self)
      _ = DIContainer.declaredRouter()
      expectFailure(
        """
        Expected 'Router (spare)' to be resolved once, but it was not.
          note       it was resolved as 'Router' at DITestingTests/NamedExpectationTests.swift:\(line)
          note       it was resolved as a declared dependency at DITestingTests/NamedExpectationTests.swift:\(line + 1)
        """
      ) { expectResolved((any Router).self, named: .spare, times: 1) }
      expectFailure(
        """
        Expected 'RouterImpl' to be resolved once, but it was not.
          note       'Router' was resolved at DITestingTests/NamedExpectationTests.swift:\(line): expect the type that is asked for
          note       a declared dependency was resolved at DITestingTests/NamedExpectationTests.swift:\(line + 1): expect \
        that dependency
        """
      ) { expectResolved(RouterImpl.self, times: 1) }
      // The first three, once each.
      let notes = [1, 2, 3].map { "\n  note       it was resolved as 'Router' at \(file):\($0)" }
      expectFailure("Expected 'Router (spare)' to be resolved once, but it was not." + notes.joined()) {
        expectResolved((any Router).self, named: .spare, times: 1) {
          for line: UInt in [1, 1, 2, 3, 4] { _ = DIContainer.resolve((any Router).self, line: line) }
        }
      }
    }
    // What the closure resolved comes before what was resolved elsewhere.
    withIsolatedContainer {
      _ = DIContainer.resolve((any Router).self, named: .spare)
      expectFailure(
        """
        Expected 'Router (spare)' to be resolved once, but it was not.
          note       it was resolved as 'Router' at \(file):\(#line + 3)
        """
      ) {
        expectResolved((any Router).self, named: .spare, times: 1) { _ = DIContainer.resolve((any Router).self) }
      }
    }
    // Warn if nothing is registered with the name, which cannot be resolved then.
    await withIsolatedContainer {
      await expectFailures(
        """
        Nothing is registered as 'Router (spar)', so nothing could resolve it.
          note       use the name that the code asks for, or none for all names
        """
      ) { expectNotResolved((any Router).self, named: "spar") }
      await expectFailures {
        expectNotResolved((any Router).self, named: .spare)
        expectNotResolved((any Analytics).self, named: nil)
        expectNotResolved(DIContainer.declaredRouter)
      }
    }
  }

  @Test("warn if the code asks for another name, for none, or for the type of a declared dependency")
  func otherForm() async {
    func text(_ expected: String, _ resolved: String, at line: Int, _ note: String) -> String {
      """
      'Router\(expected), but the test resolved \(resolved).
        resolved   Router (\(file):\(line))
        note       \(note)
      """
    }
    let line = #line + 8
    await expectFailures(
      text(
        " (spar)' was expected not to be resolved", "'Router'", at: line, "leave out the name, as the code does"),
      text(
        "' was expected not to be resolved as a declared dependency", "it by its type", at: line + 3,
        "name the type as well: `Router.self`")
    ) {
      _ = DIContainer.resolve((any Router).self)
      expectNotResolved((any Router).self, named: "spar")
      withIsolatedApp(New(RouterImpl() as any Router, file: "App/App.swift", line: 7)) {
        _ = DIContainer.resolve((any Router).self)
        expectNotResolved(DIContainer.declaredRouter)
      }
    }
    await expectFailures {
      _ = DIContainer.resolve((any Router).self)
      expectNotResolved((any Router).self, named: .spare)
      // The test itself registers the type.
      expectNotResolved(DIContainer.declaredRouter)
    }
    // A child of the test has the name.
    await expectFailures {
      let child = DIContainer(parent: .current)
      child.register(New(RouterImpl() as any Router, named: "child", file: "App/App.swift", line: 7))
      expectNotResolved((any Router).self, named: "child")
      expectNotResolved((any Router).self, named: "child", in: .current)
    }
    // The container that is meant has the name, and not the one that is current.
    await withIsolatedContainer {
      await expectFailures {
        let container = DIContainer.current
        _ = container.resolve((any Router).self)
        DIContainer.withCurrent(DIContainer()) {
          expectNotResolved((any Router).self, named: .spare, in: container)
        }
      }
    }
  }

  @Test("warn if only a protocol or a class above the type is registered, or nothing was resolved from the container")
  func concreteType() async {
    await withIsolatedContainer {
      class Base {}
      final class Derived: Base {}
      let line = #line + 13
      func text(_ type: String, _ resolved: String, at line: Int, _ verb: String = "resolved") -> String {
        """
        '\(type)' was expected not to be \(verb), but the test resolved '\(resolved)'.
          resolved   \(resolved) (\(#fileID):\(line))
          note       use the type that the code asks for
        """
      }
      await expectFailures(
        text("MockRouter", "Router", at: line), text("MockRouter", "Router", at: line, "created"),
        text("Derived", "Base", at: line + 4)
      ) {
        expectNotResolved(MockRouter.self)
        _ = DIContainer.resolve((any Router).self)
        expectNotResolved(MockRouter.self)
        expectNotCreated(MockRouter.self)
        DIContainer.register(Shared { Derived() as Base })
        _ = DIContainer.resolve(Base.self)
        expectNotResolved(Derived.self)
        expectNotResolved(HomeViewModel.self)
        expectNotResolved((any Analytics).self)
        // Nothing has the type, so the name is not what is wrong.
        expectNotResolved(Double.self, named: .spare)
      }
    }
    await withIsolatedContainer {
      await expectFailures(
        """
        Nothing was resolved from this container, so 'Router' could not be, either.
          note       pass the container that the code uses, or none for all containers of the test
        """
      ) {
        withIsolatedContainer {
          let (unused, used) = (DIContainer(), DIContainer())
          expectNotResolved((any Router).self, in: unused)
          expectNotResolved((any Router).self, in: used)
          used.register(appRegistrations)
          _ = used.resolve((any Analytics).self)
          expectNotResolved((any Router).self, in: used)
          expectNotResolved((any Router).self, in: .current)
        }
      }
    }
  }

  @Test("pass if it was resolved as often")
  func pass() async {
    expectNotResolved((any Router).self, named: .spare)
    expectNotResolved(DIContainer.declaredRouter)
    resolveEach()
    expectResolved((any Router).self, named: .spare)
    expectResolved((any Router).self, named: .spare, times: 1)
    expectResolved((any Router).self, named: .spare, times: ..<2) { resolveEach() }
    await expectResolved((any Router).self, named: .spare, times: 2...) {
      await Task.yield()
      for _ in 0..<2 { resolveEach() }
    }
    let name = expectResolved(DIContainer.declaredRouter, times: 1) { DIContainer.declaredRouter().name }
    #expect(name == "real")
    await expectResolved(DIContainer.declaredRouter, times: 1) {
      await Task.yield()
      resolveEach()
    }
    expectResolved(DIContainer.declaredRouter)
    expectResolved(DIContainer.declaredRouter, times: 2...6)
  }

  @Test("fail with its name, or the location of its declaration, and its resolutions alone, of closures, too")
  func fail() async {
    withIsolatedContainer {
      resolveEach()
      func text(_ what: String, _ expected: String, _ name: String, at line: Int) -> String {
        "Expected \(what) \(expected), but it was resolved once.\n  \(name) (\(file):\(line))"
      }
      expectFailure(text("'Router (spare)'", "to be resolved 2 times", "Router (spare)", at: line + 1)) {
        expectResolved((any Router).self, named: .spare, times: 2)
      }
      expectFailure(text("'Router (spare)'", "not to be resolved", "Router (spare)", at: line + 1)) {
        expectNotResolved((any Router).self, named: .spare)
      }
      expectFailure(text(declared, "to be resolved at least 2 times", "Router", at: line + 2)) {
        expectResolved(DIContainer.declaredRouter, times: 2...)
      }
      expectFailure(text(declared, "not to be resolved", "Router", at: line + 2)) {
        expectNotResolved(DIContainer.declaredRouter)
      }
    }
    // Of a closure fail in the same way.
    await withIsolatedContainer {
      let spare = "Expected 'Router (spare)' to be resolved once, but it was not."
      func note(_ what: String, _ line: Int) -> String {
        "\n  note       it was resolved as \(what) at DITestingTests/NamedExpectationTests.swift:\(line)"
      }
      expectFailure(spare + note("'Router'", #line + 1)) {
        expectResolved((any Router).self, named: .spare, times: 1) { _ = DIContainer.resolve((any Router).self) }
      }
      await expectFailures(spare) {
        await expectResolved((any Router).self, named: .spare, times: 1) { await Task.yield() }
      }
      expectFailure(
        "Expected \(declared) to be resolved once, but it was not." + note("a declared dependency", #line + 2)
      ) {
        expectResolved(DIContainer.declaredRouter, times: 1) { _ = DIContainer.otherRouter() }
      }
      await expectFailures("Expected \(declared) to be resolved once, but it was not.") {
        await expectResolved(DIContainer.declaredRouter, times: 1) { await Task.yield() }
      }
    }
  }
}

/// The same, in XCTest.
final class NamedXCTestExpectationTests: FailureCollectingTestCase {
  override var registrations: Module { routers }

  func testNames() {
    XCTAssertNotResolved((any Router).self, named: .spare)
    resolveEach()
    XCTAssertResolved((any Router).self, named: .spare)
    XCTAssertResolved((any Router).self, named: .spare, times: 1)
    let resolve = "Router (spare) (\(file):\(line + 1))"
    let tooFew = "Expected 'Router (spare)' to be resolved 2 times, but it was resolved once.\n  \(resolve)"
    expectXCTestFailure(tooFew) { XCTAssertResolved((any Router).self, named: .spare, times: 2) }
    let unwanted = "Expected 'Router (spare)' not to be resolved, but it was resolved once.\n  \(resolve)"
    expectXCTestFailure(unwanted) { XCTAssertNotResolved((any Router).self, named: .spare) }
  }

  func testDeclared() {
    XCTAssertNotResolved(DIContainer.declaredRouter)
    resolveEach()
    XCTAssertResolved(DIContainer.declaredRouter)
    XCTAssertResolved(DIContainer.declaredRouter, times: 1)
    let resolve = "Router (\(file):\(line + 2))"
    let tooFew = "Expected \(declared) to be resolved 2 times, but it was resolved once.\n  \(resolve)"
    expectXCTestFailure(tooFew) { XCTAssertResolved(DIContainer.declaredRouter, times: 2) }
    let unwanted = "Expected \(declared) not to be resolved, but it was resolved once.\n  \(resolve)"
    expectXCTestFailure(unwanted) { XCTAssertNotResolved(DIContainer.declaredRouter) }
  }

  func testClosures() throws {
    XCTAssertThrowsError(try expectResolved((any Router).self, times: 0) { throw CancellationError() })
    let nothing = "Expected 'Router' to be resolved once, but it was not."
    expectXCTestFailure(nothing) { expectResolved((any Router).self, times: 1, {}) }
    let noName = "Expected 'Router (spare)' to be resolved once, but it was not."
    expectXCTestFailure(noName) { expectResolved((any Router).self, named: .spare, times: 1, {}) }
    let notDeclared = "Expected \(declared) to be resolved once, but it was not."
    expectXCTestFailure(notDeclared) { expectResolved(DIContainer.declaredRouter, times: 1, {}) }
  }

  func testAsynchronousClosures() async {
    let suspend = { await Task.yield() }
    let nothing = "Expected 'Router' to be resolved once, but it was not."
    await expectXCTestFailure(nothing) { await expectResolved((any Router).self, times: 1, suspend) }
    let notDeclared = "Expected \(declared) to be resolved once, but it was not."
    await expectXCTestFailure(notDeclared) { await expectResolved(DIContainer.declaredRouter, times: 1, suspend) }
  }
}
