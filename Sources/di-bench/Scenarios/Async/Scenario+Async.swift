extension Scenario {
  /// What it costs to resolve in a task.
  ///
  /// In processes of their own: the threads of the tasks would still be about when others are measured.
  static let asynchronous: [Scenario] = [
    Scenario(
      "async/shared", "resolveAsync of a Shared that an asynchronous factory has created", inOwnProcess: .quick,
      beside: "reference/actor", AwaitSameLoop(AsyncShared()), AwaitSameLoop(AsyncActor())),
    Scenario(
      "async/new", "resolveAsync of a New with an asynchronous factory", inOwnProcess: .quick,
      beside: "reference/init", AwaitNewLoop(AsyncShared()), AwaitNewLoop(AsyncActor())),
    Scenario(
      "async/first-resolve", "two tasks ask a new container for the same asynchronous Shared", inOwnProcess: .quick,
      beside: "reference/actor", AwaitFirstLoop(AsyncContainer.self), AwaitFirstLoop(AsyncActor.self)),
  ]
}
