@testable import DITesting
import DependencyInjection
import Testing

/// Runs a closure as a test with a container of its own, in a process where no test is active.
@discardableResult
func isolated<Result: Sendable>(
  _ name: String, in framework: TestFramework = .swiftTesting, escapes: EscapeHandling? = nil,
  _ body: @Sendable () async -> Result
) async -> Result {
  await Isolation(escapes: escapes).run(name, in: framework, at: nil) { await body() }
}

/// Collects the issues that a test expects, so that the output of the tests is about the others.
///
/// A known issue would do the same, but would be printed.
private final class IssueCollector: Sendable {
  @TaskLocal
  static var current: IssueCollector?
  /// The issues; nil once they have been handed over, after which an issue is one of the test.
  private let issues = Locked<[Issue]?>([])

  /// Adds an issue, if it comes in time.
  func add(_ issue: Issue) -> Bool {
    issues.withLock { issues in
      issues?.append(issue)
      return issues != nil
    }
  }

  /// Records an issue, which fails the test if its suite does not filter issues.
  func begin() { Issue.record("The suite is not `.expectingIssues`, or this is a process in which no trait applies.") }

  /// Returns the issues after that of `begin`.
  func end() -> [Issue] { issues.withLock { $0.take() ?? [] }.dropFirst().map(\.self) }
}

extension Trait where Self == IssueHandlingTrait {
  /// Lets the tests of a suite expect issues.
  static var expectingIssues: Self {
    .filterIssues { issue in IssueCollector.current?.add(issue) != true }
  }
}

extension Issue {
  /// The text that was recorded.
  var text: String { comments.first?.rawValue ?? "" }
}

/// Returns the issues that a closure records, warnings included; the suite has to be ``expectingIssues``.
func issues(during body: () throws -> Void) rethrows -> [Issue] {
  let collector = IssueCollector()
  try IssueCollector.$current.withValue(collector) {
    collector.begin()
    try body()
  }
  return collector.end()
}

/// Returns the issues that an asynchronous closure records, warnings included; the suite has to be ``expectingIssues``.
func issues(during body: () async -> Void) async -> [Issue] {
  let collector = IssueCollector()
  await IssueCollector.$current.withValue(collector) {
    collector.begin()
    await body()
  }
  return collector.end()
}

/// Runs a closure that must record exactly one issue, with this text, in a file.
func expectFailure(_ text: String, in file: String = #fileID, _ body: () throws -> Void) rethrows {
  let found = try issues(during: body)
  #expect(found.map(\.text) == [text])
  #expect(found.allSatisfy { $0.sourceLocation?.fileID == file })
}

/// Runs an asynchronous closure that must record exactly these issues, warnings included.
func expectFailures(_ texts: String..., during body: () async -> Void) async {
  let found = await issues(during: body)
  #expect(found.map(\.text) == texts)
}

/// Runs a closure as another test of the app.
func anew(_ body: () throws -> Void) rethrows { try withIsolatedApp(appRegistrations, body) }

/// Runs an asynchronous closure as another test of the app.
func anew(_ body: () async throws -> Void) async rethrows {
  try await DIContainer.withCurrent(app(with: appRegistrations)) { try await withIsolatedContainer(perform: body) }
}

/// Runs a closure as a test of an app that has registered something.
func withIsolatedApp(_ registration: some Registration, _ body: () throws -> Void) rethrows {
  try DIContainer.withCurrent(app(with: registration)) { try withIsolatedContainer(perform: body) }
}

private func app(with registration: some Registration) -> DIContainer {
  let app = DIContainer()
  app.register(registration)
  return app
}
