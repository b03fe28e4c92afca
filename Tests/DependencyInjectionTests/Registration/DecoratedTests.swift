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
struct DecoratedTests {
  let container = DIContainer()

  @Test("In lists, modules and loops, a decorator wraps what the same list and others register, until it is removed")
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
    #expect(
      container.layers == ["third", "second", "first", "next"]
        && container.resolve((any Service).self) !== container.resolve((any Service).self))
    // It is a part of modules, loops, conditions, and registrations of one's own.
    for isOn in [false, true] {
      let container = DIContainer()
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
      #expect(
        container.layers == ["outer", "own"] + (isOn ? ["on"] : []) + ["b", "a", "inner", "module", "core"]
          && container.resolve((any Service).self) === container.resolve((any Service).self))
    }
    // The same decorator again changes nothing, and an equal one is another.
    do {
      let container = DIContainer()
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
    // unregister and removeAll remove it, with and without what it wraps.
    for (isRegistered, isAll) in [(false, false), (false, true), (true, false), (true, true)] {
      let container = DIContainer()
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
  }

  @Test(
    "A decorator that is asynchronous or isolated makes the whole registration so, and is called once, on its actor")
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
    #expect(
      service.layers == ["outer", "async", "core"] && container.resolve((any Service).self) === service
        && calls.count == 1)
    // One that is isolated to an actor is called there.
    do {
      let container = DIContainer()
      container.register {
        Shared(Core() as any Service)
        Decorated((any Service).self) { @MainActor service, _ in
          MainActor.assertIsolated()
          return Layer("main", service)
        }
      }
      #expect(onAnotherThread { failure { try container.tryResolve((any Service).self) }?.code } == .wrongActor)
      #expect(try await container.resolveAsync((any Service).self).layers == ["main", "core"])
    }
  }

  // MARK: Copies

  @Test("Among overrides, a decorator wraps what the copy has, and what they put in its place, whichever comes first")
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
        #expect(
          DIContainer.layers == ["copy", "app", "core"]
            && (DIContainer.resolve((any Service).self) as? Layer)?.inner !== service)
      }
    }
    #expect(container.resolve((any Service).self) === service && service.layers == ["app", "core"])
    // In a copy of a child, a decorator of the child wraps what the copy of the parent has.
    let child = DIContainer(parent: container)
    child.register(decorated("child"))
    DIContainer.withCurrent(child) {
      DIContainer.withOverrides {
        decorated("copy")
      } perform: {
        #expect(DIContainer.layers == ["child", "copy", "app", "core"])
      }
    }
    // In a list of overrides, it wraps the override, whichever comes first.
    do {
      let container = DIContainer()
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

  @Test("Each form of a decorator has its name and its location")
  func locations() {
    let form: DependencyName = "form"
    let service = Dependency<Core> { Core() }
    let named: [() -> Void] = [
      { DIContainer.register(Decorated(Core.self, named: form, line: 1) { core, _ in core }) },
      { DIContainer.register(Decorated(Core.self, named: form, line: 2) { core, _ async in core }) },
      { DIContainer.current.decorate(Core.self, named: form, line: 3) { core, _ in core } },
      { DIContainer.current.decorate(Core.self, named: form, line: 4) { core, _ async in core } },
      { DIContainer.decorate(Core.self, named: form, line: 5) { core, _ in core } },
      { DIContainer.decorate(Core.self, named: form, line: 6) { core, _ async in core } },
    ]
    let declared: [() -> Void] = [
      { DIContainer.register(Decorated(service, line: 7) { core, _ in core }) },
      { DIContainer.register(Decorated(service, line: 8) { core, _ async in core }) },
      { service.decorate(line: 9) { core, _ in core } },
      { service.decorate(line: 10) { core, _ async in core } },
    ]
    for (number, decorate) in zip(1..., named + declared) {
      let container = DIContainer()
      container.register(number < 7 ? Module(Shared(Core(), named: form)) : service.overridden { Core() })
      DIContainer.withCurrent(container, decorate)
      #expect(container.registrations.map { $0.decorators.map(\.description) } == [[place(number)]])
    }
  }

  @Test("A decorator is no duplicate of what it wraps, nor of another one")
  func strict() {
    let container = DIContainer()
    container.rejectsDuplicates = true
    container.register {
      decorated("first")
      Shared(Core() as any Service)
      decorated("second")
    }
    container.register(decorated("third"))
    #expect(container.layers == ["third", "second", "first", "core"])
  }

  @Test("A synchronous decorator wraps an instance that exists, even of an asynchronous factory, here and in a child")
  func existing() async throws {
    container.register {
      Shared { () async in Core("async") as any Service }
      New { resolve in [resolve(String.self, named: "needed")] + resolve((any Service).self).layers }
      Shared("text", named: "needed")
    }
    let child = DIContainer(parent: container)
    child.register(decorated("child"))
    #expect(failure { try child.tryResolve((any Service).self) }?.code == .asynchronous)
    let core = try await container.resolveAsync((any Service).self)
    #expect(child.layers == ["child", "async"] && (child.resolve((any Service).self) as? Layer)?.inner === core)
    #expect(child.resolve([String].self) == ["text", "child", "async"])
    container.register(decorated("own"))
    #expect(container.layers == ["own", "async"])
    // Without an instance, `resolveAsync` awaits what it wraps, here or on another actor.
    for isOfActor in [false, true] {
      let other = DIContainer()
      other.register {
        if isOfActor {
          Shared { @MainActor in Core("there") as any Service }
        } else {
          Shared { () async in Core("there") as any Service }
        }
      }
      let child = DIContainer(parent: other)
      child.register(decorated("sync"))
      #expect(failure { try child.tryResolve((any Service).self) }?.code == (isOfActor ? .wrongActor : .asynchronous))
      #expect(try await child.resolveAsync((any Service).self).layers == ["sync", "there"] && child.layers.count == 2)
      other.register(decorated("later"))
      #expect(other.layers == ["later", "there"])
    }
  }

  @Test("An override with the registration that it wraps leaves nothing of that, even if it is being created")
  func overriddenWithItself() {
    let shared = Shared(Core() as any Service)
    container.register {
      shared
      decorated("first")
    }
    weak let inner = (container.resolve((any Service).self) as? Layer)?.inner
    #expect(inner != nil)
    container.addOverrides(Module(shared))
    #expect(inner == nil && container.layers == ["core"])

    // The creation that began first ends first, and is not the answer anymore.
    let (container, count) = (DIContainer(), Monitor(0))
    let (hasBegun, mayEnd) = ([Event(), Event()], [Event(), Event()])
    let waiting = Shared { () -> any Service in
      let number = count.change { count in
        count += 1
        return count - 1
      }
      hasBegun[number].signal()
      mayEnd[number].wait()
      return Core("\(number)")
    }
    container.register(waiting)
    let found = Monitor<[[String]]>([])
    func start() {
      startThread {
        let layers = container.resolve((any Service).self).layers
        found.change { $0.append(layers) }
      }
    }
    start()
    hasBegun[0].wait()
    container.register(decorated("second"))
    container.addOverrides(Module(waiting))
    start()
    hasBegun[1].wait()
    for number in 0...1 {
      mayEnd[number].signal()
      found.wait { $0.count > number }
    }
    #expect(found.change { $0 } == [["0"], ["1"]] && container.layers == ["1"])
    #expect(container.resolveAll((any Service).self).map(\.layers) == [["1"]])
  }

  @Test("Whether a decorator is awaited is decided again if what it wraps, or a parameter, is reset meanwhile")
  func resetMeanwhile() async throws {
    let isFirst = Monitor(true)
    container.register { [container] in
      Shared { () async in Core() as any Service }
      New { [unowned container] () -> Int in
        if isFirst.change({ first in
          defer { first = false }; return first
        }) {
          container.reset()
        }
        return 1
      }
      Shared(autowire: { (_: Int, service: any Service) in service.layers })
      Decorated([String].self) { layers, _ in ["wrapped"] + layers }
    }
    _ = try await container.resolveAsync((any Service).self)
    #expect(try await container.resolveAsync([String].self) == ["wrapped", "core"])
    // A thread learns how to get what is wrapped.
    let other = DIContainer()
    other.register {
      Shared { () async in Core() as any Service }
      decorated("sync")
    }
    let child = DIContainer(parent: other)
    child.register(decorated("child"))
    for container in [other, child] {
      let error = DIContainer.withCurrent(other) { failure { try container.tryResolve((any Service).self) } }
      #expect(
        error?.notes.first?.hasPrefix("use `try await resolveAsync(Service.self)`") == true, "\(error?.notes ?? [])")
    }
  }
}
