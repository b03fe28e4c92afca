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

/// Runs a closure that must record exactly one issue, with this text, in a file.
func expectFailure(_ text: String, in file: String = #fileID, _ body: () throws -> Void) rethrows {
  let texts = Locked<[String]>([])
  try withKnownIssue {
    try body()
  } matching: { issue in
    texts.withLock { $0.append(issue.comments.first?.rawValue ?? "") }
    return issue.sourceLocation?.fileID == file
  }
  #expect(texts.withLock { $0 } == [text])
}

/// Runs an asynchronous closure that must record exactly these issues, warnings included.
func expectFailures(_ texts: String..., during body: () async -> Void) async {
  let found = Locked<[String]>([])
  await withKnownIssue(isIntermittent: true) {
    await body()
  } matching: { issue in
    found.withLock { $0.append(issue.comments.first?.rawValue ?? "") }
    return true
  }
  #expect(found.withLock { $0 } == texts)
}

/// Runs a closure as a test of an app that has registered something.
func withIsolatedApp(_ registration: some Registration, _ body: () -> Void) {
  let app = DIContainer()
  app.register(registration)
  DIContainer.withCurrent(app) { withIsolatedContainer(perform: body) }
}
