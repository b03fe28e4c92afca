extension Scenario {
  /// What happens once in the life of a process, of a container or of a test.
  static let lifecycle: [Scenario] =
    [coldStart] + [100, 1000, 10_000].flatMap(lifecycle(of:)) + starting + [
      Scenario(
        "memory/churn", "an override and ten resolves, a million times in a process whose memory must not grow",
        inOwnProcess: OwnProcess(interval: 64, seconds: 3),
        MemoryLoop(.container), MemoryLoop(.lockedDictionary))
    ]

  private static var coldStart: Scenario {
    let programs = ["ColdStartContainer", "ColdStartByHand"]
    var scenario = Scenario(
      "lifecycle/cold-start", "start to end of a small program with 100 registrations and 100 resolves",
      beside: "reference/by-hand", StartLoop(programs[0], registrations: 100), StartLoop(programs[1]))
    scenario.programs = programs
    return scenario
  }

  /// What tests do with a container of this number of registrations.
  ///
  /// In processes of their own, because they make other containers than the shared one current.
  private static func lifecycle(of size: Int) -> [Scenario] {
    // Most of it is for the registrations.
    let process = OwnProcess(interval: size > 1000 ? 32 : 8, seconds: 0.12 + Double(size) * 0.000025)
    return [
      Scenario(
        "lifecycle/snapshot", "save all registrations and instances", size: size, inOwnProcess: process,
        SnapshotLoop(RestorableContainer.self, of: size), SnapshotLoop(RestorableDictionary.self, of: size)),
      Scenario(
        "lifecycle/reset", "drop all instances, and create one again", size: size, inOwnProcess: process,
        ResetLoop(RestorableContainer.self, of: size), ResetLoop(RestorableDictionary.self, of: size)),
      Scenario(
        "lifecycle/restore", "put back what was saved", size: size, inOwnProcess: process,
        RestoreLoop(RestorableContainer.self, of: size), RestoreLoop(RestorableDictionary.self, of: size)),
      Scenario(
        "lifecycle/isolated-copy", "a container with the same registrations", size: size, inOwnProcess: process,
        IsolatedCopyLoop(RestorableContainer.self, of: size), IsolatedCopyLoop(RestorableDictionary.self, of: size)),
      Scenario(
        "lifecycle/changed-copy", "the same, one override in it and a resolve", size: size, inOwnProcess: process,
        ChangedCopyLoop(RestorableContainer.self, of: size), ChangedCopyLoop(RestorableDictionary.self, of: size)),
      Scenario(
        "lifecycle/with-overrides", "override one type for the time of one resolve", size: size, inOwnProcess: process,
        WithOverridesLoop(RestorableContainer.self, of: size), WithOverridesLoop(RestorableDictionary.self, of: size)),
    ]
  }
}
