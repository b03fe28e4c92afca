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
      name: "churn/one-writer", summary: "resolve/shared, while one more thread overrides another type",
      subject: Implementation(Implementation.container) {
        Workload(OneWriterLoop(ContainerProvider.installed, .overriding))
      },
      reference: Implementation("reference/no-writer") {
        Workload(OneWriterLoop(ContainerProvider.installed, .absent))
      },
      yardsticks: [
        Implementation(Implementation.lockedDictionary) {
          Workload(OneWriterLoop(LockedDictionaryProvider(), .overriding))
        },
        Implementation(Implementation.serialQueue) { Workload(OneWriterLoop(SerialQueueProvider(), .overriding)) },
      ]),
    Scenario(
      name: "churn/one-creator", summary: "the same, and that thread resolves what it has overridden",
      subject: Implementation(Implementation.container) {
        Workload(OneWriterLoop(ContainerProvider.installed, .creating))
      },
      reference: Implementation("reference/no-writer") {
        Workload(OneWriterLoop(ContainerProvider.installed, .absent))
      },
      yardsticks: [
        Implementation(Implementation.lockedDictionary) {
          Workload(OneWriterLoop(LockedDictionaryProvider(), .creating))
        },
        Implementation(Implementation.serialQueue) { Workload(OneWriterLoop(SerialQueueProvider(), .creating)) },
      ]),
  ]
}
