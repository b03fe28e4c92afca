internal import DependencyInjection
public import Testing

@testable public import DIBenchmarking
@testable import di_bench

struct CatalogTests {
  // One after another: several override the same type of the shared container, and check what they get.
  @Test("Every implementation of every benchmark gives right answers, on four threads if it can", .exitTest)
  func everyImplementation() async {
    // In a process of its own, because many use the shared container.
    await #expect(processExitsWith: .success) {
      for benchmark in Benchmark.all where benchmark.ownProcess == nil {
        let threads = benchmark.isConcurrent ? 4 : 1
        for implementation in benchmark.implementations {
          let workload = implementation.makeWorkload()
          let sample = try Sampler.measure(workload, threads: threads, operations: workload.batch * 20)
          #expect(sample.operations == threads * workload.batch * 20, "\(benchmark.name)")
          try workload.finish()
        }
      }
      // If operations are timed one by one, each has a time, without the warm-up.
      let benchmark = try #require(Benchmark.all.first { $0.name == "contended/slow-factory" })
      for implementation in benchmark.implementations {
        let sample = try Sampler.measure(implementation.makeWorkload(), threads: 2, operations: 400)
        #expect(sample.latencies.count == 800)
      }
      // Implementations that are compared have the same number of registrations.
      _ = ContainerProvider.installed
      #expect(
        (LockedDictionary.filled().count, SerialQueueDictionary.filled().count) == (
          ContainerProvider.registrationCount, ContainerProvider.registrationCount
        ))
    }
  }

  @Test(
    "What is measured in a process of its own gives right answers there",
    arguments: Benchmark.all.filter { $0.ownProcess != nil && $0.size ?? 0 <= 100 && $0.name != "memory/churn" })
  func ownProcess(_ benchmark: Benchmark) throws {
    let threads = benchmark.isConcurrent ? 2 : 1
    let sampler = ChildSampler(executable: Executables.bench)
    for implementation in benchmark.implementations {
      let candidate = Candidate(benchmark: benchmark, implementation: implementation, threads: threads)
      let sample = try sampler.measure(candidate, nanoseconds: 10_000)
      #expect(sample.operations.isMultiple(of: threads))
    }
  }

  @Test("Names tell benchmarks apart, there are eleven thousand keys, and factories that resolve create their shape")
  func names() throws {
    // Factories that resolve create as many instances as their shape has.
    do {
      let cases: [NestedShape] = [NestedShape.chain(16), .fanOut(4), .diamond, .registering]
      for shape in cases { try shape.workload(in: LockedDictionary()).run(3, 0) }
    }
    // Names tell benchmarks and implementations apart, and there are eleven thousand keys.
    do {
      #expect(Set(Benchmark.all.map(\.label)).count == Benchmark.all.count)
      for benchmark in Benchmark.all {
        #expect(
          (Set(benchmark.implementations.map(\.name)).count, benchmark.subject.name) == (
            benchmark.implementations.count, (benchmark.name.hasPrefix("reference/") ? benchmark.name : "container")
          ))
      }
      let keys = Set(Keys.all.map { ObjectIdentifier($0) })
      #expect(keys.count == 1000)
      let many = keys.union(Keys.many.map { ObjectIdentifier($0) })
      #expect(many.count == 11_000)
    }
  }

  @Test("There is a benchmark for every figure that is promised, and no reference that only counts a reference")
  func figures() throws {
    // There is a benchmark for every figure that is promised, on several threads where they may disturb each other.
    do {
      let labels = Set(Benchmark.all.map(\.label))
      let promised = [
        "resolve/shared", "resolve/struct", "resolve/struct-references", "resolve/new", "resolve/arguments",
        "resolve/view-model", "reentrant/chain", "contended/different-types", "churn/one-writer",
        "lifecycle/register-10000", "lifecycle/cold-start", "memory/churn", "lifecycle/restore/10000",
        "reference/locked-dictionary", "resolve/optional-missing", "resolve/among/10000", "wrapper/eager",
        "wrapper/lazy-first", "wrapper/lazy-again", "contended/first-resolve", "contended/slow-factory",
        "churn/1-percent", "churn/10-percent", "lifecycle/init", "lifecycle/module", "lifecycle/reset/100",
        "override/overridden", "memory/registration", "resolve/named", "resolve/typed", "async/shared", "async/new",
        "async/first-resolve",
      ]
      #expect(labels.isSuperset(of: promised))
      do {
        let concurrent = Set(Benchmark.all.filter(\.isConcurrent).map(\.name))
        let promised = [
          "register/many", "register/new-types", "register/same-type", "register/modules", "reentrant/chain",
          "reentrant/nested-64", "reentrant/fan-out-4", "reentrant/fan-out-16", "reentrant/diamond",
          "reentrant/register",
          "wrapper/lazy-first", "wrapper/lazy-again", "resolve/named", "resolve/typed",
          "own/new", "child/shared", "child/request", "override/after", "graph/after", "async/shared", "async/new",
        ]
        #expect(concurrent.isSuperset(of: promised))
      }
    }
    // A dictionary that only counts a reference to its entries is no reference, and one that copies them is.
    do {
      let reference = { (label: String) in
        try #require(Benchmark.all.first { $0.label == label }).reference?.name
      }
      for name in ["snapshot", "restore", "reset", "isolated-copy"] {
        #expect(try reference("lifecycle/\(name)/100") == nil)
      }
      #expect(
        try (reference("lifecycle/with-overrides/100"), reference("lifecycle/changed-copy/100")) == (
          Benchmark.Implementation.lockedDictionary, Benchmark.Implementation.lockedDictionary
        ))
      // Without a writer, the readers do less.
      #expect(
        try (reference("churn/one-writer"), reference("resolve/shared")) == (
          Benchmark.Implementation.lockedDictionary, "reference/static-let"
        ))
    }
  }
}

extension Benchmark: CustomTestStringConvertible {
  /// The label of the benchmark.
  public var testDescription: String { label }
}
