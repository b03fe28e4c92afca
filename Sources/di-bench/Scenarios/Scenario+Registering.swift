extension Scenario {
  /// What registering costs.
  static let registering: [Scenario] = [
    Scenario(
      name: "register/many", summary: "one of 1000 registrations in an empty container, one container per thread",
      subject: Implementation(Implementation.container) { Workload(RegisterLoop<ContainerRegistrar>()) },
      reference: Implementation("reference/dictionary") { Workload(RegisterLoop<DictionaryRegistrar>()) },
      yardsticks: [
        Implementation(Implementation.lockedDictionary) { Workload(RegisterLoop<LockedDictionary>()) },
        Implementation(Implementation.serialQueue) { Workload(RegisterLoop<SerialQueueDictionary>()) },
      ]),
    Scenario(
      name: "lifecycle/register-10000", summary: "one of the first 10000 registrations of a process",
      isSingleThreaded: true, ownProcess: OwnProcess(interval: 5, seconds: 0.3),
      subject: Implementation(Implementation.container) {
        Workload(RegisterLoop<ContainerRegistrar>(Keys.many, isFirst: true))
      },
      reference: Implementation("reference/dictionary") {
        Workload(RegisterLoop<DictionaryRegistrar>(Keys.many, isFirst: true))
      }, yardsticks: []),
  ]
}
