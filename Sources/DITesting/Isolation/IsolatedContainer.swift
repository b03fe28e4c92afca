#if canImport(Testing)
  public import DependencyInjection
  public import Testing

  /// Gives every test case a container of its own, so that tests which override the same types run in parallel.
  ///
  /// ```swift
  /// @Suite(.isolatedContainer) struct RouterTests {
  ///   @Test(.isolatedContainer { New(MockRouter() as Router) })
  ///   func opens() { … }
  /// }
  /// ```
  ///
  /// The container is current for the initializer of the suite, its injected properties, the test and the tasks it
  /// starts. It starts with the registrations of the container around it and without any instance, and records every
  /// resolve. A trait inside another refines it.
  public struct IsolatedContainerTrait: TestTrait, SuiteTrait, TestScoping {
    /// What an isolated container starts with.
    public struct Origin: Sendable {
      fileprivate let isEmpty: Bool

      /// The registrations of the container around it: those of the app, or of an outer trait.
      public static let registrations = Origin(isEmpty: false)

      /// Nothing.
      public static let empty = Origin(isEmpty: true)
    }

    fileprivate let origin: Origin
    fileprivate let overrides: RegistrationList

    /// Always true: a suite's trait applies to each of its tests.
    public var isRecursive: Bool { true }

    /// Runs one test case with a container of its own.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: The test case.
    ///   - function: Runs it.
    /// - Throws: What the test throws.
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      let recorder = ResolutionRecorder(for: "\(test.name) (\(test.sourceLocation))", in: .swiftTesting)
      let container = DIContainer.isolated(from: origin.isEmpty ? nil : .current, overrides, recorder)
      ActiveTests.begin(recorder, in: container)
      defer { ActiveTests.end(recorder) }
      reportOtherCopy(to: .swiftTesting)
      try await DIContainer.withCurrent(container) { try await function() }
    }
  }

  extension Trait where Self == IsolatedContainerTrait {
    /// Gives every test case a copy of the registrations, and no instances.
    public static var isolatedContainer: Self {
      Self(origin: .registrations, overrides: RegistrationList())
    }

    /// Gives every test case a container of its own.
    ///
    /// - Parameters:
    ///   - origin: What the container starts with.
    ///   - overrides: What to register on top. The closure runs once; its factories run in each test case.
    /// - Returns: The trait.
    public static func isolatedContainer(
      _ origin: IsolatedContainerTrait.Origin = .registrations,
      @RegistrationBuilder _ overrides: () -> RegistrationList = { RegistrationList() }
    ) -> Self {
      Self(origin: origin, overrides: overrides())
    }
  }
#endif
