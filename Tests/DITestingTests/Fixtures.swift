import DITesting
import DependencyInjection

protocol Router: AnyObject { var name: String { get } }

final class RouterImpl: Router {
  let name = "real"
}

final class MockRouter: Router {
  let name: String
  var opened = 0

  init(_ name: String = "mock") { self.name = name }
}

protocol Analytics {}

struct AnalyticsImpl: Analytics {}

final class HomeViewModel {
  let router: any Router

  init(router: any Router) { self.router = router }
}

final class ProfileViewModel {
  @Inject var router: any Router
}

/// A service that keeps what it was built with.
final class Service {
  let router: any Router

  init(router: any Router) { self.router = router }
}

/// The line on which the following registrations begin.
let lineOfRegistrations: UInt = #line + 3

/// Registrations as an app would make them.
let appRegistrations = Module {
  Shared(RouterImpl() as any Router)
  Shared(AnalyticsImpl() as any Analytics)
  New { resolve in HomeViewModel(router: resolve()) }
  New(ProfileViewModel())
}

extension DependencyName {
  static let spare: Self = "spare"
}

extension Scope {
  static let visit = Scope("visit")
}
