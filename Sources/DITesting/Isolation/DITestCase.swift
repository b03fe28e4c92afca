#if canImport(XCTest)
  public import DependencyInjection
  public import XCTest

  /// An `XCTestCase` that gives each test a container of its own.
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
  /// with the registrations of the app and without any instance, and records every resolution. XCTest creates the test
  /// case before that, so inject its properties with `@LazyInject`: `@Inject` would resolve too early.
  ///
  /// Override the properties to change the settings; in a class on the main actor, mark the overrides `nonisolated`.
  open class DITestCase: XCTestCase {
    // XCTest creates all test cases before the first test begins.
    private let isWatched: Void = TestRun.watch()

    /// The registrations that the container of each test starts with: those of the app by default.
    open var origin: IsolationOrigin { .registrations }

    /// The registrations to add before `setUp`: none by default.
    open var registrations: Module { Module {} }

    /// The handling of code that may have lost the container: a warning by default.
    open var escapes: EscapeHandling { .warn }

    /// The overrides that fail the test when it ends: none by default.
    open var overrides: OverrideExpectations { [] }

    /// A Boolean value that indicates whether resolutions are recorded: true by default.
    ///
    /// Resolutions that are not recorded take as long as in the app, which `measure` needs, but no expectation can
    /// count them.
    open var recording: Bool { true }

    #if canImport(ObjectiveC)
      /// Records an issue; an issue from inside a factory is recorded when the outermost factory returns.
      ///
      /// XCTest may interrupt the test with an exception, and the creations in progress would never end.
      ///
      /// - Parameter issue: The issue.
      open override func record(_ issue: XCTIssue) {
        recordAfterResolve { super.record(issue) }
      }
    #else
      /// Records a failure; a failure from inside a factory is recorded when the outermost factory returns.
      ///
      /// XCTest may interrupt the test, and the creations in progress would never end.
      ///
      /// - Parameters:
      ///   - description: The text of the failure.
      ///   - filePath: The file of the failure.
      ///   - lineNumber: The line of the failure.
      ///   - expected: A Boolean value that indicates whether an assertion failed.
      open override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
      ) {
        recordAfterResolve {
          super.recordFailure(
            withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
        }
      }
    #endif

    /// Calls a closure or, if a factory is running, keeps it until the outermost factory returns.
    func recordAfterResolve(_ record: @escaping () -> Void) {
      guard DIContainer.isCreating else { return record() }
      // Sound: XCTest runs one test at a time, and records its failures on whichever thread they occur.
      nonisolated(unsafe) let record = record
      Reports.keep { unsafe record() }
    }

    /// Runs the test with a container of its own.
    open override func invokeTest() {
      Isolation(
        origin: origin, registrations: registrations, escapes: escapes, overrides: overrides, isRecorded: recording
      )
      .run(name, in: .xctest, at: nil) { super.invokeTest() }
    }
  }
#endif
