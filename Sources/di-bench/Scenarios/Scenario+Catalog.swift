extension Scenario {
  /// Every scenario, in the order of the table.
  ///
  /// The types of the loops are written out in each closure: this is where the optimizer specialises them.
  static let all: [Scenario] = [
    Scenario(
      name: "resolve/shared", summary: "a Shared class by its protocol, the same for all threads",
      subject: Implementation(Implementation.container) { Workload(SharedLoop(ContainerProvider.installed)) },
      reference: Implementation("reference/static-let") { Workload(SharedLoop(DirectProvider())) },
      yardsticks: [
        Implementation(Implementation.lockedDictionary) { Workload(SharedLoop(LockedDictionaryProvider())) },
        Implementation(Implementation.serialQueue) { Workload(SharedLoop(SerialQueueProvider())) },
      ]),
    Scenario(
      name: "resolve/new", summary: "a New class by its protocol",
      subject: Implementation(Implementation.container) { Workload(NewLoop(ContainerProvider.installed)) },
      reference: Implementation("reference/init") { Workload(NewLoop(DirectProvider())) },
      yardsticks: [
        Implementation(Implementation.lockedDictionary) { Workload(NewLoop(LockedDictionaryProvider())) },
        Implementation(Implementation.serialQueue) { Workload(NewLoop(SerialQueueProvider())) },
      ]),
    Scenario(
      name: "resolve/arguments", summary: "a New class with an Int and a String that the caller passes",
      subject: Implementation(Implementation.container) { Workload(ArgumentsLoop(ContainerProvider.installed)) },
      reference: Implementation("reference/init") { Workload(ArgumentsLoop(DirectProvider())) },
      yardsticks: [
        Implementation(Implementation.lockedDictionary) { Workload(ArgumentsLoop(LockedDictionaryProvider())) },
        Implementation(Implementation.serialQueue) { Workload(ArgumentsLoop(SerialQueueProvider())) },
      ]),
    Scenario(
      name: "reentrant/chain", summary: "a New that resolves a New, and so on, ten deep", depth: Chain.depth,
      subject: Implementation(Implementation.container) { Workload(ChainLoop(ContainerProvider.installed)) },
      reference: Implementation("reference/init") { Workload(ChainLoop(DirectProvider())) },
      yardsticks: [
        Implementation(Implementation.lockedDictionary) { Workload(ChainLoop(LockedDictionaryProvider())) },
        Implementation(Implementation.serialQueue) { Workload(ChainLoop(SerialQueueProvider())) },
      ]),
    Scenario(
      name: "register/many", summary: "one of 1000 registrations in an empty container, one container per thread",
      subject: Implementation(Implementation.container) { Workload(RegisterLoop<ContainerRegistrar>()) },
      reference: Implementation("reference/dictionary") { Workload(RegisterLoop<DictionaryRegistrar>()) },
      yardsticks: [
        Implementation(Implementation.lockedDictionary) { Workload(RegisterLoop<LockedDictionary>()) },
        Implementation(Implementation.serialQueue) { Workload(RegisterLoop<SerialQueueDictionary>()) },
      ]),
  ]
}
