import DITesting
import DependencyInjection
import Testing

// In processes of their own, because they change the shared container.
@Suite("An override of the shared container")
struct OverrideLeakTests {
  @Test("is a warning, once for each place, if nothing takes it back")
  func isReported() async {
    let severities = Locked<[Issue.Severity]>([])
    await withKnownIssue {
      await #expect(processExitsWith: .success) {
        for _ in 0..<3 { Leaking.override() }
        precondition(DIContainer.resolve((any Router).self).name == "mock")
      }
    } matching: { issue in
      severities.withLock { $0.append(issue.severity) }
      return issue.comments.first?.rawValue
        == """
        'Router' was overridden in the shared container during a test, without a snapshot to restore: tests that are \
        not isolated see the change.
          changed at DITestingTests/OverrideLeakTests.swift:\(Leaking.line)
          note       isolate the test with `.isolatedContainer` or `DITestCase`, or take a snapshot first and restore it
        """
    }
    #expect(severities.withLock { $0 } == [.warning])
  }

  @Test("is none as long as somebody has a snapshot, and in a container of a test or of one's own")
  func isNone() async {
    await expectFailures {
      await #expect(processExitsWith: .success) {
        let snapshot = DIContainer.snapshot()
        Leaking.override()
        DIContainer.restore(snapshot)
        await isolated("test") {
          DIContainer.register(New(MockRouter() as any Router))
          Leaking.override()
        }
        DIContainer.withCurrent(DIContainer()) { Leaking.override() }
        DIContainer.register(New(MockRouter() as any Router))
      }
    }
  }

  @Test("is one again when the snapshot is gone")
  func isOneAgain() async {
    await withKnownIssue {
      await #expect(processExitsWith: .success) {
        do {
          let snapshot = DIContainer.snapshot()
          Leaking.override()
          DIContainer.restore(snapshot)
        }
        Leaking.override()
      }
    } matching: { issue in
      issue.severity == .warning
    }
  }
}

private enum Leaking {
  static let line = #line + 3

  static func override() {
    DIContainer.override((any Router).self, with: MockRouter())
  }
}
