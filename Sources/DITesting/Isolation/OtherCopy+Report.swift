internal import DependencyInjection

private let isOtherCopyReported = Locked(false)

/// Fails the running test if there is another copy of the library in the process, once for all tests.
func reportOtherCopy(to framework: TestFramework) {
  let isReported = isOtherCopyReported.withLock { exchange(&$0, with: true) }
  if !isReported, let explanation = DIContainer.otherCopyExplanation { reportOtherCopy(explanation, to: framework) }
}

/// Fails the running test because there is another copy of the library in the process.
func reportOtherCopy(_ explanation: String, to framework: TestFramework) {
  report(
    "Tests may not see the registrations of the app: \(explanation).", at: FailureLocation(of: nil, or: .init()),
    to: framework)
}
