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

/// An observer that sees resolutions, and does not hold their container.
private final class Tracer: ResolutionObserver {
  private let body: @Sendable (String) -> Void
  init(_ body: @escaping @Sendable (String) -> Void) { self.body = body }
  func didResolve(_ event: ResolutionEvent, for _: Definition?, from _: Definition?) { body(displayName(event.type)) }
}

private final class Outer {
  private let inner: Tracked
  private let answer: Monitor<Tracked?>
  private let resolve: Resolver
  init(_ resolve: Resolver, _ answer: Monitor<Tracked?>) {
    (self.resolve, inner, self.answer) = (resolve, resolve(), answer)
  }
  deinit {
    let other: Tracked = resolve()
    answer.change { $0 = other === inner ? nil : other }
  }
}

/// Writes into a log that only a registration owns.
private final class Writer: Ending {
  private unowned let log: Log
  private let resolve: Resolver?
  init(_ log: Log, _ resolve: Resolver?) { (self.log, self.resolve) = (log, resolve) }
  deinit { log.write("writer") }
}

private final class Argument: Hashable, Sendable {
  let log: Log
  init(_ log: Log) { self.log = log }
  static func == (one: Argument, other: Argument) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

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

  @Test("A deinit that resolves first at the end of its container, or of overrides, gets an instance")
  func resolvesInDeinit() {
    for existsBefore in [false, true] {
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
    written.change { $0 = [] }
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

  @Test("Instances go before what only registrations own", arguments: [false, true], [false, true])
  func order(keepsResolver: Bool, hasAlias: Bool) {
    func register(_ container: DIContainer) {
      let log = Log(written)
      container.register(New { log })
      let make: @Sendable (Resolver) -> Writer = { Writer($0(), keepsResolver ? $0 : nil) }
      container.register(hasAlias ? Module(Shared(make, as: (any Ending).self)) : Module(Shared(make)))
    }
    // Of how many instances.
    let endings: [(Int, (DIContainer) -> Void)] = [
      (1, { _ in }), (1, { $0.removeAll() }),
      (1, { container in withExtendedLifetime(container.registry.snapshot()) { container.removeAll() } }),
      (2, { DIContainer.withCurrent($0) { DIContainer.withOverrides({}, perform: Self.write) } }),
    ]
    for (count, end) in endings {
      written.change { $0 = [] }
      do {
        let container = DIContainer()
        register(container)
        DIContainer.withCurrent(container, Self.write)
        end(container)
      }
      #expect(lines == Array(repeating: "writer", count: count))
    }
  }

  @Test("Instances go in the same order, whichever way they go")
  func orderOfInstances() {
    final class Part {
      let (log, name): (Log, String)
      init(_ log: Log, _ name: String) { (self.log, self.name) = (log, name) }
      deinit { log.write(name) }
    }
    for end in [{ (_: DIContainer) in }, { $0.reset() }, { $0.removeAll() }] {
      written.change { $0 = [] }
      do {
        let (container, log) = (DIContainer(), Log(written))
        container.register {
          Shared({ Part(log, "with an alias") }, as: AnyObject.self)
          Shared({ Part(log, "plain") }, named: "plain")
        }
        _ = (container.resolve(Part.self), container.resolve(Part.self, named: "plain"))
        end(container)
      }
      #expect(lines == ["plain", "with an alias"])
    }
  }

  @Test("Instances go before what only their records own: arguments, and a registration that the parent has no more")
  func orderOfRecords() {
    let writer = Dependency<Writer, Argument>(instancePerArgument: .shared) { _, argument in Writer(argument.log, nil) }
    do {
      let container = DIContainer()
      _ = writer(Argument(Log(written)), from: container)
    }
    #expect(lines == ["writer"])
    do {
      let parent = DIContainer()
      let child = DIContainer(parent: parent)
      do {
        let log = Log(written)
        parent.register(Scoped(in: .container) { Writer(log, nil) })
      }
      _ = child.resolve(Writer.self)
      parent.unregister(Writer.self)
    }
    #expect(lines == ["writer", "writer"])
  }

  private static func write() { _ = DIContainer.resolve(Writer.self) }

  @Test("A deinit that asks for what it was built from gets another one, and a trace sees that")
  func another() {
    let (counter, answer) = (LifetimeCounter(), Monitor<Tracked?>(nil))
    do {
      let container = DIContainer()
      container.register {
        Shared(Tracked(counter))
        Shared { resolve in Outer(resolve, answer) }
      }
      _ = container.resolve(Outer.self)
    }
    #expect(answer.change { $0.take() }?.token.isIntact == true && counter.created == 2 && counter.alive == 0)
    // A trace sees what resolves at the end of its container.
    do {
      let container = DIContainer()
      container.register(registrations())
      _ = container.resolve(Lazy.self)
      container.addObserver(Tracer { [written] name in written.change { $0.append(name) } })
    }
    #expect(lines.contains("Log"))
  }

  @Test("An instance that its container does not keep may resolve when that has gone")
  func weak() {
    // One that is Weak.
    do {
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
    written.change { $0 = [] }
    // One that was reset while it was created.
    do {
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

  @Test("Traces that are stopped meanwhile do not keep what the container has")
  func stoppedTraces() {
    let left = Monitor(0)
    for round in 0..<1_000 {
      let (counter, container) = (LifetimeCounter(), Monitor<DIContainer?>(DIContainer()))
      let traces = container.change { container in
        container!.register(Shared(Tracked(counter)))
        _ = container!.resolve(Tracked.self)
        return (0..<32).map { _ in container!.trace { _ in } }
      }
      let start = Rendezvous(of: 2)
      onThreads(2) { index in
        start.meet()
        if index == 0 {
          for _ in 0..<round % 40 { letOthersRun() }
          let last = container.change { $0.take() }
          _ = consume last
          left.change { $0 += counter.alive }
        } else {
          for trace in traces { trace.stop() }
        }
      }
    }
    #expect(left.change { $0 } == 0)
  }
}
