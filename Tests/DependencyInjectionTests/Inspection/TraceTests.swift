internal import DependencyInjection
internal import Testing

struct TraceTests {
  let container = DIContainer()

  @Test("A trace sees what is resolved, by which path, created or reused, and how long that took, until it stops")
  func events() {
    let seen = Monitor<[ResolutionEvent]>([])
    container.register(Shared(AppConfigurationImpl() as any AppConfiguration, named: "main"))
    let registered = #line - 1
    container.register(New { resolve in RouterImpl(config: resolve(named: "main")) })
    _ = container.resolve(RouterImpl.self)
    let trace = container.trace { event in seen.change { $0.append(event) } }
    let start = ContinuousClock.now
    _ = container.resolve(RouterImpl.self)
    let line = #line - 1
    let total = ContinuousClock.now - start
    trace.stop()
    _ = container.resolve(RouterImpl.self)
    let events = seen.change { $0 }
    #expect(
      events.map(\.path) == [["RouterImpl", "AppConfiguration (main)"], ["RouterImpl"]]
        && events.map(\.isCreated) == [false, true])
    #expect(
      events.first?.name == "main" && events.first?.registration?.line == UInt(registered)
        && events.last?.location.line == UInt(line))
    #expect(
      events.allSatisfy { $0.duration >= .zero && $0.duration <= total }
        && events.last?.description.hasPrefix("RouterImpl (\(place(line))), created in ") == true)
  }

  @Test("A trace has the location of each wrapper, and of each call of a declared dependency")
  func locations() async throws {
    let number = Dependency<Int>(.shared) { 1 }
    let text = Dependency<String, Int> { _, number in "\(number)" }
    container.register {
      Shared(2)
      New { resolve async throws -> Bool in
        _ = number(from: resolve, line: 9)
        _ = text(1, from: resolve, line: 10)
        _ = try number.tryResolve(from: resolve, line: 11)
        return try await number.resolveAsync(from: resolve, line: 12) == 1
      }
    }
    let locations = Monitor<[String]>([])
    let trace = container.trace { event in locations.change { $0.append("\(event.location)") } }
    _ = Inject<Int>(from: container, line: 1)
    _ = MutableInject<Int>(from: container, line: 2)
    _ = Inject(number, from: container, line: 3)
    _ = MutableInject(number, from: container, line: 4)
    _ = number(from: container, line: 5)
    _ = text(1, from: container, line: 6)
    _ = try number.tryResolve(from: container, line: 7)
    _ = try await number.resolveAsync(from: container, line: 8)
    _ = try await container.resolveAsync(Bool.self, line: 13)
    trace.stop()
    #expect(locations.change { $0 } == (1...13).map { place($0) })
  }

  @Test("A trace sees the requests of tasks and lazy properties for what exists already")
  func existing() async throws {
    container.register(Shared(Tracked(LifetimeCounter())))
    let instance = container.resolve(Tracked.self)
    let seen = Monitor<[String]>([])
    let trace = container.trace { event in seen.change { $0.append("\(event.path) \(event.isCreated)") } }
    #expect(try await container.resolveAsync(Tracked.self) === instance)
    let lazy = LazyInject<Tracked>(from: container)
    #expect(lazy.wrappedValue === instance)
    trace.stop()
    #expect(seen.change { $0 } == (0..<2).map { _ in "[\"Tracked\"] false" })
  }

  @Test("Traces see everything between their start and their stop, also of a child that comes later, and keep nothing")
  func overlapping() {
    let counts = (CallCounter(), CallCounter())
    container.register(New(RouterImpl()))
    let first = container.trace { _ in counts.0.call() }
    _ = container.resolve(RouterImpl.self)
    let second = container.trace { _ in counts.1.call() }
    _ = container.resolve(RouterImpl.self)
    first.stop()
    _ = container.resolve(RouterImpl.self)
    second.stop()
    _ = container.resolve(RouterImpl.self)
    #expect(counts.0.count == 2 && counts.1.count == 2)
    // A trace that another one stops sees nothing more, not even the resolution that the other one sees.
    do {
      let container = DIContainer()
      let count = CallCounter()
      let second = Monitor<ResolutionTrace?>(nil)
      container.register(New(RouterImpl()))
      let first = container.trace { _ in second.change { $0 }?.stop() }
      second.change { $0 = container.trace { _ in count.call() } }
      _ = container.resolve(RouterImpl.self)
      first.stop()
      #expect(count.count == 0)
    }
    // A child that comes while there is a trace is traced as long as the trace lasts.
    do {
      let container = DIContainer()
      let count = CallCounter()
      let first = container.trace { _ in count.call() }
      let child = DIContainer(parent: container)
      let second = container.trace { _ in count.call() }
      child.register(Shared(RouterImpl()))
      _ = child.resolve(RouterImpl.self)
      _ = child.resolve(RouterImpl.self)
      second.stop()
      _ = child.resolve(RouterImpl.self)
      #expect(count.count == 5)
      first.stop()
      _ = child.resolve(RouterImpl.self)
      #expect(count.count == 5)
    }
    // A trace that nobody stops does not keep its container.
    do {
      let counter = LifetimeCounter()
      do {
        let container = DIContainer()
        container.register(Shared(Tracked(counter)))
        let trace = container.trace { _ in }
        _ = container.resolve(Tracked.self)
        trace.stop()
        container.trace { _ in }
      }
      #expect(counter.created == 1 && counter.alive == 0)
    }
  }

  @Test("A trace sees what a child resolves, also if the child was resolving when it began")
  func child() {
    // Somebody traces already, so that the child asks whether it is observed; with many ancestors that takes a while.
    DIContainer().trace { _ in }.stop()
    let parent = DIContainer(parent: (0..<2_000).reduce(container) { parent, _ in DIContainer(parent: parent) })
    var missed = 0
    for _ in 0..<200 {
      let (child, isCreating, count) = (DIContainer(parent: parent), Flag(), CallCounter())
      child.register(
        Shared { () -> RouterImpl in
          isCreating.set()
          return RouterImpl()
        })
      let traces = onThreads(2) { thread -> ResolutionTrace? in
        if thread == 0 {
          _ = child.resolve(RouterImpl.self)
          return nil
        }
        while !isCreating.isSet { letOthersRun() }
        return parent.trace { _ in count.call() }
      }
      let before = count.count
      _ = child.resolve(RouterImpl.self)
      _ = child.resolve(RouterImpl.self)
      missed += before + 2 - count.count
      traces[1]?.stop()
    }
    #expect(missed == 0)
  }

  @Test("A trace sees what overrides resolve in a copy of the container that is traced, or of a child of it")
  func overrides() {
    let seen = Monitor<[ResolutionEvent]>([])
    container.register {
      Shared(AppConfigurationImpl() as any AppConfiguration)
      Shared { resolve in RouterImpl(config: resolve()) }
    }
    _ = container.resolve(RouterImpl.self)
    let (child, unrelated) = (DIContainer(parent: container), DIContainer())
    unrelated.register(Shared(RouterImpl()))
    let trace = container.trace { event in seen.change { $0.append(event) } }
    func resolveWithOverrides(in container: DIContainer) -> [ResolutionEvent] {
      seen.change { $0 = [] }
      DIContainer.withCurrent(container) {
        DIContainer.withOverrides {
          Shared(AppConfigurationImpl("override") as any AppConfiguration)
        } perform: {
          for _ in 0..<2 { _ = DIContainer.resolve(RouterImpl.self) }
        }
      }
      return seen.change { $0 }
    }
    for traced in [container, child] {
      let events = resolveWithOverrides(in: traced)
      // Everything in there is created anew.
      #expect(
        events.map(\.path) == [["RouterImpl", "AppConfiguration"], ["RouterImpl"], ["RouterImpl"]]
          && events.map(\.isCreated) == [true, true, false])
    }
    #expect(resolveWithOverrides(in: unrelated).isEmpty)
    trace.stop()
    #expect(resolveWithOverrides(in: container).isEmpty)
  }
}
