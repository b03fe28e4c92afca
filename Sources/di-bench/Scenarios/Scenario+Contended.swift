extension Scenario {
  /// What threads cost each other.
  static let contended: [Scenario] = [
    Scenario(
      name: "contended/different-types",
      summary: "a Shared class by its protocol, another one for each of four threads",
      subject: Implementation(Implementation.container) { Workload(LaneLoop(ContainerProvider.installed)) },
      reference: Implementation("reference/static-let") { Workload(LaneLoop(DirectProvider())) },
      yardsticks: [
        Implementation(Implementation.lockedDictionary) { Workload(LaneLoop(LockedDictionaryProvider())) },
        Implementation(Implementation.serialQueue) { Workload(LaneLoop(SerialQueueProvider())) },
      ]),
    Scenario(
      name: "churn/one-writer", summary: "resolve/shared, while one more thread overrides and resolves another type",
      subject: Implementation(Implementation.container) { Workload(OneWriterLoop(ContainerProvider.installed)) },
      reference: Implementation("reference/no-writer") { Workload(SharedLoop(ContainerProvider.installed)) },
      yardsticks: [
        Implementation(Implementation.lockedDictionary) { Workload(OneWriterLoop(LockedDictionaryProvider())) },
        Implementation(Implementation.serialQueue) { Workload(OneWriterLoop(SerialQueueProvider())) },
      ]),
  ]
}
