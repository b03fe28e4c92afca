@testable import DITesting
@testable import DependencyInjection
import Testing

// Two copies in one process are the business of `.ci/run linking`, with the program in Tests/TwoCopies.
@Suite(.expectingIssues)
struct OtherCopyTests {
  @Test("is a failure of the first test that finds it, and not found where there is none")
  func isReported() {
    #expect(DIContainer.otherCopyExplanation == nil)
    expectFailure(
      "Tests may not see the registrations of the app: there are two."
    ) {
      reportOtherCopy("there are two", to: .swiftTesting)
    }
  }
}
