@testable import DITesting
import DependencyInjection
import Testing

// In processes of their own, because they change the shared container.
@Suite(.expectingIssues)
struct OverrideLeakTests {
  @Test("is a warning, once for each location, if nothing takes it back", .exitTest)
  func isReported() async {
    let found = await issues {
      await #expect(processExitsWith: .success) {
        for _ in 0..<3 { Leaking.override() }
        precondition(DIContainer.resolve((any Router).self).name == "mock")
      }
    }
    let text = """
      'Router' was overridden in the shared container during a test, and nothing restores it: tests that are \
      not isolated see the change.
        changed at DITestingTests/OverrideLeakTests.swift:\(Leaking.line)
        note       isolate the test with `.isolatedContainer` or `DITestCase`, or take a snapshot first and restore it
      """
    #expect((found.map(\.text), found.map(\.severity)) == ([text], [.warning]))
  }

  @Test("is none if a snapshot is restored, and in a container of a test or of one's own", .exitTest)
  func isNone() async {
    await expectFailures {
      await #expect(processExitsWith: .success) {
        let snapshot = DIContainer.snapshot()
        Leaking.override()
        DIContainer.register(New(MockRouter() as any Router))
        DIContainer.restore(snapshot)
        await isolated("test") {
          DIContainer.register(New(MockRouter() as any Router))
          Leaking.override()
        }
        DIContainer.withCurrent(DIContainer()) { Leaking.override() }
      }
    }
  }

  @Test(
    "is one after a snapshot that is not restored, and so is a registration, although no test is isolated", .exitTest)
  func notRestored() async {
    let found = await issues {
      await #expect(processExitsWith: .success) {
        let outer = DIContainer.snapshot()
        Leaking.override()
        let inner = DIContainer.snapshot()
        DIContainer.restore(inner)
        _ = consume outer
        let snapshot = DIContainer.snapshot()
        TestRun.begin("a test")
        DIContainer.register(New(MockRouter() as any Router))
        _ = consume snapshot
      }
    }
    #expect(found.map(\.severity) == [.warning, .warning])
  }

  @Test(
    "is one when the snapshot is gone, or a class of tests ends that never restored it", .exitTest,
    arguments: [false, true])
  func isOneAgain(isKept: Bool) async {
    let found = await issues {
      await #expect(processExitsWith: .success) { [isKept] in
        var snapshot: DIContainer.Snapshot? = DIContainer.snapshot()
        Leaking.override()
        DIContainer.restore(snapshot!)
        Leaking.override()
        if isKept {
          Leaking.kept.withLock { [snapshot] in $0 = snapshot }
          TestRun.end()
        }
        snapshot = nil
      }
    }
    #expect(found.map(\.severity) == [.warning])
  }
}

private enum Leaking {
  static let kept = Locked<DIContainer.Snapshot?>(nil)

  static let line = #line + 3

  static func override() {
    DIContainer.override((any Router).self, with: MockRouter())
  }
}
