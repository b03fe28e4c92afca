internal import DependencyInjection
internal import Testing

private final class Log: Sendable {
  private let written: Monitor<[String]>
  init(_ written: Monitor<[String]>) { self.written = written }
  func write(_ line: String) { written.change { $0.append(line) } }
}

private protocol Ending: AnyObject {}

private final class Lazy: Ending {
  @LazyInject private var log: Log
  deinit { log.write("lazy") }
}

private final class Keeper: Ending {
  private let resolve: Resolver
  init(_ resolve: Resolver) { self.resolve = resolve }
  func write() { resolve(Log.self).write("keeper") }
  deinit { write() }
}

/// Is used by nobody but its own `deinit`.
private final class First: Ending {
  @LazyInject private var other: Second
  deinit { other.use() }
}

private final class Second: Ending {
  @LazyInject private var other: First
  func use() {}
  deinit { _ = other }
}

/// Sees resolves, and does not hold their container.
private final class Tracer: ResolutionObserver {
  private let body: @Sendable (String) -> Void
  init(_ body: @escaping @Sendable (String) -> Void) { self.body = body }
  func didResolve(_ event: ResolutionEvent) { body(displayName(event.type)) }
}

private final class Inner: Sendable {
  let token: LifetimeToken
  init(_ token: LifetimeToken) { self.token = token }
}

private final class Outer {
  private let inner: Inner
  private let isInnerIntact: Event
  private let resolve: Resolver
  init(_ resolve: Resolver, _ isInnerIntact: Event) {
    (self.resolve, inner, self.isInnerIntact) = (resolve, resolve(), isInnerIntact)
  }
  deinit { if resolve(Inner.self) === inner { isInnerIntact.signal() } }
}

@Suite("The end of a container")
struct ContainerEndTests {
  private let written = Monitor<[String]>([])
  private var lines: [String] { written.change { $0 } }

  private func registrations() -> RegistrationList {
    var list = RegistrationList()
    let written = written
    list.add(Shared(Log(written)))
    list.add(Shared(Lazy()))
    list.add(Shared { resolve in Keeper(resolve) })
    return list
  }

  @Test("A deinit that resolves first at the end of its container gets an instance", arguments: [false, true])
  func resolvesInDeinit(existsBefore: Bool) {
    for makesChild in [false, true] {
      written.change { $0 = [] }
      do {
        let container = makesChild ? DIContainer(parent: DIContainer()) : DIContainer()
        container.register(registrations())
        if existsBefore { _ = container.resolve(Log.self) }
        _ = container.resolve(Lazy.self)
        _ = container.resolve(Keeper.self)
      }
      #expect(lines.sorted() == ["keeper", "lazy"])
    }
  }

  @Test("So does one at the end of overrides")
  func overrides() {
    DIContainer.withCurrent(DIContainer()) {
      DIContainer.withOverrides {
        registrations()
      } perform: {
        _ = DIContainer.resolve(Lazy.self)
        _ = DIContainer.resolve(Keeper.self)
      }
      #expect(lines.sorted() == ["keeper", "lazy"])
    }
  }

  @Test("An instance is released before what it was built from, which its deinit still finds")
  func order() {
    let (counter, isInnerIntact) = (LifetimeCounter(), Event())
    do {
      let container = DIContainer()
      container.register {
        Shared(Inner(counter.token()))
        Shared { resolve in Outer(resolve, isInnerIntact) }
      }
      _ = container.resolve(Outer.self)
    }
    #expect(isInnerIntact.wait(seconds: 0))
    #expect(counter.created == 1 && counter.alive == 0)
  }

  @Test("A trace sees what resolves at the end of its container")
  func traced() {
    do {
      let container = DIContainer()
      container.register(registrations())
      _ = container.resolve(Lazy.self)
      container.addObserver(Tracer { [written] name in written.change { $0.append(name) } })
    }
    #expect(lines.contains("Log"))
  }

  @Test("A Weak instance may resolve when its container has gone")
  func weak() {
    var container: DIContainer? = DIContainer(parent: DIContainer())
    let written = written
    container?.register {
      Shared(Log(written))
      Weak(Lazy())
    }
    var instance: Lazy? = container?.resolve()
    withExtendedLifetime(instance) { container = nil }
    instance = nil
    #expect(lines == ["lazy"])
  }

  @Test("A Shared that was reset while it was created may resolve when its container has gone")
  func resetMeanwhile() {
    var container: DIContainer? = DIContainer()
    let written = written
    container?.register {
      Shared(Log(written))
      Shared { [weak container] in
        container?.reset()
        return Lazy()
      }
    }
    var instance: Lazy? = container?.resolve()
    withExtendedLifetime(instance) { container = nil }
    instance = nil
    #expect(lines == ["lazy"])
  }

  @Test("Everything is released with the container and what resolves at its end")
  func releasesEverything() {
    let counter = LifetimeCounter()
    final class Late: Sendable {
      private let resolve: Resolver
      private let counter: LifetimeCounter
      private let token: LifetimeToken
      init(_ resolve: Resolver, _ counter: LifetimeCounter) {
        (self.resolve, self.counter, token) = (resolve, counter, counter.token())
      }
      deinit { _ = resolve(Tracked.self) }
    }
    for _ in 0..<100 {
      let container = DIContainer()
      container.register {
        Shared(Tracked(counter))
        Shared { resolve in Late(resolve, counter) }
      }
      _ = container.resolve(Late.self)
    }
    #expect(counter.created == 200 && counter.alive == 0)
  }

  @Test("A thread that uses an instance while another one ends the container gets what it asks for")
  func concurrently() {
    for _ in 0..<500 {
      let container = Monitor<DIContainer?>(DIContainer())
      let written = written
      container.change { $0 }?.register {
        Shared(Log(written))
        Shared { resolve in Keeper(resolve) }
      }
      let keeper = Transfer(container.change { $0 }!.resolve(Keeper.self))
      let start = Rendezvous(of: 2)
      onThreads(2) { index in
        start.meet()
        if index == 0 {
          let last = container.change { $0.take() }
          withExtendedLifetime(last) {}
        } else {
          for _ in 0..<3 { keeper.value.write() }
        }
      }
    }
    // The last thread may still hold what it has used.
    #expect(written.wait { $0.count == 500 * 4 })
  }

  // In a process of its own, because it ends that.
  @Test("Instances that create each other anew in their deinits end the process with a reason")
  func mutual() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let container = DIContainer()
      container.register {
        Shared(First())
        Shared(Second())
      }
      _ = container.resolve(First.self)
      _ = container.resolve(Second.self)
    }
    #expect(result?.message.contains("create each other again and again while they are released") == true)
  }
}
