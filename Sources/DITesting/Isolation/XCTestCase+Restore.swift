#if canImport(XCTest)
  internal import DependencyInjection
  public import XCTest

  extension XCTestCase {
    /// Puts the registrations and instances of the current container back when the test is over.
    ///
    /// For classes that cannot inherit from ``DITestCase``:
    ///
    /// ```swift
    /// override func setUp() {
    ///   restoreRegistrationsAfterTest()
    /// }
    /// ```
    ///
    /// What was current stays current, so code that runs anywhere sees what the test overrides, and tests must not run
    /// at the same time. The instances that exist stay too; `DIContainer.reset()` drops them until
    /// they are put back. From here to the end of the test, resolves are recorded.
    public func restoreRegistrationsAfterTest() {
      let container = DIContainer.current
      let snapshot = container.snapshot()
      reportOtherCopy(to: .xctest)
      guard container.recorder == nil else {
        return addTeardownBlock { container.restore(snapshot) }
      }
      let recorder = ResolutionRecorder(for: name, in: .xctest)
      container.addObserver(recorder)
      addTeardownBlock {
        container.removeObserver(recorder)
        container.restore(snapshot)
      }
    }
  }
#endif
