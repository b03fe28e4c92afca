internal import Testing

@testable import di_bench

@Suite("Scenarios")
struct ScenarioTests {
  @Test("Every implementation of every scenario gives right answers on four threads", arguments: Scenario.all)
  func everyImplementation(_ scenario: Scenario) throws {
    for implementation in scenario.implementations {
      let workload = implementation.makeWorkload()
      let sample = try Sampler.measure(workload, threads: 4, operations: workload.batch * 20)
      #expect(sample.operations == 4 * workload.batch * 20)
      try workload.finish()
    }
  }

  @Test("The providers have the same number of registrations")
  func registrations() {
    #expect(ContainerProvider.installed.registrations == 100)
    #expect(LockedDictionaryProvider().registrations == 100)
    #expect(SerialQueueProvider().registrations == 100)
  }

  @Test("There are a thousand different keys")
  func keys() {
    #expect(Set(Keys.all.map { ObjectIdentifier($0) }).count == 1000)
  }

  @Test("Names tell scenarios and implementations apart")
  func names() {
    #expect(Set(Scenario.all.map(\.name)).count == Scenario.all.count)
    for scenario in Scenario.all {
      #expect(Set(scenario.implementations.map(\.name)).count == 4)
      #expect(scenario.subject.name == "container")
    }
  }
}

extension Scenario: CustomTestStringConvertible {
  /// Which scenario it is.
  public var testDescription: String { name }
}
