@testable import DITesting
import DependencyInjection
import Testing

@Suite(.isolatedContainer(.empty) { appRegistrations })
struct ResolutionTests {
  @Test("has the path, the location, and whether it created the instance, and includes the requests of properties")
  func tells() throws {
    let line: UInt = #line + 1
    _ = DIContainer.resolve(HomeViewModel.self)
    _ = DIContainer.resolve((any Router).self)
    let resolutions = DIContainer.resolutions(of: (any Router).self)
    try #require(resolutions.count == 2)
    #expect(
      (
        ObjectIdentifier(resolutions[0].type), resolutions[0].path, "\(resolutions[0].location)",
        resolutions.map(\.isCreated)
      ) == (
        ObjectIdentifier((any Router).self), ["HomeViewModel", "Router"],
        "DITestingTests/Fixtures.swift:\(lineOfRegistrations + 3)", [true, false]
      ))
    #expect(resolutions[1].pathAndPlace == "Router (DITestingTests/ResolutionTests.swift:\(line + 1))")
    #expect("\(resolutions[1])".hasPrefix("\(resolutions[1].pathAndPlace), reused in "))
    anew {
      struct Screen {
        @LazyInject var router: any Router
        @Inject var analytics: (any Analytics)?
        @Inject var missing: Int?
      }
      let screen = Screen()
      #expect(DIContainer.resolveCount(of: (any Router).self) == 0)
      #expect(screen.router === screen.router)
      #expect(
        (
          DIContainer.resolveCount(of: (any Router).self), DIContainer.resolveCount(of: (any Analytics).self),
          DIContainer.resolveCount(of: Int.self)
        ) == (1, 1, 0))
    }
  }
}
