internal import DependencyInjection
internal import Testing

@Suite("Tracing")
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
    #expect(events.map(\.path) == [["RouterImpl", "AppConfiguration (main)"], ["RouterImpl"]])
    #expect(events.map(\.isCreated) == [false, true])
    #expect(events.first?.name == "main" && events.first?.registration?.line == UInt(registered))
    #expect(events.last?.location.line == UInt(line))
    #expect(events.allSatisfy { $0.duration > .zero && $0.duration <= total })
    #expect(events.last?.description.hasPrefix("RouterImpl (\(place(line))), created in ") == true)
  }

  @Test("Traces that overlap see everything between their start and their stop")
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
  }

  @Test("A trace that another one stops sees nothing more, not even the resolve that the other one sees")
  func stopping() {
    let count = CallCounter()
    let second = Monitor<ResolutionTrace?>(nil)
    container.register(New(RouterImpl()))
    let first = container.trace { _ in second.change { $0 }?.stop() }
    second.change { $0 = container.trace { _ in count.call() } }
    _ = container.resolve(RouterImpl.self)
    first.stop()
    #expect(count.count == 0)
  }

  @Test("An asynchronous resolve is traced, too")
  func asynchronous() async throws {
    let seen = Monitor<[ResolutionEvent]>([])
    container.register(Shared { await tracedService() })
    let trace = container.trace { event in seen.change { $0.append(event) } }
    _ = try await container.resolveAsync(DiskCache.self)
    _ = try await container.resolveAsync(DiskCache.self)
    trace.stop()
    #expect(seen.change { $0.map(\.isCreated) } == [true, false])
  }
}

private func tracedService() async -> sending DiskCache {
  await Task.yield()
  return DiskCache()
}
