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

  @Test("with an object hands it to every thread, although a conformance is isolated to the actor of the test")
  @MainActor
  func isolatedConformances() async {
    let mock = IsolatedMock()
    DIContainer.override((any Titled).self, with: mock)
    DIContainer.override((any Numbered).self, with: mock)
    DIContainer.override((any Document).self, with: mock)
    await Task { @concurrent in
      let objects: [AnyObject?] = [
        DIContainer.resolve((any Titled).self) as AnyObject, DIContainer.resolve((any Numbered).self),
        DIContainer.resolve((any Document).self) as AnyObject,
      ]
      #expect(objects.allSatisfy { $0.map(ObjectIdentifier.init) == ObjectIdentifier(mock) })
    }.value
  }
}

private protocol Titled {}

private protocol Numbered: AnyObject {}

private protocol Dated {}

private protocol Signed {}

private typealias Document = Dated & Numbered & Signed & Titled

@MainActor
private final class IsolatedMock: @MainActor Titled, @MainActor Numbered, @MainActor Dated, @MainActor Signed {}
