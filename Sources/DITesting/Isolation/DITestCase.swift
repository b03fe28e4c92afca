#if canImport(XCTest)
  internal import DependencyInjection
  public import XCTest

  /// An `XCTestCase` whose every test has a container of its own.
  ///
  /// ```swift
  /// final class RouterTests: DITestCase {
  ///   func testOpens() {
  ///     DIContainer.override(Router.self, with: MockRouter())
  ///     …
  ///   }
  /// }
  /// ```
  ///
  /// The container is current for `setUp`, the test, its teardown blocks and `tearDown`, synchronous or not. It starts
  /// with the registrations of the app and without any instance, and records every resolve. XCTest creates the test case
  /// before that: give it `@LazyInject` properties, because `@Inject` would resolve them too early.
  open class DITestCase: XCTestCase {
    /// Runs the test with a container of its own.
    open override func invokeTest() {
      let recorder = ResolutionRecorder(for: name, in: .xctest)
      let container = DIContainer.isolated(from: .current, RegistrationList(), recorder)
      ActiveTests.begin(recorder, in: container)
      defer { ActiveTests.end(recorder) }
      reportOtherCopy(to: .xctest)
      DIContainer.withCurrent(container) { super.invokeTest() }
    }
  }
#endif
