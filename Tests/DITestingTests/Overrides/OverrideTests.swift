import DITesting
import DependencyInjection
import Testing

@Suite("An override", .isolatedContainer(.empty) { appRegistrations })
struct OverrideTests {
  @Test("with a value hands that value to everybody, and the test goes on using it")
  func value() {
    let mock = MockRouter()
    DIContainer.override((any Router).self, with: mock)
    mock.opened += 1
    #expect(DIContainer.resolve((any Router).self) === mock)
    #expect(DIContainer.resolve(HomeViewModel.self).router === mock)
    #expect(DIContainer.resolve(ProfileViewModel.self).router === mock)
  }

  @Test("with registrations replaces those of the same types")
  func registrations() {
    DIContainer.override { New(MockRouter() as any Router) }
    #expect(DIContainer.resolve((any Router).self) !== DIContainer.resolve((any Router).self))
    #expect(DIContainer.resolve((any Router).self).name == "mock")
  }

  @Test("reaches what was resolved before it")
  func replacesInstances() {
    let before = DIContainer.resolve((any Router).self)
    DIContainer.override((any Router).self, with: MockRouter())
    #expect(DIContainer.resolve((any Router).self) !== before)
  }

  @Test("of one alias leaves the registrations of the others, whose instance is created anew")
  func oneAlias() {
    let container = DIContainer()
    container.register(Shared(RouterImpl(), as: (any Router).self, RouterImpl.self))
    let real = container.resolve(RouterImpl.self)
    container.override((any Router).self, with: MockRouter())
    #expect(container.resolve((any Router).self).name == "mock")
    #expect(container.resolve(RouterImpl.self) !== real)
    #expect(container.resolve(RouterImpl.self) === container.resolve(RouterImpl.self))
  }
}
