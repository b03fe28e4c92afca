@testable import DITesting
import DependencyInjection
import Testing

private enum Missing {
  static let line = #line + 3

  static func resolve() {
    _ = DIContainer.resolve(Int.self)
  }
}

@Suite("A registration that is missing in a test")
struct MissingRegistrationTests {
  @Test("is an issue at the caller, with the path, before the process ends")
  func isReported() async {
    let places = Locked<[String]>([])
    await withKnownIssue {
      await #expect(processExitsWith: .failure) {
        await isolated("incomplete test") {
          DIContainer.register(
            New { _ in
              Missing.resolve()
              return HomeViewModel(router: RouterImpl())
            })
          _ = DIContainer.resolve(HomeViewModel.self)
        }
      }
    } matching: { issue in
      places.withLock { places in
        places.append("\(issue.sourceLocation?.fileID ?? ""):\(issue.sourceLocation?.line ?? 0)")
      }
      return issue.comments.first?.rawValue
        == """
        No registration for 'Int'.
          resolving  HomeViewModel → Int
          asked at   DITestingTests/MissingRegistrationTests.swift:\(Missing.line)
        """
    }
    #expect(places.withLock { $0 } == ["DITestingTests/MissingRegistrationTests.swift:\(Missing.line)"])
  }

  @Test("is an issue inside of withOverrides, too")
  func isReportedInCopy() async {
    await expectFailures(
      """
      No registration for 'Int'.
        resolving  Int
        asked at   DITestingTests/MissingRegistrationTests.swift:\(Missing.line)
      """
    ) {
      await #expect(processExitsWith: .failure) {
        await isolated("incomplete test") {
          DIContainer.withOverrides {
            New(MockRouter() as any Router)
          } perform: {
            Missing.resolve()
          }
        }
      }
    }
  }

  @Test("is none for who can do without")
  func canBeDoneWithout() async {
    await isolated("test") {
      #expect(DIContainer.resolve(Int?.self) == nil)
      #expect(throws: ResolutionError.self) { try DIContainer.tryResolve(Int.self) }
    }
  }
}
