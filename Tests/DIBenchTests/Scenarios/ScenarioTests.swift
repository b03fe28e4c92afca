internal import Testing

@testable import di_bench

@Suite("Scenarios")
struct ScenarioTests {
  @Test(
    "Every implementation of every scenario gives right answers, on four threads if it can",
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
    ]
    #expect(labels.isSuperset(of: promised))
  }

  @Test("Names tell scenarios and implementations apart")
  func names() {
    #expect(Set(Scenario.all.map(\.label)).count == Scenario.all.count)
    for scenario in Scenario.all {
      #expect(Set(scenario.implementations.map(\.name)).count == scenario.implementations.count)
      #expect(scenario.subject.name == "container")
    }
  }
}

extension Scenario: CustomTestStringConvertible {
  /// Which scenario it is.
  public var testDescription: String { label }
}
