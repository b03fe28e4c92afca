extension Scenario {
  /// What a resolve costs.
  ///
  /// The types of the loops are written out in each closure: this is where the optimizer specialises them.
  static let resolving: [Scenario] = [
    Scenario(
      name: "resolve/shared", summary: "a Shared class by its protocol, the same for all threads",
      subject: Implementation(Implementation.container) { Workload(SharedLoop(ContainerProvider.installed)) },
      reference: Implementation("reference/static-let") { Workload(SharedLoop(DirectProvider())) },
      yardsticks: [
        Implementation(Implementation.lockedDictionary) { Workload(SharedLoop(LockedDictionaryProvider())) },
        Implementation(Implementation.serialQueue) { Workload(SharedLoop(SerialQueueProvider())) },
      ]),
    Scenario(
      name: "resolve/class-bound", summary: "a Shared class by a protocol that only classes can conform to",
      subject: Implementation(Implementation.container) { Workload(BoundLoop(ContainerProvider.installed)) },
      reference: Implementation("reference/static-let") { Workload(BoundLoop(DirectProvider())) },
      yardsticks: [
        Implementation(Implementation.lockedDictionary) { Workload(BoundLoop(LockedDictionaryProvider())) },
        Implementation(Implementation.serialQueue) { Workload(BoundLoop(SerialQueueProvider())) },
      ]),
    Scenario(
      name: "resolve/struct", summary: "a Shared struct without references",
      subject: Implementation(Implementation.container) { Workload(StructLoop(ContainerProvider.installed)) },
      reference: Implementation("reference/static-let") { Workload(StructLoop(DirectProvider())) },
      yardsticks: [
        Implementation(Implementation.lockedDictionary) { Workload(StructLoop(LockedDictionaryProvider())) },
        Implementation(Implementation.serialQueue) { Workload(StructLoop(SerialQueueProvider())) },
      ]),
    Scenario(
      name: "resolve/struct-references", summary: "a Shared struct with two references and three numbers",
      subject: Implementation(Implementation.container) { Workload(StructReferencesLoop(ContainerProvider.installed)) },
      reference: Implementation("reference/static-let") { Workload(StructReferencesLoop(DirectProvider())) },
      yardsticks: [
        Implementation(Implementation.lockedDictionary) { Workload(StructReferencesLoop(LockedDictionaryProvider())) },
        Implementation(Implementation.serialQueue) { Workload(StructReferencesLoop(SerialQueueProvider())) },
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
      name: "resolve/view-model", summary: "a New that resolves three Shared", depth: 2,
      subject: Implementation(Implementation.container) { Workload(ViewModelLoop(ContainerProvider.installed)) },
      reference: Implementation("reference/init") { Workload(ViewModelLoop(DirectProvider())) },
      yardsticks: [
        Implementation(Implementation.lockedDictionary) { Workload(ViewModelLoop(LockedDictionaryProvider())) },
        Implementation(Implementation.serialQueue) { Workload(ViewModelLoop(SerialQueueProvider())) },
      ]),
    Scenario(
      name: "reentrant/chain", summary: "a New that resolves a New, and so on, ten deep", depth: Chain.depth,
      subject: Implementation(Implementation.container) { Workload(ChainLoop(ContainerProvider.installed)) },
      reference: Implementation("reference/init") { Workload(ChainLoop(DirectProvider())) },
      yardsticks: [
        Implementation(Implementation.lockedDictionary) { Workload(ChainLoop(LockedDictionaryProvider())) },
        Implementation(Implementation.serialQueue) { Workload(ChainLoop(SerialQueueProvider())) },
      ]),
  ]
}
