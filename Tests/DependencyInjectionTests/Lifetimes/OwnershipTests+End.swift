internal import DependencyInjection
internal import Testing

// What answers after the end of a container, and what does not keep one from ending.
extension OwnershipTests {
  /// What an instance holds that leads back to the container that keeps it.
  enum WayBack: CaseIterable {
    case resolver, current, lazy, lazyAfterAccess, lazyFrom, lazyFromCurrent, lazyFromAfterAccess, child, keepingChild
    case escaping, escapingInWithCurrent, perGraph

    /// Makes it in the factory of the instance.
    func make(_ resolve: Resolver, _ container: DIContainer) -> Any {
      switch self {
      case .resolver: return resolve
      case .current: return DIContainer.current
      case .lazy: return Lazy()
      case .lazyAfterAccess:
        let lazy = Lazy()
        _ = lazy.origin
        return lazy
      case .lazyFrom: return LazyFrom(container)
      case .lazyFromCurrent: return LazyFrom(.current)
      case .lazyFromAfterAccess:
        let lazy = LazyFrom(container)
        _ = (lazy.origin, lazy.other)
        return lazy
      case .child: return DIContainer(parent: .current)
      case .keepingChild:
        let child = DIContainer(parent: .current)
        child.register(Shared { resolve in Keeper(resolve) })
        _ = child.resolve(Keeper.self)
        return child
      case .escaping: return DIContainer.escaping { DIContainer.resolve(Origin.self) }
      case .escapingInWithCurrent:
        return DIContainer.withCurrent(container) { DIContainer.escaping { DIContainer.resolve(Origin.self) } }
      case .perGraph: return resolve(Keeper.self)
      }
    }
  }

  @Test("With a copy of a child goes what the copies of its ancestors keep, even if it holds the way back")
  func copyOfChild() {
    final class Holder: Sendable {
      let resolve: Resolver
      let token: LifetimeToken
      init(_ resolve: Resolver, _ counter: LifetimeCounter) { (self.resolve, token) = (resolve, counter.token()) }
    }
    let (parent, counter) = (DIContainer(), LifetimeCounter())
    parent.register(Shared { resolve in Holder(resolve, counter) })
    do {
      let copy = DIContainer(copying: DIContainer(parent: parent))
      _ = copy.resolve(Holder.self)
      #expect(counter.alive == 1)
    }
    #expect(counter.alive == 0)
  }

  @Test("An instance may hold the way back to the container that keeps it, and both go", arguments: WayBack.allCases)
  func wayBack(_ wayBack: WayBack) {
    final class Holder {
      let held: Any
      let token: LifetimeToken
      init(_ held: Any, _ counter: LifetimeCounter) { (self.held, token) = (held, counter.token()) }
    }
    let counter = LifetimeCounter()
    weak var weakParent: DIContainer?
    weak var weakContainer: DIContainer?
    do {
      let parent = DIContainer()
      let container = DIContainer(parent: parent)
      (weakParent, weakContainer) = (parent, container)
      container.register {
        Shared(Origin("own"))
        PerGraph { resolve in Keeper(resolve) }
        Shared { [weak container] resolve in Holder(wayBack.make(resolve, container!), counter) }
        Scoped(
          in: .container, { [weak container] resolve in Holder(wayBack.make(resolve, container!), counter) },
          named: "container")
      }
      _ = (container.resolve(Holder.self), container.resolve(Holder.self, named: "container"))
      #expect(counter.alive == 2)
    }
    #expect(counter.alive == 0 && weakContainer == nil && weakParent == nil)
  }

  @Test("A task that the factory of a kept instance has started does not keep the child that asked")
  func taskOfFactory() async throws {
    struct Worker: Sendable { let task: Task<String, any Error> }
    let signal = AsyncSignal()
    parent.register(
      Shared { resolve in
        Worker(
          task: Task {
            try await signal.wait()
            return DIContainer.resolve(Origin.self).name + resolve(Origin.self).name
          })
      })
    weak var weakRequest: DIContainer?
    let worker: Worker
    do {
      let request = DIContainer(parent: parent)
      request.register(Shared(Origin("request")))
      weakRequest = request
      worker = DIContainer.withCurrent(request) { DIContainer.resolve() }
    }
    #expect(weakRequest == nil)
    signal.open()
    #expect(try await worker.task.value == "parentparent")
  }

  @Test("After the end of its container, a resolver or a lazy property gets answers, and nothing is kept anymore")
  func afterEnd() {
    final class Page {
      let resolve: Resolver
      @LazyInject var origin: Origin
      init(_ resolve: Resolver) { self.resolve = resolve }
    }
    let counter = LifetimeCounter()
    var pages: [Page] = []
    weak var weakContainer: DIContainer?
    do {
      let container = DIContainer(parent: parent)
      weakContainer = container
      container.register {
        Shared(Tracked(counter))
        Scoped(in: .container, Tracked(counter), named: "container")
        Shared({ resolve in Page(resolve) }, named: "shared")
        New({ resolve in Page(resolve) }, named: "new")
        New { resolve in Part(resolve()) }
      }
      pages = ["shared", "new"].map { container.resolve(named: $0) }
      _ = (container.resolve(Tracked.self), container.resolve(Tracked.self, named: "container"))
      #expect(counter.alive == 2)
    }
    #expect(weakContainer == nil && counter.alive == 0)
    for page in pages {
      #expect(
        page.resolve(Tracked.self) !== page.resolve(Tracked.self)
          && page.resolve(Tracked.self, named: "container") !== page.resolve(Tracked.self, named: "container")
          && counter.alive == 0)
      // What the parent keeps is found, because the parent goes on.
      #expect(
        page.origin === parent.resolve(Origin.self) && page.resolve(Part.self).origin === page.origin
          && failure { try page.resolve.tryResolve(String.self) }?.code == .missingRegistration)
    }
    #expect(counter.created == 2 + 4 * pages.count)
  }

  @Test("What answers after the end of a container goes with its last user, whatever it has created since")
  func goesAfterEnd() {
    let registered = LifetimeCounter()
    do {
      let keeper: Keeper
      do {
        let container = DIContainer(parent: parent)
        container.register {
          Shared { resolve in Keeper(resolve) }
          Shared { [token = registered.token()] _ in "\(token.isIntact)" }
          Shared({ resolve in Service(resolve()) }, as: AnyObject.self)
        }
        keeper = container.resolve()
      }
      #expect(keeper.resolve(String.self) == "true" && keeper.resolve(AnyObject.self) is Service)
      #expect(registered.alive == 1)
    }
    #expect(registered.alive == 0)
  }

  @Test("An asynchronous resolution after the end of its container gets an answer, too")
  func afterEndAsynchronously() async throws {
    let keeper: Keeper
    do {
      let container = DIContainer(parent: parent)
      container.register {
        Shared { resolve in Keeper(resolve) }
        Shared { resolve async in
          await Task.yield()
          return Service(resolve())
        }
      }
      keeper = container.resolve()
    }
    let first: Service = try await keeper.resolve.resolveAsync()
    let second: Service = try await keeper.resolve.resolveAsync()
    #expect(first !== second && first.origin === second.origin)
  }

  @Test("A creation that outlives its container goes to its requester, and its resolver still answers")
  func endMeanwhile() async throws {
    let (gate, isRunning, counter) = (AsyncSignal(), AsyncSignal(), LifetimeCounter())
    weak var weakContainer: DIContainer?
    let resolve: Resolver
    let request: Task<Tracked, any Error>
    do {
      let container = DIContainer(parent: parent)
      weakContainer = container
      container.register {
        Shared { resolve in Keeper(resolve) }
        Shared { resolve async throws in
          isRunning.open()
          try await gate.wait()
          _ = resolve(Origin.self)
          return Tracked(counter)
        }
      }
      resolve = container.resolve(Keeper.self).resolve
      request = Task { try await resolve.resolveAsync() }
      try await isRunning.wait()
    }
    #expect(weakContainer == nil)
    gate.open()
    let tracked = try await request.value
    #expect(tracked.token.isIntact && counter.created == 1)
    #expect(try await resolve.resolveAsync(Tracked.self) !== tracked)
  }

  @Test("A deinit that resolves while its container ends gets what the parent keeps, and new instances of its own")
  func deinitAtEnd() {
    struct Answers {
      var names: [String] = []
      var isIntact = true
    }
    final class Asking {
      private let resolve: Resolver
      private let answers: Monitor<Answers>
      @LazyInject private var origin: Origin
      @LazyInject private var tracked: Tracked
      init(_ resolve: Resolver, _ answers: Monitor<Answers>) { (self.resolve, self.answers) = (resolve, answers) }
      deinit {
        let names = [origin.name, resolve(Origin.self).name, resolve(String.self)]
        let isIntact = tracked.token.isIntact && resolve(Tracked.self).token.isIntact
        answers.change { answers in
          answers.names += names
          answers.isIntact = answers.isIntact && isIntact
        }
      }
    }
    let (counter, answers) = (LifetimeCounter(), Monitor(Answers()))
    do {
      let container = DIContainer(parent: parent)
      container.register {
        Shared("own")
        Shared(Tracked(counter))
        Shared({ resolve in Asking(resolve, answers) }, named: "shared")
        Scoped(in: .container, { resolve in Asking(resolve, answers) }, named: "container")
      }
      _ = container.resolve(Tracked.self)
      _ = (container.resolve(Asking.self, named: "shared"), container.resolve(Asking.self, named: "container"))
    }
    #expect(answers.change { $0.names } == ["parent", "parent", "own", "parent", "parent", "own"])
    #expect(answers.change { $0.isIntact } && counter.created == 5 && counter.alive == 0)
  }

  @Test("A deinit at the end of its container may register, reset and remove in its parent, and make containers")
  func deinitThatChanges() {
    final class Changing {
      private let body: () -> Void
      init(_ body: @escaping () -> Void) { self.body = body }
      deinit { body() }
    }
    let (isDone, parent) = (Flag(), parent)
    do {
      let container = DIContainer(parent: parent)
      container.register {
        Shared("own")
        Shared { resolve in
          Changing { [weak parent] in
            parent?.register(Shared(Origin("new")))
            parent?.reset(Scope("session"))
            parent?.unregister(Int.self)
            let child = parent.map { DIContainer(parent: $0) }
            precondition(child?.resolve(Origin.self).name == "new" && resolve(Origin.self).name == "new")
            isDone.set()
          }
        }
      }
      _ = container.resolve(Changing.self)
    }
    #expect(isDone.isSet && parent.resolve(Origin.self).name == "new")
  }
}
