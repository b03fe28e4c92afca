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
  /// The container is current for `setUp`, the test, and `tearDown`, synchronous or not. It starts with the registrations
  /// of the app and without any instance, and records every resolve.
  open class DITestCase: XCTestCase {
    /// Runs the test with a container of its own.
    open override func invokeTest() {
      DIContainer.withCurrent(.isolated(from: .current, RegistrationList(), for: .xctest)) { super.invokeTest() }
    }
  }
#endif
