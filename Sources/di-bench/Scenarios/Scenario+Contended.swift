extension Scenario {
  /// What threads cost each other.
  static let contended: [Scenario] = [
    Scenario(
      "contended/same-type", "resolve/shared on several threads", beside: "reference/static-let",
      SharedLoop(.container), SharedLoop(.direct), SharedLoop(.lockedDictionary), SharedLoop(.serialQueue)),
    Scenario(
      "contended/different-types", "a Shared class by its protocol, another one for each of four threads",
      beside: "reference/static-let",
      LaneLoop(.container), LaneLoop(.direct), LaneLoop(.lockedDictionary), LaneLoop(.serialQueue)),
    Scenario(
      "contended/first-resolve", "all threads ask a new container for the same Shared; one of them creates it",
      isSingleThreaded: false, inOwnProcess: .quick, beside: "reference/lock",
      FirstResolveLoop(FirstResolvingContainer.self), FirstResolveLoop(FirstResolvingLock.self)),
    Scenario(
      "contended/slow-factory",
      "the slowest resolve in 100, while one more thread creates something else for half a millisecond",
      beside: "reference/static-let",
      SlowFactoryLoop(.container), SlowFactoryLoop(.direct), SlowFactoryLoop(.lockedDictionary),
      SlowFactoryLoop(.serialQueue)),
    mixed("churn/1-percent", "resolve/shared, and every 100th operation overrides another type", every: 100),
    mixed("churn/10-percent", "the same, and every tenth operation", every: 10),
    accompanied("churn/one-writer", "resolve/shared, while one more thread overrides another type", by: .overriding),
    accompanied("churn/one-creator", "the same, and that thread resolves what it has overridden", by: .creating),
  ]

  private static func mixed(_ name: String, _ summary: String, every interval: Int) -> Scenario {
    Scenario(
      name, summary, isSingleThreaded: false,
      MixedLoop(.container, overridingEvery: interval), MixedLoop(.lockedDictionary, overridingEvery: interval))
  }

  private static func accompanied(_ name: String, _ summary: String, by writer: Writer) -> Scenario {
    Scenario(
      name, summary, beside: "reference/no-writer",
      OneWriterLoop(.container, writer), OneWriterLoop(.container, .absent), OneWriterLoop(.lockedDictionary, writer),
      OneWriterLoop(.serialQueue, writer))
  }
}
