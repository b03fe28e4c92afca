import DITesting
import DependencyInjection
import Testing

@Suite(.isolatedContainer(.empty) { appRegistrations })
struct OverrideTests {
  @Test("with a value hands that value to everybody, and with registrations replaces those of the same types")
  func value() {
    do {
      let mock = MockRouter()
      DIContainer.override((any Router).self, with: mock)
      mock.opened += 1
      #expect(
        DIContainer.resolve((any Router).self) === mock && DIContainer.resolve(HomeViewModel.self).router === mock
          && DIContainer.resolve(ProfileViewModel.self).router === mock)
    }
    DIContainer.override { New(MockRouter() as any Router) }
    #expect(
      DIContainer.resolve((any Router).self) !== DIContainer.resolve((any Router).self)
        && DIContainer.resolve((any Router).self).name == "mock")
  }
}
