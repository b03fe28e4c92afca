@testable import DITesting
import DependencyInjection
import Testing

// In processes of their own, because they change the shared container.
@Suite(.exitTest, .expectingIssues)
struct OverrideLeakTests {
  private func text(at line: UInt, inXCTest: Bool = false) -> String {
    """
    'Router' was overridden in the shared container during a test, and nothing restores it: tests that are \
    not isolated see the change.
      changed at DITestingTests/OverrideLeakTests.swift:\(line)
      note       isolate the test with \
    \(inXCTest ? "`DITestCase`, or take a snapshot first and restore it" : "`.isolatedContainer`, or in XCTest with `DITestCase`")
    """
  }

  @Test(
    "is a warning, once for each location, if nothing undoes it, but not in a container of a test or of one's own")
  func isReported() async {
    let found = await issues {
      await #expect(processExitsWith: .success) {
        let other = DIContainer()
        let snapshotOfOther = other.snapshot()
        for _ in 0..<3 { Leaking.override(line: 1) }
        other.restore(snapshotOfOther)
        precondition(DIContainer.resolve((any Router).self).name == "mock")
        DIContainer.override { Unexpected((any Router).self, file: "Module/File.swift", line: 2) }
        do {
          let snapshot = DIContainer.snapshot()
          Leaking.override(line: 3)
          _ = DIContainer.snapshot()
          DIContainer.register(New(MockRouter() as any Router))
          DIContainer.restore(snapshot)
          await isolated("test") {
            DIContainer.register(New(MockRouter() as any Router))
            Leaking.override(line: 4)
          }
          DIContainer.withCurrent(DIContainer()) { Leaking.override(line: 5) }
        }
        Leaking.overrideAgain(line: 6, isKept: true)
      }
    }
    let unexpected = text(at: 2).replacing("DITestingTests/OverrideLeakTests", with: "Module/File")
    #expect(
      (found.map(\.text), found.map(\.severity)) == (
        [text(at: 1), unexpected, text(at: 6)], [.warning, .warning, .warning]
      ))
  }

  @Test("is one after a snapshot that is not restored or gone, and so is a registration, although no test is isolated")
  func notRestored() async {
    let found = await issues {
      await #expect(processExitsWith: .success) {
        do {
          let outer = DIContainer.snapshot()
          Leaking.override(line: 1)
          let inner = DIContainer.snapshot()
          DIContainer.restore(inner)
          _ = consume outer
          let snapshot = DIContainer.snapshot()
          TestRun.begin("a test")
          DIContainer.register(New(MockRouter() as any Router, line: 2))
          _ = consume snapshot
        }
        Leaking.overrideAgain(line: 3, isKept: false)
        precondition(TestRun.isRunning)
        TestRun.end()
        precondition(!TestRun.isRunning)
      }
    }
    let registration = text(at: 2, inXCTest: true).replacing("overridden in", with: "registered in")
    #expect(
      (found.map(\.text), found.map(\.severity)) == (
        [text(at: 1), registration, text(at: 3, inXCTest: true)], [.warning, .warning, .warning]
      ))
  }

  @Test("says where an isolated test overrides, if its container is not current there", .isolatedContainer)
  func isolatedTest() async {
    let notCurrent = "the container of the test is not current here: list the registration in"
    let found = await issues {
      await #expect(processExitsWith: .success) {
        TestRun.begin("a test", isIsolated: true)
        Leaking.override(line: 1)
        TestRun.endTest()
        Leaking.override(line: 2)
        TestRun.begin("a test of another class")
        Leaking.override(line: 3)
      }
    }
    #expect(
      found.map { $0.text.split(separator: "note       ").last } == [
        "\(notCurrent) `registrations`, or override in `setUp`",
        "`class func setUp` runs before the containers of the tests exist: override in `setUp`, or register in `registrations`",
        "isolate the test with `DITestCase`, or take a snapshot first and restore it",
      ])
    // The trait of this test.
    #expect(SharedContainer.advice == "\(notCurrent) the closure of `.isolatedContainer`, or override in the test")
  }

  @Test("makes nothing unexpected in isolated tests")
  func isNotInherited() async {
    let found = await issues {
      await #expect(processExitsWith: .success) {
        DIContainer.shared.register(New(MockRouter() as any Router))
        DIContainer.shared.override { Unexpected((any Router).self) }
        withIsolatedContainer { _ = DIContainer.resolve((any Router).self) }
      }
    }
    #expect(found.map { $0.text.hasPrefix("'Router' was overridden in the shared container during a test") } == [true])
  }
}

private enum Leaking {
  static let kept = Locked<DIContainer.Snapshot?>(nil)

  /// Overrides a type.
  ///
  /// Each line is reported once, and those of an exit test are all the same, so each call has its own.
  static func override(line: UInt) { DIContainer.override((any Router).self, with: MockRouter(), line: line) }

  /// Overrides at a line, restores a snapshot, and overrides there again; then the snapshot goes, or a class of tests ends
  /// that never restored it.
  static func overrideAgain(line: UInt, isKept: Bool) {
    var snapshot: DIContainer.Snapshot? = DIContainer.snapshot()
    override(line: line)
    DIContainer.restore(snapshot!)
    override(line: line)
    if isKept {
      kept.withLock { [snapshot] in $0 = snapshot }
      TestRun.end()
    }
    snapshot = nil
  }
}
