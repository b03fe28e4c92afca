import DependencyInjection
import Testing

#if canImport(SwiftUI)
  @testable import DISwiftUI
#else
  @testable import SwiftUIStandIns
#endif

private protocol Greeter: AnyObject, Sendable { var name: String { get } }
private final class Named: Greeter {
  let name: String
  init(_ name: String) { self.name = name }
}

extension DIContainer {
  fileprivate static let declaredNumber = Dependency { 3 }
}

private final class Holder: Sendable {
  let greeter: any Greeter
  init(_ greeter: any Greeter) { self.greeter = greeter }
}

@MainActor
struct PreviewDependenciesTests {
  private let container = DIContainer()
  private let previews: PreviewContainer

  init() {
    container.register {
      Shared(Named("app") as any Greeter)
      New(1)
      Shared { resolve in Holder(resolve()) }
    }
    previews = PreviewContainer(container)
  }

  private var name: String? { container.resolve((any Greeter)?.self)?.name }

  private func preview(
    _ origin: PreviewOrigin = .registrations, @RegistrationBuilder _ registrations: @escaping () -> RegistrationList
  ) -> PreviewDependencies { PreviewDependencies(origin, registrations) }

  @Test("The next preview starts from what the app registers, with new instances, and releases the old ones")
  func next() {
    do {
      previews.enter(preview { New(1) })
      let instance = container.resolve((any Greeter).self)
      previews.enter(preview { New(Named("preview") as any Greeter) })
      previews.enter(preview { New(2) })
      #expect(name == "app" && container.resolve(Int.self) == 2 && container.resolve((any Greeter).self) !== instance)
    }
    do {
      let container = DIContainer()
      container.register(Shared(Named("app")))
      weak let instance = container.resolve(Named.self)
      let previews = PreviewContainer(container)
      defer { withExtendedLifetime(previews) {} }
      previews.enter(preview {})
      #expect(instance == nil && container.resolve(Named.self).name == "app")
    }
  }

  @Test("A preview that is entered again when its body is evaluated again keeps its instances")
  func again() {
    let first = preview { Shared(Named("preview") as any Greeter) }
    previews.enter(first)
    let instance = container.resolve((any Greeter).self)
    previews.enter(first)
    #expect(container.resolve((any Greeter).self) === instance)
    previews.enter(preview {})
    previews.enter(first)
    #expect(name == "preview" && container.resolve((any Greeter).self) !== instance)
  }

  @Test("An empty preview has nothing of the app but declared factories, and what a closure resolves is not kept")
  func empty() {
    #expect(DIContainer.declaredNumber(from: container) == 3)
    previews.enter(preview(.empty) { New(2) })
    #expect(name == nil && container.resolve(Int.self) == 2 && DIContainer.declaredNumber(from: container) == 3)
    previews.enter(preview {})
    #expect(name == "app" && container.resolve(Int.self) == 1)
    previews.enter(
      preview {
        let live = container.resolve(Holder.self).greeter.name
        New(Named("mock of \(live)") as any Greeter)
      })
    #expect(container.resolve(Holder.self).greeter.name == "mock of app")
  }
}
