#if canImport(XCTest)
  internal import DependencyInjection
  public import XCTest

  extension XCTestCase {
    /// Restores the registrations and instances of the current container when the test is over, after its `tearDown`.
    ///
    /// Use it in classes that cannot inherit from ``DITestCase``:
    ///
    /// ```swift
    /// override func setUp() {
    ///   restoreRegistrationsAfterTest()
    /// }
    /// ```
    ///
    /// The current container stays current, so code on every thread sees the test's overrides. Such tests must not run
    /// at the same time. The instances of the container stay, too; `DIContainer.reset()` drops them for the rest of the
    /// test. Resolutions are recorded from this call to the end of `tearDown`, including those from containers that are
    /// created in between.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - file: The caller's file.
    ///   - line: The caller's line.
    public func restoreRegistrationsAfterTest(
      fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line
    ) {
      let container = DIContainer.current
      // Not at the first change, because that may be an override, which causes no warning in this test.
      SharedContainer.keepBaseline()
      let snapshot = container.snapshot()
      reportOtherCopy(to: .xctest)
      guard container.recorder == nil else { return TestRun.atEndOfTest { container.restore(snapshot) } }
      let test = IsolatedTest(name, in: .xctest, at: FailureLocation(fileID, file, line, 1))
      let recorder = ResolutionRecorder(for: test, in: container)
      container.addObserver(recorder)
      TestRun.atEndOfTest {
        container.removeObserver(recorder)
        container.restore(snapshot)
        recorder.end()
      }
    }
  }
#endif
