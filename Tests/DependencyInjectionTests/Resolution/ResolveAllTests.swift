internal import DependencyInjection
internal import Testing

private protocol Plugin { var name: String { get } }

private struct Named: Plugin { let name: String }

extension DIContainer {
  fileprivate static let plugin = Dependency<any Plugin>(.shared) { Named(name: "declared") }
}

struct ResolveAllTests {
  let container = DIContainer()

  @Test("All names and the one without are resolved in order of registration, and the first that fails is the error")
  func order() throws {
    #expect(container.resolveAll((any Plugin).self).isEmpty)
    container.register {
      New(Named(name: "b") as any Plugin, named: "b")
      Shared(RouterImpl() as any Router)
      Shared(Named(name: "none") as any Plugin)
      New({ resolve in Named(name: "a") }, as: (any Plugin).self, Named.self, named: "a")
    }
    #expect(container.resolveAll((any Plugin).self).map(\.name) == ["b", "none", "a"])
    container.register(New(Named(name: "new b") as any Plugin, named: "b"))
    container.unregister((any Plugin).self)
    let all: [any Plugin] = container.resolveAll()
    #expect(all.map(\.name) == ["new b", "a"] && container.resolveAll(Named.self).count == 1)
    #expect(container.resolveAll((any Plugin)?.self).map { $0?.name } == ["new b", "a"])
    // A declared dependency is none of them.
    _ = DIContainer.plugin(from: container)
    container.register(New { resolve in resolve.resolveAll((any Plugin).self).map(\.name) })
    #expect(container.resolve([String].self) == ["new b", "a"])
    // tryResolveAll throws the error of the first registration that fails, from a factory, too.
    do {
      let container = DIContainer()
      struct Failure: Error {}
      #expect(try container.tryResolveAll((any Plugin).self).isEmpty)
      container.register {
        New(Named(name: "a") as any Plugin, named: "a")
        New({ () throws -> any Plugin in throw Failure() }, named: "b")
        New { resolve in try resolve.tryResolveAll((any Plugin).self).map(\.name) }
      }
      #expect(
        failure { try container.tryResolveAll((any Plugin).self) }?.brief == "factoryFailed: Plugin (b)"
          && failure { try container.tryResolve([String].self) }?.path == ["Array<String>", "Plugin (b)"])
      container.unregister((any Plugin).self, named: "b")
      #expect(
        try container.tryResolve([String].self) == ["a"]
          && DIContainer.withCurrent(container) { try DIContainer.tryResolveAll((any Plugin).self).count } == 1)
    }
  }

  @Test("A child's registrations follow its ancestors', shadow them in place, and are seen by what is built for it")
  func parents() {
    container.register {
      New(Named(name: "1") as any Plugin, named: "1")
      New(Named(name: "2") as any Plugin, named: "2")
    }
    let child = DIContainer(parent: container)
    child.register {
      New(Named(name: "3") as any Plugin, named: "3")
      New(Named(name: "mock 1") as any Plugin, named: "1")
    }
    #expect(child.resolveAll((any Plugin).self).map(\.name) == ["mock 1", "2", "3"])
    DIContainer.withCurrent(child) {
      #expect(DIContainer.resolveAll((any Plugin).self).map(\.name) == ["mock 1", "2", "3"])
      DIContainer.withOverrides {
        New(Named(name: "override 2") as any Plugin, named: "2")
      } perform: {
        #expect(DIContainer.resolveAll((any Plugin).self).map(\.name) == ["mock 1", "override 2", "3"])
      }
    }
    // A name that a child adds is seen by what is built for the child, and not by what the parent keeps.
    do {
      let container = DIContainer()
      final class Host: Sendable {
        let names: [String]
        init(_ plugins: [any Plugin]) { names = plugins.map(\.name) }
      }
      container.register {
        New(Named(name: "1") as any Plugin, named: "1")
        Shared { Host($0.resolveAll()) }
        New({ Host($0.resolveAll()) }, named: "new")
      }
      let child = DIContainer(parent: container)
      child.register(New(Named(name: "2") as any Plugin, named: "2"))
      #expect(
        child.resolve(Host.self, named: "new").names == ["1", "2"] && child.resolve(Host.self).names == ["1"]
          && child.resolve(Host.self) === container.resolve(Host.self))
      child.register(New(Named(name: "3") as any Plugin))
      #expect(child.resolve(Host.self, named: "new").names == ["1", "2", "3"])
      child.unregister((any Plugin).self, named: "2")
      child.unregister((any Plugin).self)
      #expect(
        [child.resolve(Host.self, named: "new").names, container.resolve(Host.self, named: "new").names] == [
          ["1"], ["1"],
        ])
    }
  }
}
