import DITesting
import DependencyInjection
import Testing

// What the articles on migration say of two libraries in one app, with stand-ins for the other library.

enum SideBySide {
  /// A stand-in for the container of another library: it creates what it is told, and can be told otherwise.
  final class Container: @unchecked Sendable {
    static let shared = Container()
    private var makeAPI: () -> API = { LiveAPI() }

    func api() -> API { makeAPI() }

    func register(_ make: @escaping () -> API) { makeAPI = make }
  }
}

@Suite(.serialized)
struct SideBySideSnippets {
  private typealias Container = SideBySide.Container

  @Test("this one asks the other, and the other way around")
  func forward() {
    // This one asks the other.
    withIsolatedContainer(.empty) {
      // snippet: side-by-side-forward
      DIContainer.register {
        New(Container.shared.api() as API)  // the other library still creates it
        New { resolve in ServiceImpl(api: resolve()) as Service }  // moved
      }
      // end
      #expect(DIContainer.resolve(Service.self).name == "with LiveAPI")
      let declared = Dependency<API> { Container.shared.api() }
      #expect(declared() is LiveAPI)
    }
    // The other one asks this.
    withIsolatedContainer(.empty) {
      DIContainer.register(Shared(MockAPI() as API))
      // snippet: side-by-side-backward
      Container.shared.register { DIContainer.resolve(API.self) }  // moved; the other library passes it on
      // end
      #expect(Container.shared.api() is MockAPI)
      Container.shared.register { LiveAPI() }
    }
  }
}
