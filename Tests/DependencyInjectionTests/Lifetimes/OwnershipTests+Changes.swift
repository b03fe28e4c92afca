internal import DependencyInjection
internal import Testing

// What a change of a container drops, and what stays.
extension OwnershipTests {
  @Test("Registering what is registered already changes nothing, also in the modules of two features")
  func again() {
    let counter = LifetimeCounter()
    let common = Module {
      Shared(Tracked(counter), as: Tracked.self, AnyObject.self)
      Weak(Tracked(counter), named: "weak")
      Scoped(in: session, Tracked(counter), named: "scoped")
      Scoped(in: .container, Tracked(counter), named: "container")
    }
    let features = [
      Module {
        common
        New("first")
      },
      Module {
        New("second")
        common
      },
    ]
    parent.register {
      features[0]
      features[1]
    }
    let names: [DependencyName?] = [nil, "weak", "scoped", "container"]
    let instances = names.map { parent.resolve(Tracked.self, named: $0) }
    let ofChild = child.resolve(Tracked.self, named: "container")
    parent.register(features[0])
    parent.register(common)
    DIContainer.withCurrent(parent) {
      DIContainer.register(common)
      DIContainer.register { features[1] }
    }
    #expect(
      zip(names, instances).allSatisfy { parent.resolve(Tracked.self, named: $0) === $1 }
        && child.resolve(Tracked.self, named: "container") === ofChild
        && parent.resolve(AnyObject.self) === instances[0])
    // The array keeps the weak one.
    withExtendedLifetime(instances) {
      #expect(counter.created == 5 && counter.alive == 5)
    }
    #expect(parent.resolve(String.self) == "second")
  }

  @Test("Registering another registration replaces the instance, and releases it at once", arguments: Kept.allCases)
  func replaced(_ life: Kept) {
    let counter = LifetimeCounter()
    func registration() -> Module {
      switch life {
      case .shared: Module(Shared(Tracked(counter)))
      case .weak: Module(Weak(Tracked(counter)))
      case .scoped: Module(Scoped(in: session, Tracked(counter)))
      }
    }
    let first = registration()
    parent.register(first)
    let tracked = life == .weak ? parent.resolve(Tracked.self) : nil
    _ = parent.resolve(Tracked.self)
    #expect(counter.created == 1 && counter.alive == 1)
    parent.register(registration())
    #expect(counter.alive == (life == .weak ? 1 : 0))
    let second = child.resolve(Tracked.self)
    #expect(second !== tracked && second === parent.resolve(Tracked.self))
    // The first is not what is registered now, either.
    parent.register(first)
    #expect(parent.resolve(Tracked.self) !== second && counter.created == 3)
  }

  // MARK: - Where a change ends

  /// A change of a parent of which the origin is kept in a session.
  enum Change: CaseIterable { case register, unregister, reset, resetOne, resetSession }

  @Test(
    "A change drops what the container itself keeps of it, and nothing that was built from that",
    arguments: Change.allCases)
  func change(_ change: Change) {
    parent.register {
      Scoped(in: session, Origin("old"))
      Shared({ resolve in Service(resolve()) }, named: "kept")
      Shared({ resolve in Service(resolve()) }, named: "decorated")
      Scoped(in: .container, { resolve in Service(resolve()) }, named: "container")
    }
    let child = DIContainer(parent: parent)
    child.register {
      Shared({ resolve in Service(resolve()) }, named: "own")
      Scoped(in: session, { resolve in Service(resolve()) }, named: "session")
    }
    child.decorate(Service.self, named: "decorated") { service, _ in Service(service.origin) }
    let names: [DependencyName] = ["own", "session", "container", "decorated"]
    let services = names.map { child.resolve(Service.self, named: $0) }
    let (origin, kept) = (parent.resolve(Origin.self), parent.resolve(Service.self, named: "kept"))
    #expect(
      services.allSatisfy { $0.origin === origin } && kept.origin === origin
        && parent.resolve(Service.self, named: "decorated") !== services[3])
    var name: String? = "old"
    switch change {
    case .register:
      parent.register(Scoped(in: session, Origin("new")))
      name = "new"
    case .unregister:
      parent.unregister(Origin.self)
      name = nil
    case .reset: parent.reset()
    case .resetOne: parent.reset(Origin.self)
    case .resetSession: parent.reset(session)
    }
    let other = child.resolve(Origin?.self)
    #expect(
      other !== origin && other?.name == name
        && zip(names, services).allSatisfy { child.resolve(Service.self, named: $0) === $1 })
    if change == .reset { return }
    #expect(parent.resolve(Service.self, named: "kept") === kept)
  }

  @Test("A change of the parent while a child creates from it leaves the child's instance", arguments: [false, true])
  func changeMeanwhile(isReset: Bool) {
    let (parent, counter) = (DIContainer(), LifetimeCounter())
    parent.register(Shared(Origin("old")))
    let child = DIContainer(parent: parent)
    child.register(
      Shared { [weak parent] resolve in
        _ = resolve(Origin.self)
        if isReset { parent?.reset() } else { parent?.register(Shared(Origin("new"))) }
        return Tracked(counter)
      })
    let tracked = child.resolve(Tracked.self)
    #expect(
      child.resolve(Tracked.self) === tracked && counter.created == 1
        && child.resolve(Origin.self).name == (isReset ? "old" : "new"))
  }

  @Test("What a child registers later neither moves nor drops what its parent keeps")
  func registeringInChild() {
    register(.shared) { resolve in Service(resolve()) }
    let other = DIContainer(parent: parent)
    let service = other.resolve(Service.self)
    other.register(Shared(Origin("other")))
    #expect(other.resolve(Service.self) === service && service.origin.name == "parent")
    other.register(Shared { resolve in Service(resolve()) })
    #expect(other.resolve(Service.self).origin.name == "other" && parent.resolve(Service.self) === service)
    other.unregister(Service.self)
    #expect(other.resolve(Service.self) === service)
    other.removeAll()
    #expect(other.resolve(Service.self) === service && other.resolve(Origin.self) === service.origin)
  }
}
