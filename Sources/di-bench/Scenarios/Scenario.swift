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

    /// Always inlined: where the type of the loop is known, the optimizer specialises it.
    @inline(__always)
    init<Body: Loop>(_ name: String, _ loop: @autoclosure @escaping @Sendable () -> Body) {
      self.init(name) { Workload(loop()) }
    }
  }

  let name: String

  /// What it is, in one line.
  let summary: String

  /// How many resolves are nested.
  var depth = 1

  /// How many registrations there are, where the scenario exists for several numbers of them.
  var size: Int?

  /// Whether it is measured on one thread only, whatever numbers of threads are asked for.
  var isSingleThreaded = false

  /// How its samples are taken in processes of their own; nil if they are taken in this one.
  var ownProcess: OwnProcess?

  /// The programs that it starts, which are beside this one if the build has made them.
  var programs: [String] = []

  /// What is judged.
  let subject: Implementation

  /// The least that could do the same; every ratio in the results is to this.
  let reference: Implementation

  /// What a plain implementation would be like.
  let yardsticks: [Implementation]

  /// All of them, the subject first.
  var implementations: [Implementation] { [subject, reference] + yardsticks }

  /// What tells it from all others: the name, and the size if it has one.
  var label: String { size.map { "\(name)/\($0)" } ?? name }
}

extension Scenario {
  /// Samples that need a process of their own, because only the first is what is meant, or because what they do would
  /// change what others measure.
  struct OwnProcess: Sendable {
    /// A sample is taken in every n-th round only, from the first, because it takes long.
    let interval: Int

    /// About how long a sample takes, with the start of its process.
    let seconds: Double
  }
}

extension Scenario.Implementation {
  /// The name of the container itself.
  static let container = "container"

  /// The name of the yardstick that is a dictionary behind a mutex.
  static let lockedDictionary = "reference/locked-dictionary"

  /// The name of the yardstick that is a dictionary behind a serial queue.
  static let serialQueue = "reference/serial-queue"
}
