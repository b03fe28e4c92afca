internal import DependencyInjection
internal import Testing

@testable import di_bench

@Suite("Scenarios")
struct ScenarioTests {
  // One after the other: several override the same type of the shared container, and look what they get then.
  @Test(
    "Every implementation of every scenario gives right answers, on four threads if it can", .serialized,
    arguments: Scenario.all.filter { $0.ownProcess == nil })
  func everyImplementation(_ scenario: Scenario) throws {
    let threads = scenario.isSingleThreaded ? 1 : 4
    for implementation in scenario.implementations {
      let workload = implementation.makeWorkload()
      let sample = try Sampler.measure(workload, threads: threads, operations: workload.batch * 20)
      #expect(sample.operations == threads * workload.batch * 20)
      try workload.finish()
    }
  }

  @Test(
    "What is measured in a process of its own gives right answers there",
    arguments: Scenario.all.filter { $0.ownProcess != nil && $0.size ?? 0 <= 100 && $0.name != "memory/churn" })
  func ownProcess(_ scenario: Scenario) throws {
    let threads = scenario.isSingleThreaded ? 1 : 2
    let sampler = ChildSampler(executables: Executables.folder)
    for implementation in scenario.implementations {
      let candidate = Candidate(scenario: scenario, implementation: implementation, threads: threads)
      let sample = try #require(try sampler.measure(candidate, nanoseconds: 10_000))
      #expect(sample.operations.isMultiple(of: threads))
    }
  }

  @Test("The slowest in a hundred stands for all, where waiting is what is measured")
  func percentile() throws {
    let scenario = try #require(Scenario.all.first { $0.name == "contended/slow-factory" })
    let queue = try #require(scenario.implementations.first { $0.name == Scenario.Implementation.serialQueue })
    let workload = queue.makeWorkload()
    let sample = try Sampler.measure(workload, threads: 1, operations: 400)
    // Whoever has to wait for the queue waits up to half a millisecond; most do not.
    #expect(Double(sample.nanoseconds) / 400 == workload.nanosecondsPerOperation())
  }

  @Test(
    "Factories that resolve create as many instances as their shape has",
    arguments: [NestingShape.chain(16), .fanOut(4), .diamond, .registering])
  func nesting(_ shape: NestingShape) throws {
    try NestingLoop(NestingDictionary.self, shape).run(3, thread: 0)
    // One that creates too few is found.
    #expect(throws: Violation.self) { try NestingLoop(LazyNesting.self, shape).run(3, thread: 0) }
  }

  @Test("A resolve between overrides is checked")
  func mixed() throws {
    try MixedLoop(FaultyProvider(.none), overridingEvery: 3).run(30, thread: 0)
    #expect(throws: Violation.self) {
      try MixedLoop(FaultyProvider(.recreatesShared), overridingEvery: 3).run(30, thread: 0)
    }
  }

  @Test("Two instances for one first resolve are found")
  func firstResolve() throws {
    let loop = FirstResolveLoop(FirstResolvingLock.self, containers: 5)
    try loop.run(5, thread: 0)
    try loop.run(5, thread: 1)
    let faulty = FirstResolveLoop(ForgetfulFirst.self, containers: 5)
    try faulty.run(5, thread: 0)
    #expect(throws: Violation.self) { try faulty.run(5, thread: 1) }
  }

  @Test("The providers have the same number of registrations")
  func registrations() {
    #expect(ContainerProvider.installed.registrations == 100)
    #expect(LockedDictionaryProvider().registrations == 100)
    #expect(SerialQueueProvider().registrations == 100)
  }

  @Test("There are a thousand different keys, and ten thousand others")
  func keys() {
    #expect(Set(Keys.all.map { ObjectIdentifier($0) }).count == 1000)
    #expect(Set((Keys.all + Keys.many).map { ObjectIdentifier($0) }).count == 11_000)
  }

  @Test("There is a scenario for every figure that is promised")
  func figures() {
    let labels = Set(Scenario.all.map(\.label))
    let promised = [
      "resolve/shared", "resolve/struct", "resolve/struct-references", "resolve/new", "resolve/arguments",
      "resolve/view-model", "reentrant/chain", "contended/different-types", "churn/one-writer",
      "lifecycle/register-10000", "lifecycle/cold-start", "memory/churn", "lifecycle/restore/10000",
      "reference/locked-dictionary", "resolve/optional-missing", "resolve/among/10000", "wrapper/eager",
      "wrapper/lazy-first", "wrapper/lazy-again", "reentrant/nested-64", "reentrant/fan-out-16", "reentrant/diamond",
      "reentrant/register", "contended/first-resolve", "contended/slow-factory", "churn/1-percent",
      "churn/10-percent", "lifecycle/init", "lifecycle/module", "lifecycle/reset/100", "override/overridden",
      "memory/registration", "resolve/named", "resolve/typed", "contended/same-type", "async/shared", "async/new",
      "async/first-resolve",
    ]
    #expect(labels.isSuperset(of: promised))
  }

  @Test("Names tell scenarios and implementations apart")
  func names() {
    #expect(Set(Scenario.all.map(\.label)).count == Scenario.all.count)
    for scenario in Scenario.all {
      #expect(Set(scenario.implementations.map(\.name)).count == scenario.implementations.count)
      #expect(scenario.subject.name == (scenario.name.hasPrefix("reference/") ? scenario.name : "container"))
    }
  }
}

extension Scenario: CustomTestStringConvertible {
  /// Which scenario it is.
  public var testDescription: String { label }
}

/// Creates what is asked for, and nothing that it needs.
private struct LazyNesting: Nesting {
  func register<Value: Keyed>(_: Value.Type, after _: [any Keyed.Type]) {}
  func register<Value: Keyed>(_: Value.Type, registering _: any Keyed.Type) {}
  func make<Value: Keyed>(_: Value.Type) { InstanceCount.add() }
}

/// Creates another instance every time.
private final class ForgetfulFirst: FirstResolving {
  private let created = Locked<[any Service]>([])

  func service() -> any Service {
    let service = ServiceImpl(launchArguments: 0)
    // Kept, so that the next one is somewhere else.
    created.withLock { $0.append(service) }
    return service
  }
}
