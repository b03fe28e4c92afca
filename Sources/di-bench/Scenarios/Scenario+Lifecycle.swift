extension Scenario {
  /// What happens once in the life of a process, of a container or of a test.
  static let lifecycle: [Scenario] =
    [
      Scenario(
        name: "lifecycle/cold-start",
        summary: "start to end of a small program with 100 registrations and 100 resolves",
        isSingleThreaded: true,
        subject: Implementation(Implementation.container) {
          Workload(StartLoop("ColdStartContainer", registrations: 100))
        },
        reference: Implementation("reference/by-hand") { Workload(StartLoop("ColdStartByHand")) }, yardsticks: [])
    ] + [100, 1000, 10_000].flatMap(lifecycle(of:)) + [
      Scenario(
        name: "memory/churn",
        summary: "an override and ten resolves, a million times in a process whose memory must not grow",
        isSingleThreaded: true, ownProcess: OwnProcess(interval: 25, seconds: 2),
        subject: Implementation(Implementation.container) { Workload(MemoryLoop(ContainerProvider.installed)) },
        reference: Implementation(Implementation.lockedDictionary) { Workload(MemoryLoop(LockedDictionaryProvider())) },
        yardsticks: [])
    ]

  /// What tests do with a container of this number of registrations.
  ///
  /// In processes of their own, because they make other containers than the shared one current.
  private static func lifecycle(of size: Int) -> [Scenario] {
    // Most of it is for the registrations.
    let process = OwnProcess(interval: 10, seconds: 0.1 + Double(size) * 0.00005)
    return [
      Scenario(
        name: "lifecycle/snapshot", summary: "save all registrations and instances", size: size, isSingleThreaded: true,
        ownProcess: process,
        subject: Implementation(Implementation.container) {
          Workload(SnapshotLoop(RestorableContainer.self, of: size))
        },
        reference: Implementation(Implementation.lockedDictionary) {
          Workload(SnapshotLoop(RestorableDictionary.self, of: size))
        }, yardsticks: []),
      Scenario(
        name: "lifecycle/restore", summary: "put back what was saved", size: size, isSingleThreaded: true,
        ownProcess: process,
        subject: Implementation(Implementation.container) { Workload(RestoreLoop(RestorableContainer.self, of: size)) },
        reference: Implementation(Implementation.lockedDictionary) {
          Workload(RestoreLoop(RestorableDictionary.self, of: size))
        }, yardsticks: []),
      Scenario(
        name: "lifecycle/isolated-copy", summary: "a container with the same registrations", size: size,
        isSingleThreaded: true,
        ownProcess: process,
        subject: Implementation(Implementation.container) {
          Workload(IsolatedCopyLoop(RestorableContainer.self, of: size))
        },
        reference: Implementation(Implementation.lockedDictionary) {
          Workload(IsolatedCopyLoop(RestorableDictionary.self, of: size))
        }, yardsticks: []),
      Scenario(
        name: "lifecycle/changed-copy", summary: "the same, one override in it and a resolve", size: size,
        isSingleThreaded: true,
        ownProcess: process,
        subject: Implementation(Implementation.container) {
          Workload(ChangedCopyLoop(RestorableContainer.self, of: size))
        },
        reference: Implementation(Implementation.lockedDictionary) {
          Workload(ChangedCopyLoop(RestorableDictionary.self, of: size))
        }, yardsticks: []),
      Scenario(
        name: "lifecycle/with-overrides", summary: "override one type for the time of one resolve", size: size,
        isSingleThreaded: true,
        ownProcess: process,
        subject: Implementation(Implementation.container) {
          Workload(WithOverridesLoop(RestorableContainer.self, of: size))
        },
        reference: Implementation(Implementation.lockedDictionary) {
          Workload(WithOverridesLoop(RestorableDictionary.self, of: size))
        }, yardsticks: []),
    ]
  }
}
