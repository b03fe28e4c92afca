#if canImport(Testing)
  public import DependencyInjection
  public import Testing

  /// A trait that gives every test case a container of its own, so that tests that override the same types can run in
  /// parallel.
  ///
  /// ```swift
  /// @Suite(.isolatedContainer) struct RouterTests {
  ///   @Test(.isolatedContainer { New(MockRouter() as Router) })
  ///   func opens() { … }
  /// }
  /// ```
  ///
  /// The container is current for the initializer of the suite, its injected properties, the test and the tasks it
  /// starts. It starts with the registrations of the current container, such as that of an outer trait; if none was made
  /// current, with those of the app. It has no instances at first, and records every resolution.
  public struct IsolatedContainerTrait: TestTrait, SuiteTrait, TestScoping {
    private let isolation: Isolation
    private let registrations: @Sendable () async throws -> RegistrationList

    fileprivate init(_ isolation: Isolation, _ registrations: @escaping @Sendable () async throws -> RegistrationList) {
      self.isolation = isolation
      self.registrations = registrations
      // The traits of all tests exist before the first test begins.
      SharedContainer.watch()
    }

    /// Always true: a suite's trait applies to each of its tests.
    public var isRecursive: Bool { true }

    /// Runs one test case with a container of its own.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: The test case.
    ///   - function: The closure that runs the test case.
    /// - Throws: The error that the closure of the trait or the test throws.
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      var isolation = isolation
      isolation.registrations = try await registrations()
      let name = "\(test.name) (\(test.sourceLocation))"
      try await isolation.run(name, in: .swiftTesting, at: FailureLocation(test.sourceLocation)) {
        try await function()
      }
    }
  }

  extension Trait where Self == IsolatedContainerTrait {
    /// Gives every test case a copy of the registrations, and no instances.
    public static var isolatedContainer: Self { Self(Isolation()) { RegistrationList() } }

    /// Gives every test case a container of its own.
    ///
    /// - Parameters:
    ///   - origin: The registrations that the container starts with.
    ///   - escapes: The handling of code that may have lost the container; nil for that of the outer trait or, without
    ///     one, a warning.
    ///   - recording: Pass false to record no resolutions: they take as long as in the app, and no expectation can
    ///     count them. Pass nil for the setting of the outer trait or, without one, true.
    ///   - overrides: The overrides that fail the test when it ends; nil for those of the outer trait or, without one,
    ///     none.
    ///   - registrations: The registrations to add. The closure runs for each test case, before its container is current.
    /// - Returns: The trait.
    public static func isolatedContainer(
      _ origin: IsolationOrigin = .registrations, escapes: EscapeHandling? = nil, recording: Bool? = nil,
      overrides: OverrideExpectations? = nil,
      @RegistrationBuilder _ registrations: @escaping @Sendable () async throws -> RegistrationList = {
        RegistrationList()
      }
    ) -> Self {
      Self(
        Isolation(origin: origin, escapes: escapes, overrides: overrides, isRecorded: recording), registrations)
    }
  }

  @available(*, unavailable, message: "list the modules in a closure: .isolatedContainer { Module.app }")
  extension Trait where Self == IsolatedContainerTrait {
    /// Reports a module that is not in a closure.
    @_disfavoredOverload
    public static func isolatedContainer(
      _ module: Module, escapes: EscapeHandling? = nil, recording: Bool? = nil,
      overrides: OverrideExpectations? = nil
    ) -> Self { fatalError() }
  }
#endif
