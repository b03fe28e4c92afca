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
    }
    #expect(container.resolve((any Service).self) === service && service.layers == ["app", "core"])
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
