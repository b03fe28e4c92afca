internal import DependencyInjection
internal import Testing

private enum Containers {
  static let own = DIContainer()
}

private final class ClassOwner {
  @Inject var router: any Router
  @Inject var player: (any MediaPlayer)?
  @LazyInject var lazyRouter: any Router
  @MutableInject var mutableRouter: any Router
  @MutableLazyInject var mutableLazyRouter: any Router
}

private struct StructOwner {
  @Inject var router: any Router
  @LazyInject var lazyRouter: any Router
  @MutableInject var mutableRouter: any Router
  @MutableLazyInject var mutableLazyRouter: any Router
}

private actor ActorOwner {
  @Inject private var router: any Router
  @LazyInject private var lazyRouter: any Router
  @MutableInject private var mutableRouter: any Router
  @MutableLazyInject private var mutableLazyRouter: any Router

  var identities: Set<ObjectIdentifier> {
    Set([router, lazyRouter, mutableRouter, mutableLazyRouter].map { ObjectIdentifier($0) })
  }
}

@MainActor
private final class MainOwner {
  @Inject private var router: any Router
  @LazyInject private var lazyRouter: any Router
  @MutableInject private var mutableRouter: any Router
  @MutableLazyInject private var mutableLazyRouter: any Router

  var identities: Set<ObjectIdentifier> {
    Set([router, lazyRouter, mutableRouter, mutableLazyRouter].map { ObjectIdentifier($0) })
  }
}

private struct LazyOwner {
  @LazyInject var router: any Router
  @LazyInject var player: (any MediaPlayer)?
}

private struct MutableLazyOwner {
  @MutableLazyInject var router: any Router
}

private struct SendableOwner: Sendable {
  @Inject var number: Int
  @LazyInject var text: String
}

private final class ExplicitOwner: @unchecked Sendable {
  @Inject(from: Containers.own) var number: Int
  @LazyInject(from: Containers.own) var lazyNumber: Int
  @MutableInject(from: Containers.own) var mutableNumber: Int
  @MutableLazyInject(from: Containers.own) var mutableLazyNumber: Int
}

struct PropertyWrapperTests {
  let container = DIContainer()

  /// A container whose router is created for each resolution, and the number of its creations.
  private func counted() -> (DIContainer, CallCounter) {
    let (container, calls) = (DIContainer(), CallCounter())
    container.register(
      New { _ -> any Router in
        calls.call()
        return RouterImpl()
      })
    return (container, calls)
  }

  @Test("All four wrappers resolve in a struct, an actor and a main actor class, and Sendable ones go to other threads")
  func elsewhere() async {
    let container = container
    container.register(Shared(RouterImpl() as any Router))
    let router = ObjectIdentifier(container.resolve((any Router).self))
    DIContainer.withCurrent(container) {
      var owner = StructOwner()
      let all = [owner.router, owner.lazyRouter, owner.mutableRouter, owner.mutableLazyRouter]
      #expect(all.allSatisfy { ObjectIdentifier($0) == router })
      owner.mutableRouter = MockRouter()
      owner.mutableLazyRouter = MockRouter()
      #expect(owner.mutableRouter is MockRouter && owner.mutableLazyRouter is MockRouter)
    }
    let actor = DIContainer.withCurrent(container) { ActorOwner() }
    #expect(await actor.identities == [router])
    await DIContainer.withCurrent(container) {
      let identities = await MainActor.run { MainOwner().identities }
      #expect(identities == [router])
    }
    // A Sendable struct with Sendable dependencies goes to other threads.
    do {
      let container = DIContainer()
      container.register {
        Shared(3)
        Shared("text")
      }
      let owner = DIContainer.withCurrent(container) { SendableOwner() }
      #expect(onAnotherThread { "\(owner.number) \(owner.text)" } == "3 text")
    }
  }

  @Test("@Inject resolves when its owner is created, and @LazyInject at the first access, once")
  func eagerly() {
    container.register(Shared(RouterImpl() as any Router))
    let owner = DIContainer.withCurrent(container) { ClassOwner() }
    let router = owner.router
    container.register(Shared(MockRouter() as any Router))
    #expect(owner.router === router && owner.mutableRouter === router && owner.lazyRouter is MockRouter)
    // @Inject and @LazyInject of an optional are nil without a registration, else the instance.
    do {
      let container = DIContainer()
      DIContainer.withCurrent(container) {
        container.register(Shared(RouterImpl() as any Router))
        #expect(ClassOwner().player == nil && LazyOwner().player == nil)
        container.register(Shared(PlayerObject() as any MediaPlayer))
        #expect(ClassOwner().player is PlayerObject && LazyOwner().player is PlayerObject)
        container.register(Shared(SimplePlayer() as any MediaPlayer))
        #expect(ClassOwner().player is SimplePlayer)
      }
    }
    do {
      let (container, calls) = counted()
      DIContainer.withCurrent(container) {
        let owner = LazyOwner()
        #expect(calls.count == 0)
        let first = owner.router
        #expect(owner.router === first && calls.count == 1)
      }
    }
    // Setting @MutableLazyInject before the first access resolves nothing.
    do {
      let (container, calls) = counted()
      DIContainer.withCurrent(container) {
        var owner = MutableLazyOwner()
        owner.router = MockRouter()
        #expect(owner.router is MockRouter && calls.count == 0)
        var other = MutableLazyOwner()
        #expect(other.router is RouterImpl)
        other.router = MockRouter()
        #expect(other.router is MockRouter && calls.count == 1)
      }
    }
  }

  @Test("Copies share what is injected lazily, which is released with its owner")
  func copies() {
    container.register(New(RouterImpl() as any Router))
    DIContainer.withCurrent(container) {
      let owner = LazyOwner()
      let copy = owner
      #expect(copy.router === owner.router)
      let original = MutableLazyOwner()
      var changed = original
      #expect(changed.router === original.router)
      changed.router = MockRouter()
      #expect(changed.router is MockRouter && original.router is RouterImpl)
    }
    do {
      let container = DIContainer()
      final class Owner {
        @LazyInject var tracked: Tracked
        @MutableLazyInject var mutableTracked: Tracked
      }
      let counter = LifetimeCounter()
      container.register(New(Tracked(counter)))
      DIContainer.withCurrent(container) {
        let owner = Owner()
        _ = owner.tracked
        _ = owner.mutableTracked
        #expect(counter.alive == 2)
      }
      #expect(counter.alive == 0)
    }
  }

  @Test("A first access gives one instance of a New, whether threads race for it or it comes back to itself")
  func racing() {
    let calls = CallCounter()
    container.register(
      New { _ -> any Router in
        calls.call()
        spend(milliseconds: 0.1)
        return RouterImpl()
      })
    for _ in 1...200 {
      let owner = Transfer(DIContainer.withCurrent(container) { LazyOwner() })
      let seen = onThreads(4) { _ in ObjectIdentifier(owner.value.router) }
      #expect(Set(seen).count == 1)
    }
    #expect(calls.count == 200)
    // A first access that comes to an end neither hangs nor resolves a second instance for the owner.
    do {
      let (container, calls) = (DIContainer(), CallCounter())
      let owner = Transfer(DIContainer.withCurrent(container) { LazyOwner() })
      let inner = Monitor<ObjectIdentifier?>(nil)
      container.register {
        New { (resolve: Resolver) -> any Router in
          // With an argument in between, the way back is a recursion, and no cycle.
          if calls.call() == 1 { _ = resolve((any ViewModel).self) { "argument" } }
          return RouterImpl()
        }
        New { (_: Resolver, id: String) -> any ViewModel in
          let router = ObjectIdentifier(owner.value.router)
          inner.change { $0 = router }
          return ConcreteViewModel(id: id)
        }
      }
      let router = owner.value.router
      #expect(inner.change { $0 } == ObjectIdentifier(router), "the first to be resolved is kept")
      #expect(owner.value.router === router && calls.count == 2)
    }
  }

  // In a process of its own, because a property that cannot be resolved ends it.
  @Test(
    "A first access from inside the resolution that it starts is a cycle, which ends the process with its path",
    .exitTest)
  func cycle() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let container = DIContainer()
      let owner = Transfer(DIContainer.withCurrent(container) { LazyOwner() })
      container.register(
        New { _ -> any Router in
          _ = owner.value.router
          return RouterImpl()
        })
      _ = owner.value.router
    }
    let text = "'Router' depends on itself.\n  resolving  Router → Router\n"
    #expect(result?.message.contains(text) == true, "\(result?.message ?? "")")
  }

  @Test("Two threads whose lazy properties need each other do not hang", .timeLimit(.minutes(20)))
  func crossing() {
    final class Owner {
      @LazyInject var router: any Router
      @LazyInject var cache: any Cache
    }
    for _ in 0..<100 {
      let container = DIContainer()
      let owner = Transfer(DIContainer.withCurrent(container) { Owner() })
      let rendezvous = Rendezvous(of: 2)
      let first = CallCounter()
      let second = CallCounter()
      container.register {
        New { _ -> any Router in
          if first.call() == 1 {
            rendezvous.meet()
            _ = owner.value.cache
          }
          return RouterImpl()
        }
        New { _ -> any Cache in
          if second.call() == 1 {
            rendezvous.meet()
            _ = owner.value.router
          }
          return DiskCache()
        }
      }
      onThreads(2) { index in
        if index == 0 { _ = owner.value.router } else { _ = owner.value.cache }
      }
      #expect(owner.value.router === owner.value.router)
    }
  }

  @Test("A lazy property resolves where its owner was created, unless it names another container")
  func whichContainer() {
    container.register(Shared("then"))
    let other = DIContainer()
    other.register(Shared("now"))
    struct Owner {
      @LazyInject var text: String
      @MutableLazyInject var mutableText: String
    }
    let (first, second) = DIContainer.withCurrent(container) { (Owner(), Owner()) }
    #expect(first.text == "then" && first.mutableText == "then")
    #expect(
      [DIContainer.withCurrent(other) { second.text }, DIContainer.withCurrent(other) { second.mutableText }] == [
        "then", "then",
      ])
    let third = Owner()
    #expect(
      [
        DIContainer.withCurrent(other) { third.text }, DIContainer.withCurrent(other) { third.mutableText },
        DIContainer.withCurrent(container) { third.text },
      ] == ["now", "now", "now"])
    // An owner is created where its factory runs, although another container is current at the access.
    do {
      let container = DIContainer()
      final class Owner {
        @LazyInject var text: String
        @MutableLazyInject var mutableText: String
        var texts: [String] { [text, mutableText] }
      }
      container.register {
        Shared("parent")
        Shared(Owner(), named: "shared")
        New(Owner(), named: "new")
      }
      let child = DIContainer(parent: container)
      child.register(Shared("child"))
      let other = DIContainer()
      other.register(Shared("other"))
      // What the parent keeps is created in the parent, and what is new in the container that is asked.
      let owners = ["shared", "new"].map { child.resolve(Owner.self, named: $0) }
      #expect(DIContainer.withCurrent(other) { owners.map(\.texts) } == [["parent", "parent"], ["child", "child"]])
      let new = DIContainer.withCurrent(other) { container.resolve(Owner.self, named: "new") }
      #expect(DIContainer.withCurrent(child) { new.texts } == ["parent", "parent"])
    }
    // from: names the container, whatever is current.
    do {
      let container = DIContainer()
      Containers.own.register(Shared(11))
      container.register(Shared(22))
      DIContainer.withCurrent(container) {
        let owner = ExplicitOwner()
        #expect([owner.number, owner.lazyNumber, owner.mutableNumber, owner.mutableLazyNumber] == [11, 11, 11, 11])
        owner.mutableNumber = 1
        owner.mutableLazyNumber = 2
        #expect([owner.mutableNumber, owner.mutableLazyNumber] == [1, 2])
      }
    }
  }

  @Test("from: does not keep the container alive; after its end, a first access still gets an answer")
  func explicitAfterEnd() {
    final class Owner {
      @LazyInject var tracked: Tracked
      @MutableLazyInject var other: Tracked
      init(_ container: DIContainer) {
        _tracked = LazyInject(from: container)
        _other = MutableLazyInject(from: container)
      }
    }
    let counter = LifetimeCounter()
    var own: DIContainer? = DIContainer(parent: container)
    weak let weakly = own
    own?.register(Shared(Tracked(counter)))
    let owner = Owner(own!)
    _ = own?.resolve(Tracked.self)
    own = nil
    #expect(weakly == nil && counter.alive == 0)
    // Nothing is kept anymore, except by the owner.
    #expect(owner.tracked === owner.tracked && owner.other !== owner.tracked)
    #expect(counter.created == 3 && counter.alive == 2)
    // What was read before keeps nothing of the container, not even what a factory captured.
    do {
      let counter = LifetimeCounter()
      var own: DIContainer? = DIContainer()
      own?.register(New { [tracked = Tracked(counter)] _ in withExtendedLifetime(tracked) { RouterImpl() } })
      let lazy = LazyInject<RouterImpl>(from: own!)
      let router = lazy.wrappedValue
      own = nil
      #expect(counter.alive == 0 && lazy.wrappedValue === router)
    }
  }
}
