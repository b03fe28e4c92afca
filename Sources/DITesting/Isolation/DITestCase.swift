#if canImport(XCTest)
  public import DependencyInjection
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
  ///
  /// A subclass changes that by overriding properties; in a class on the main actor, they are `nonisolated`.
  open class DITestCase: XCTestCase {
    // XCTest creates all test cases before the first test begins.
    private let isWatched: Void = TestRun.watch()

    /// What the container of each test starts with: the registrations of the app, unless a subclass says otherwise.
    open var origin: IsolationOrigin { .registrations }

    /// What is registered on top before `setUp`: nothing, unless a subclass says otherwise.
    open var registrations: Module { Module {} }

    /// What is done about code that may have lost the container: a warning, unless a subclass says otherwise.
    open var escapes: EscapeHandling { .warn }

    /// Whether resolves are recorded, as they are unless a subclass says otherwise.
    ///
    /// Without, they take as long as in the app, which is what `measure` ought to measure, and nothing can be expected of
    /// them.
    open var recording: Bool { true }

    #if canImport(ObjectiveC)
      /// Records an issue, one from inside a factory when the outermost factory has returned.
      ///
      /// XCTest may interrupt the test by an exception, and what the factories have begun would never end.
      ///
      /// - Parameter issue: The issue.
      open override func record(_ issue: XCTIssue) {
        recordAfterResolve { super.record(issue) }
      }
    #else
      /// Records a failure, one from inside a factory when the outermost factory has returned.
      ///
      /// XCTest may interrupt the test, and what the factories have begun would never end.
      ///
      /// - Parameters:
      ///   - description: What has failed.
      ///   - filePath: Where.
      ///   - lineNumber: Where.
      ///   - expected: Whether it is the failure of an assertion.
      open override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
      ) {
        recordAfterResolve {
          super.recordFailure(
            withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
        }
      }
    #endif

    /// Calls a closure, or keeps it until the outermost factory has returned if one runs.
    func recordAfterResolve(_ record: @escaping () -> Void) {
      guard DIContainer.isCreating else { return record() }
      // Sound: XCTest runs one test at a time, and records its failures on whichever thread they happen.
      nonisolated(unsafe) let record = record
      Reports.keep { unsafe record() }
    }

    /// Runs the test with a container of its own.
    open override func invokeTest() {
      var list = RegistrationList()
      list.add(registrations)
      Isolation(origin: origin, registrations: list, escapes: escapes, isRecorded: recording)
        .run(name, in: .xctest, at: nil) { super.invokeTest() }
    }
  }
#endif
