internal import DependencyInjection
internal import Testing

// The other files of this suite are about `Scoped(in: .container)`, about changes, and about the end of a container.

@Suite(.timeLimit(.minutes(20)))
struct OwnershipTests {
  let parent = DIContainer()
  let child: DIContainer
  let session = Scope("session")

  init() {
    child = DIContainer(parent: parent)
    parent.register {
      Shared(Origin("parent"))
      New { resolve in Part(resolve()) }
      PerGraph({ resolve in Part(resolve()) }, named: "graph")
      Shared({ resolve in Part(resolve()) }, named: "shared")
    }
    child.register(Shared(Origin("child")))
  }

  func register(_ life: Kept, _ make: @escaping @Sendable (Resolver) -> Service) {
    switch life {
    case .shared: parent.register(Shared { resolve in make(resolve) })
    case .weak: parent.register(Weak { resolve in make(resolve) })
    case .scoped: parent.register(Scoped(in: session) { resolve in make(resolve) })
    }
  }

  // MARK: - What is kept belongs to the container that registers it

  @Test(
    "What a container keeps is made of what it registers itself, in whichever way, although a child asks first",
    arguments: Kept.allCases, Way.allCases)
  func kept(_ life: Kept, _ way: Way) {
    register(life) { resolve in Service(way.origin(resolve)) }
    let service = child.resolve(Service.self)
    #expect(
      service.origin.name == "parent" && parent.resolve(Service.self) === service
        && DIContainer(parent: child).resolve(Service.self) === service)
    #expect(DIContainer.withCurrent(child) { DIContainer.resolve(Service.self) } === service)
    let elsewhere = onAnotherThread { [child] in child.resolve(Service.self) }
    #expect(
      elsewhere === service && child.resolve(Origin.self).name == "child"
        && child.resolve(Part.self, named: "shared").origin.name == "parent")
  }

  @Test(
    "What an asynchronous factory makes is made of what its container registers, too, in all tasks that it waits for",
    arguments: AsyncWay.allCases, [false, true])
  func keptAsynchronously(_ way: AsyncWay, isCurrent: Bool) async throws {
    let (parent, child) = (parent, child)
    parent.register(Shared { resolve async throws in Service(try await way.origin(resolve)) })
    let service =
      isCurrent
      ? try await DIContainer.withCurrent(child) { try await DIContainer.resolveAsync(Service.self) }
      : try await child.resolveAsync(Service.self)
    #expect(
      service.origin.name == "parent" && parent.resolve(Service.self) === service
        && child.resolve(Service.self) === service)
  }

  @Test("What a kept instance resolves later comes from its container, whichever code reads or calls it")
  func lazyProperty() {
    parent.register(Shared(Lazy()))
    child.register(New { resolve in Service(resolve(Lazy.self).origin) })
    let readers: [(Transfer<Lazy>) -> Origin] = [
      { [child] _ in child.resolve(Service.self).origin },
      { [child] lazy in DIContainer.withCurrent(child) { lazy.value.origin } },
      { [child] lazy in
        onAnotherThread(DIContainer.withCurrent(child) { DIContainer.escaping { lazy.value.origin } })
      },
      { lazy in onAnotherThread { lazy.value.origin } },
      { [child] lazy in
        DIContainer.withCurrent(child) {
          DIContainer.withOverrides {
            Shared(Origin("override"))
          } perform: {
            lazy.value.origin
          }
        }
      },
    ]
    for (number, read) in readers.enumerated() {
      parent.reset(Lazy.self)
      #expect(read(Transfer(child.resolve())) === parent.resolve(Origin.self), "reader \(number)")
    }
    // A callback that the factory of an instance that is kept has made goes to its container, wherever it is called.
    do {
      struct Callbacks: Sendable {
        let resolver, escaping, lazy: @Sendable () -> Origin
      }
      parent.register(
        Shared { resolve in
          let lazy = Transfer(Lazy())
          return Callbacks(
            resolver: { resolve() },
            escaping: DIContainer.escaping { DIContainer.resolve() },
            lazy: { lazy.value.origin })
        })
      let callbacks = child.resolve(Callbacks.self)
      let origin = parent.resolve(Origin.self)
      for callback in [callbacks.resolver, callbacks.escaping, callbacks.lazy] {
        #expect(
          callback() === origin && DIContainer.withCurrent(child) { callback() } === origin
            && onAnotherThread(callback) === origin)
      }
    }
  }

  @Test("A callback or a child that a factory of the parent uses leaves nothing of the child in the parent")
  func callbackOfChild() {
    let hook = Monitor<(@Sendable () -> Service)?>(nil)
    parent.register {
      Shared({ resolve in Service(resolve()) }, named: "inner")
      Shared { _ in
        let inner = hook.change { $0 }!()
        return [inner, Service(DIContainer.resolve())]
      }
    }
    hook.change { hook in
      hook = DIContainer.withCurrent(child) {
        DIContainer.escaping {
          precondition(DIContainer.resolve(Origin.self).name == "child")
          return DIContainer.resolve(Service.self, named: "inner")
        }
      }
    }
    let services = child.resolve([Service].self)
    // The callback keeps the child.
    hook.change { $0 = nil }
    #expect(
      services.map(\.origin.name) == ["parent", "parent"]
        && parent.resolve(Service.self, named: "inner") === services[0])
    // A factory that asks through a child which it has made leaves nothing of that child in the container.
    parent.register {
      Shared({ resolve in Service(resolve()) }, named: "inner")
      Shared { _ in
        let own = DIContainer(parent: .current)
        own.register(Shared(Origin("own")))
        return [own.resolve(Part.self).origin.name, own.resolve(Service.self, named: "inner").origin.name]
      }
    }
    #expect(child.resolve([String].self) == ["own", "parent"] && parent.resolve([String].self) == ["own", "parent"])
  }

  // MARK: - What is built for the container that is asked

  @Test(
    "New, PerGraph and Scoped(in: .container) are built for the container that is asked, in whichever way",
    arguments: Built.allCases, Way.allCases)
  func built(_ life: Built, _ way: Way) {
    switch life {
    case .new: parent.register(New { resolve in Service(way.origin(resolve)) })
    case .perGraph: parent.register(PerGraph { resolve in Service(way.origin(resolve)) })
    case .perContainer: parent.register(Scoped(in: .container) { resolve in Service(way.origin(resolve)) })
    }
    // What it is made of belongs to the parent all the same, if the parent keeps that.
    let expected = way == .otherKept ? "parent" : "child"
    #expect(
      child.resolve(Service.self).origin.name == expected && parent.resolve(Service.self).origin.name == "parent"
        && DIContainer(parent: child).resolve(Service.self).origin.name == expected)
    #expect(
      DIContainer(parent: parent).resolve(Service.self).origin.name == "parent"
        && DIContainer.withCurrent(child) { DIContainer.resolve(Service.self).origin.name } == expected)
    // By a factory of the child's own.
    child.register(Shared({ resolve in Part(resolve(Service.self).origin) }, named: "own"))
    #expect(child.resolve(Part.self, named: "own").origin.name == expected)
  }

  @Test(
    "New, PerGraph and Scoped(in: .container) with an asynchronous factory are built for the container that is asked",
    arguments: Built.allCases, AsyncWay.allCases)
  func builtAsynchronously(_ life: Built, _ way: AsyncWay) async throws {
    let (parent, child) = (parent, child)
    switch life {
    case .new: parent.register(New { resolve async throws in Service(try await way.origin(resolve)) })
    case .perGraph: parent.register(PerGraph { resolve async throws in Service(try await way.origin(resolve)) })
    case .perContainer:
      parent.register(Scoped(in: .container) { resolve async throws in Service(try await way.origin(resolve)) })
    }
    #expect(
      try await [
        child.resolveAsync(Service.self).origin.name, parent.resolveAsync(Service.self).origin.name,
        DIContainer(parent: child).resolveAsync(Service.self).origin.name,
      ] == ["child", "parent", "child"])
  }

  @Test("What a New or a PerGraph resolves later goes to the container that created it", arguments: [false, true])
  func later(isPerGraph: Bool) {
    final class Page {
      let resolve: Resolver
      let escaped: @Sendable () -> Origin
      @LazyInject var origin: Origin
      init(_ resolve: Resolver) {
        self.resolve = resolve
        escaped = DIContainer.escaping { DIContainer.resolve() }
      }
    }
    if isPerGraph {
      parent.register(PerGraph { resolve in Page(resolve) })
    } else {
      parent.register(New { resolve in Page(resolve) })
    }
    let containers = [parent, child, DIContainer(parent: child)]
    let pages = containers.map { $0.resolve(Page.self) }
    for (page, name) in zip(pages, ["parent", "child", "child"]) {
      for current in [parent, child] {
        DIContainer.withCurrent(current) {
          #expect(page.resolve(Origin.self).name == name && page.escaped().name == name && page.origin.name == name)
        }
      }
      let resolve = page.resolve
      #expect(onAnotherThread { resolve(Origin.self).name } == name)
    }
    withExtendedLifetime(containers) {}
  }

  // MARK: - The cast

  /// Says which container registers it.
  final class Origin: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
  }

  /// Made of an origin.
  final class Service: Sendable {
    let origin: Origin
    init(_ origin: Origin) { self.origin = origin }
  }

  /// Something between a service and its origin.
  final class Part: Sendable {
    let origin: Origin
    init(_ origin: Origin) { self.origin = origin }
  }

  final class Injecting {
    @Inject var origin: Origin
  }

  final class Lazy {
    @LazyInject var origin: Origin
  }

  /// Names its container.
  final class LazyFrom {
    @LazyInject var origin: Origin
    @MutableLazyInject var other: Origin

    init(_ container: DIContainer) {
      _origin = LazyInject(from: container)
      _other = MutableLazyInject(from: container)
    }
  }

  /// Resolves for as long as it lives.
  final class Keeper: Sendable {
    let resolve: Resolver
    init(_ resolve: Resolver) { self.resolve = resolve }
  }

  /// A lifetime of which the container that registers it keeps the instance.
  enum Kept: CaseIterable { case shared, weak, scoped }

  /// A lifetime of which the instance is built for the container that is asked.
  enum Built: CaseIterable { case new, perGraph, perContainer }

  /// How a factory gets at what its instance is made of.
  enum Way: CaseIterable, Sendable {
    case resolver, current, staticMethod, injected, lazy, new, perGraph, otherKept
    case child, currentChild, siblings, overrides, nestedOverrides, thread, escapingThread, threadOfChild

    func origin(_ resolve: Resolver) -> Origin {
      switch self {
      case .resolver: resolve()
      case .current: DIContainer.current.resolve()
      case .staticMethod: DIContainer.resolve()
      case .injected: Injecting().origin
      case .lazy: Lazy().origin
      case .new: resolve(Part.self).origin
      case .perGraph: resolve(Part.self, named: "graph").origin
      case .otherKept: resolve(Part.self, named: "shared").origin
      case .child: DIContainer(parent: .current).resolve()
      case .currentChild: DIContainer.withCurrent(DIContainer(parent: .current)) { DIContainer.resolve() }
      case .siblings:
        [DIContainer(parent: .current), DIContainer(parent: .current)].map { $0.resolve(Part.self) }[1].origin
      case .overrides: withUnrelatedOverride { DIContainer.resolve() }
      case .nestedOverrides: withUnrelatedOverride { withUnrelatedOverride { DIContainer.resolve(Part.self).origin } }
      case .thread: onAnotherThread { resolve() }
      case .escapingThread: onAnotherThread(DIContainer.escaping { DIContainer.resolve(Part.self).origin })
      case .threadOfChild:
        onAnotherThread { [child = DIContainer(parent: .current)] in child.resolve(Part.self).origin }
      }
    }

    private func withUnrelatedOverride(_ body: () -> Origin) -> Origin {
      DIContainer.withOverrides {
        Shared("unrelated")
      } perform: {
        body()
      }
    }
  }

  /// How an asynchronous factory gets at what its instance is made of.
  enum AsyncWay: CaseIterable, Sendable {
    case resolver, staticMethod, atOnce, synchronous, injected, task, asyncLet, group, escaping, child, overrides

    func origin(_ resolve: Resolver) async throws -> Origin {
      switch self {
      case .resolver: return try await resolve.resolveAsync()
      case .staticMethod:
        await Task.yield()
        return try await DIContainer.resolveAsync()
      case .atOnce: return resolve(Part.self).origin
      case .synchronous:
        await Task.yield()
        return resolve(Part.self).origin
      case .injected:
        await Task.yield()
        return Injecting().origin
      case .task: return await Task { DIContainer.resolve(Part.self) }.value.origin
      case .asyncLet:
        async let origin = DIContainer.resolve(Origin.self)
        return await origin
      case .group:
        return await withTaskGroup(of: Origin.self) { group in
          group.addTask { DIContainer.resolve() }
          return await group.next()!
        }
      case .escaping:
        return try await Task.detached(
          operation: DIContainer.escaping { () async throws -> Origin in
            await Task.yield()
            return try await DIContainer.resolveAsync(Part.self).origin
          }
        ).value
      case .child: return try await DIContainer(parent: .current).resolveAsync(Part.self).origin
      case .overrides:
        return try await DIContainer.withOverrides {
          Shared("unrelated")
        } perform: {
          await Task.yield()
          return try await DIContainer.resolveAsync(Part.self).origin
        }
      }
    }
  }
}
