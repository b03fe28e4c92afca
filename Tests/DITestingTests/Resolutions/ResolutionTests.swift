@testable import DITesting
import DependencyInjection
import Testing

@Suite("A recorded resolve", .isolatedContainer(.empty) { appRegistrations })
struct ResolutionTests {
  @Test("tells the path, the place, and whether it created the instance")
  func tells() throws {
    let line: UInt = #line + 1
    _ = DIContainer.resolve(HomeViewModel.self)
    _ = DIContainer.resolve((any Router).self)
    let resolutions = DIContainer.resolutions(of: (any Router).self)
    try #require(resolutions.count == 2)
    #expect(ObjectIdentifier(resolutions[0].type) == ObjectIdentifier((any Router).self))
    #expect(resolutions[0].path == ["HomeViewModel", "Router"])
    #expect("\(resolutions[0].location)" == "DITestingTests/Fixtures.swift:\(lineOfRegistrations + 3)")
    #expect(resolutions.map(\.isCreated) == [true, false])
    #expect(resolutions[1].pathAndPlace == "Router (DITestingTests/ResolutionTests.swift:\(line + 1))")
    #expect("\(resolutions[1])".hasPrefix("\(resolutions[1].pathAndPlace), reused in "))
  }

  @Test("tells the task or the thread that asked")
  func caller() async throws {
    _ = DIContainer.resolve((any Router).self)
    await Task { _ = DIContainer.resolve((any Router).self) }.value
    _ = DIContainer.resolve((any Router).self)
    let callers = DIContainer.resolutions(of: (any Router).self).map(\.caller)
    try #require(callers.count == 3)
    #expect(callers[0] == callers[2])
    #expect(callers[0] != callers[1])
    for caller in callers {
      guard case .task = caller else {
        Issue.record("\(caller) is no task")
        return
      }
    }
  }

  @Test("is one for what injected properties, optionals and lazy properties ask for")
  func counted() {
    struct Screen {
      @LazyInject var router: any Router
      @Inject var analytics: (any Analytics)?
      @Inject var missing: Int?
    }
    let screen = Screen()
    #expect(DIContainer.resolveCount(of: (any Router).self) == 0)
    #expect(screen.router === screen.router)
    #expect(DIContainer.resolveCount(of: (any Router).self) == 1)
    #expect(DIContainer.resolveCount(of: (any Analytics).self) == 1)
    #expect(DIContainer.resolveCount(of: Int.self) == 0)
  }
}
