internal import DITesting
internal import DependencyInjection
internal import Testing

private protocol Service: AnyObject, Sendable {
  /// The wrappers, the outermost first, and the instance.
  var layers: [String] { get }
}

private final class Core: Service {
  let layers: [String]
  init(_ name: String = "core") { layers = [name] }
}

private final class Layer: Service {
  let name: String
  let inner: any Service
  init(_ name: String, _ inner: any Service) { (self.name, self.inner) = (name, inner) }
  var layers: [String] { [name] + inner.layers }
}

/// Returns a decorator that adds a layer.
private func decorated(_ name: String) -> Decorated {
  Decorated((any Service).self) { service, _ in Layer(name, service) }
}

/// Adds any number of layers.
private struct Layers: Registration {
  let names: [String]

  func add(to list: inout RegistrationList) {
    for name in names { list.add(decorated(name)) }
  }
}

extension DIContainer {
  fileprivate static let declared = Dependency<any Service>(.shared) { Core("declared") }
  fileprivate static let item = Dependency { (_: Resolver, id: String) in Core(id) as any Service }

  fileprivate var layers: [String] { resolve((any Service).self).layers }

  fileprivate static var layers: [String] { current.layers }
}

// What a decorator does is in `DecoratorTests`, which use the short form.
@Suite("Decorators as registrations")
struct DecoratedTests {
  let container = DIContainer()

  @Test("In a list, it wraps what the same list and others register, before it and after it")
  func list() {
    container.register {
      decorated("first")
      Shared(Core() as any Service)
      decorated("second")
    }
    #expect(container.layers == ["second", "first", "core"])
    container.register(decorated("third"))
    #expect(container.layers == ["third", "second", "first", "core"])
    container.register { New(Core("next") as any Service) }
    #expect(container.layers == ["third", "second", "first", "next"])
    #expect(container.resolve((any Service).self) !== container.resolve((any Service).self))
  }

  @Test("It is a part of modules, loops, conditions, and registrations of one's own", arguments: [false, true])
  func builders(isOn: Bool) {
    container.register {
      Module {
        decorated("module")
        Module(decorated("inner"))
      }
      for name in ["a", "b"] { decorated(name) }
      if isOn { decorated("on") }
      Layers(names: ["own", "outer"])
      Shared(Core() as any Service)
    }
    #expect(container.layers == ["outer", "own"] + (isOn ? ["on"] : []) + ["b", "a", "inner", "module", "core"])
    #expect(container.resolve((any Service).self) === container.resolve((any Service).self))
  }

  @Test("The same decorator again changes nothing, and an equal one is another")
  func again() {
    let module = Module {
      Shared(Core() as any Service)
      decorated("layer")
    }
    container.register(module)
    let service = container.resolve((any Service).self)
    container.register(module)
    container.register {
      Module { module }
      module
    }
    #expect(container.resolve((any Service).self) === service && service.layers == ["layer", "core"])
    container.register(decorated("layer"))
    #expect(container.layers == ["layer", "layer", "core"])
  }

  @Test("unregister and removeAll remove it, with and without what it wraps", arguments: [false, true], [false, true])
  func removed(isRegistered: Bool, isAll: Bool) {
    container.register {
      if isRegistered { Shared(Core("old") as any Service) }
      decorated("layer")
    }
    #expect(container.resolve((any Service)?.self)?.layers == (isRegistered ? ["layer", "old"] : nil))
    if isAll { container.removeAll() } else { container.unregister((any Service).self) }
    #expect(container.resolve((any Service)?.self) == nil)
    container.register(Shared(Core() as any Service))
    #expect(container.layers == ["core"])
  }

  @Test("It belongs to one name")
  func names() {
    container.register {
      Decorated((any Service).self, named: "replica") { service, _ in Layer("layer", service) }
      Shared(Core("plain") as any Service)
      Shared(Core("replica") as any Service, named: "replica")
    }
    #expect(container.layers == ["plain"])
    #expect(container.resolve((any Service).self, named: "replica").layers == ["layer", "replica"])
  }

  @Test("It resolves what it needs, and may throw")
  func resolver() throws {
    container.register {
      Shared(Core() as any Service)
      Decorated((any Service).self) { service, resolve in Layer(try resolve.tryResolve(String.self), service) }
    }
    let error = try #require(failure { try container.tryResolve((any Service).self) })
    #expect(error.code == .missingRegistration && error.path == ["Service", "String"])
    container.register(Shared("text"))
    #expect(container.layers == ["text", "core"])
  }

  @Test("An asynchronous one makes the whole asynchronous, and wraps once")
  func asynchronous() async throws {
    let calls = CallCounter()
    container.register {
      Shared(Core() as any Service)
      Decorated((any Service).self) { service, _ in
        calls.call()
        await Task.yield()
        return Layer("async", service)
      }
      decorated("outer")
    }
    #expect(failure { try container.tryResolve((any Service).self) }?.code == .asynchronous)
    let service = try await container.resolveAsync((any Service).self)
    #expect(service.layers == ["outer", "async", "core"])
    #expect(container.resolve((any Service).self) === service && calls.count == 1)
  }

  @Test("One that is isolated to an actor is called there")
  func isolated() async throws {
    container.register {
      Shared(Core() as any Service)
      Decorated((any Service).self) { @MainActor service, _ in
        MainActor.assertIsolated()
        return Layer("main", service)
      }
    }
    let container = container
    #expect(onAnotherThread { failure { try container.tryResolve((any Service).self) }?.code } == .wrongActor)
    #expect(try await container.resolveAsync((any Service).self).layers == ["main", "core"])
  }

  @Test("It wraps a declared dependency, an override of it, and one with arguments")
  func declared() {
    DIContainer.withCurrent(container) {
      DIContainer.register {
        Decorated(DIContainer.declared) { service, _ in Layer("layer", service) }
        Decorated(DIContainer.item) { item, _ in Layer("item", item) }
      }
      #expect(DIContainer.declared().layers == ["layer", "declared"])
      #expect(DIContainer.declared() === DIContainer.declared())
      #expect(DIContainer.item("42").layers == ["item", "42"])
      DIContainer.register { DIContainer.declared.overridden { Core("other") } }
      #expect(DIContainer.declared().layers == ["layer", "other"])
      DIContainer.declared.unregister()
      #expect(DIContainer.declared().layers == ["declared"])
      #expect(DIContainer.resolve((any Service)?.self) == nil)
    }
  }

  @Test("In a child, it makes a wrapper of the child's around the instance that the parent keeps")
  func child() {
    container.register {
      Shared(Core() as any Service)
      decorated("app")
    }
    let child = DIContainer(parent: container)
    let module = Module { decorated("child") }
    child.register(module)
    let service = child.resolve((any Service).self)
    #expect(service.layers == ["child", "app", "core"])
    #expect((service as? Layer)?.inner === container.resolve((any Service).self))
    #expect(DIContainer(parent: child).resolve((any Service).self) === service)
    // The same module wraps for each child that has it.
    let other = DIContainer(parent: container)
    other.register(module)
    #expect(other.layers == ["child", "app", "core"] && other.resolve((any Service).self) !== service)
    #expect(container.layers == ["app", "core"])
  }

  // MARK: Copies

  @Test("Among overrides, it wraps what the copy has, and what they put in its place")
  func overrides() {
    container.register {
      Shared(Core() as any Service)
      decorated("app")
    }
    let service = container.resolve((any Service).self)
    DIContainer.withCurrent(container) {
      DIContainer.withOverrides {
        decorated("copy")
      } perform: {
        #expect(DIContainer.layers == ["copy", "app", "core"])
        #expect((DIContainer.resolve((any Service).self) as? Layer)?.inner !== service)
      }
      DIContainer.withOverrides {
        Shared(Core("mock") as any Service)
        decorated("copy")
      } perform: {
        #expect(DIContainer.layers == ["copy", "mock"])
        DIContainer.register(decorated("inside"))
        #expect(DIContainer.layers == ["inside", "copy", "mock"])
      }
    }
    #expect(container.resolve((any Service).self) === service && service.layers == ["app", "core"])
  }

  @Test(
    "In a trait, it wraps what the test's container has, and so it does in the copies inside",
    .isolatedContainer(.empty) {
      Shared(Core() as any Service)
      decorated("trait")
    })
  func trait() {
    let service = DIContainer.resolve((any Service).self)
    #expect(service.layers == ["trait", "core"])
    withIsolatedContainer {
      decorated("inner")
    } perform: {
      #expect(DIContainer.layers == ["inner", "trait", "core"])
    }
    #expect(DIContainer.resolve((any Service).self) === service)
  }

  @Test(
    "An override of a test takes the place of decorators, and may be one",
    .isolatedContainer(.empty) {
      Shared(Core() as any Service)
      decorated("trait")
    })
  func overrideOfTest() {
    #expect(DIContainer.layers == ["trait", "core"])
    DIContainer.override { decorated("override") }
    #expect(DIContainer.layers == ["override", "trait", "core"])
    DIContainer.override { New(Core("mock") as any Service) }
    #expect(DIContainer.layers == ["mock"])
    DIContainer.override {
      New(Core("other") as any Service)
      decorated("override")
    }
    #expect(DIContainer.layers == ["override", "other"])
  }

  // MARK: Looking at it

  @Test("registrations names the place of each")
  func listing() {
    container.register {
      Decorated((any Service).self) { service, _ in Layer("layer", service) }
      Shared(Core() as any Service)
    }
    let places = [place(#line - 3)]
    #expect(container.registrations.map { $0.decorators.map(\.description) } == [places])
  }

  @Test("It is no duplicate of what it wraps, nor of another one")
  func strict() async {
    await #expect(processExitsWith: .success) {
      let container = DIContainer()
      container.rejectsDuplicates = true
      container.register {
        decorated("first")
        Shared(Core() as any Service)
        decorated("second")
      }
      container.register(decorated("third"))
      precondition(container.layers == ["third", "second", "first", "core"])
    }
  }

  @Test("In a list of overrides, it wraps the override, whichever comes first")
  func overrideList() {
    container.register {
      decorated("replaced")
      Shared(Core() as any Service)
    }
    DIContainer.withCurrent(container) {
      for isFirst in [true, false] {
        DIContainer.withOverrides {
          if isFirst { decorated("layer") }
          New(Core() as any Service)
          if !isFirst { decorated("layer") }
        } perform: {
          #expect(DIContainer.current.layers == ["layer", "core"])
        }
      }
    }
  }
}
