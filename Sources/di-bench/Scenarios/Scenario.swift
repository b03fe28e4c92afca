/// Something an app does with a container, and ways to do the same.
struct Scenario: Sendable {
  /// One way to do it.
  struct Implementation: Sendable {
    let name: String
    let makeWorkload: @Sendable () -> Workload

    init(_ name: String, _ makeWorkload: @escaping @Sendable () -> Workload) {
      self.name = name
      self.makeWorkload = makeWorkload
    }
  }

  let name: String

  /// What it is, in one line.
  let summary: String

  /// How many resolves are nested.
  var depth = 1

  /// What is judged.
  let subject: Implementation

  /// The least that could do the same; every ratio in the results is to this.
  let reference: Implementation

  /// What a plain implementation would be like.
  let yardsticks: [Implementation]

  /// All of them, the subject first.
  var implementations: [Implementation] { [subject, reference] + yardsticks }
}

extension Scenario.Implementation {
  /// The name of the container itself.
  static let container = "container"

  /// The name of the yardstick that is a dictionary behind a mutex.
  static let lockedDictionary = "reference/locked-dictionary"

  /// The name of the yardstick that is a dictionary behind a serial queue.
  static let serialQueue = "reference/serial-queue"
}
