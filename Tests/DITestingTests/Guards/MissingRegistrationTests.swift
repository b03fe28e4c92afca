@testable import DITesting
import DependencyInjection
import Testing

private enum Missing {
  static let line = #line + 3

  static func resolve() {
    _ = DIContainer.resolve(Int.self)
  }
}

@Suite(.expectingIssues)
struct MissingRegistrationTests {
  @Test("is an issue at the caller, with the path, before the process ends", .exitTest)
  func isReported() async {
    let found = await issues {
      await #expect(processExitsWith: .failure) {
        await isolated("incomplete test") {
          DIContainer.register(
            New { _ in
              Missing.resolve()
              return HomeViewModel(router: RouterImpl())
            })
          _ = DIContainer.resolve(HomeViewModel.self)
        }
      }
    }
    let text = """
      No registration for 'Int'.
        resolving  HomeViewModel → Int
        asked at   DITestingTests/MissingRegistrationTests.swift:\(Missing.line)
      """
    #expect(found.map(\.text) == [text])
    let place = found.first?.sourceLocation
    #expect(place?.fileID == "DITestingTests/MissingRegistrationTests.swift" && place?.line == Missing.line)
  }

  @Test("is an issue inside of withOverrides, too", .exitTest)
  func isReportedInCopy() async {
    await expectFailures(
      """
      No registration for 'Int'.
        resolving  Int
        asked at   DITestingTests/MissingRegistrationTests.swift:\(Missing.line)
      """
    ) {
      await #expect(processExitsWith: .failure) {
        await isolated("incomplete test") {
          DIContainer.withOverrides {
            New(MockRouter() as any Router)
          } perform: {
            Missing.resolve()
          }
        }
      }
    }
  }

  /// Expects the error of `Missing` with these notes, and nothing else after it, in the output of a process.
  private func expectError(with notes: String, in result: ExitTest.Result?) {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains(
        """
        No registration for 'Int'.
          resolving  Int
          asked at   DITestingTests/MissingRegistrationTests.swift:\(Missing.line)
        \(notes)

        """), "\(text)")
  }

  @Test("says that tests do not run main, if it is missing in the shared container", .exitTest)
  func inSharedContainer() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      DIContainer.shared.removeAll()
      Missing.resolve()
    }
    expectError(
      with: """
          note       nothing is registered in the shared container: tests do not run `main`; let the test register: in \
        Swift Testing, `.isolatedContainer { Module.app }`; in a `DITestCase`, `override var registrations`
          note       XCTest creates the properties of test cases, and Swift Testing the `arguments:` of tests, before \
        the first test: create what injects in `setUp` or in the test, or inject with `@LazyInject`
        """, in: result)
  }

  @Test("says what comes before the first test, if other types are registered in the shared container", .exitTest)
  func beforeTheFirstTest() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      DIContainer.shared.register(Shared("text"))
      Missing.resolve()
    }
    expectError(
      with: """
          note       XCTest creates the properties of test cases, and Swift Testing the `arguments:` of tests, before \
        the first test: create what injects in `setUp` or in the test, or inject with `@LazyInject`
        """, in: result)
  }

  @Test("on the wrong actor says what to do in a suite", .exitTest)
  func wrongActor() async {
    @MainActor final class Screen {}
    struct Suite {
      @Inject var screen: Screen
    }
    let line = #line - 2
    await expectFailures(
      """
      'Screen' has to be created on the main actor.
        resolving  Screen
        asked at   DITestingTests/MissingRegistrationTests.swift:\(line)
        registered DITestingTests/MissingRegistrationTests.swift:\(line + 15)
        note       use `try await DIContainer.resolveAsync(MissingRegistrationTests.Screen.self)`, or resolve it on the main \
      actor first: an instance that exists is returned anywhere
        note       a property of a suite is created by its `init()`: isolate that with `@MainActor init() {}`, or use \
      `@LazyInject`
      """
    ) {
      await #expect(processExitsWith: .failure) {
        await isolated("test") {
          DIContainer.register(Shared(onMain: Screen()))
          await Task.detached(operation: DIContainer.escaping { _ = Suite() }).value
        }
      }
    }
  }
}
