/// Something an app does with a container, and ways to do the same: an entry of the catalog.
package struct Scenario: Sendable {
  /// One way to do it.
  package struct Implementation: Sendable {
    package let name: String
    package let makeWorkload: @Sendable () -> Workload

    package init(_ name: String, _ makeWorkload: @autoclosure @escaping @Sendable () -> Workload) {
      self.name = name
      self.makeWorkload = makeWorkload
    }
  }

  /// The slowdown that makes a comparison fail.
  package enum Gate: String {
    /// The threshold of the comparison, where samples are paired on one thread; else as `coarse`. For what finds a
    /// slowdown of a quarter in nine of ten comparisons.
    case fine
    /// Half as long again: for what differs that much from launch to launch.
    case coarse
    /// Nothing fails, except for the allocations and the bytes.
    case none

    /// A description in a few words.
    var summary: String {
      switch self {
      case .fine: "gated"
      case .coarse: "gated at +50 %"
      case .none: "not gated"
      }
    }
  }

  /// Samples that need a process of their own, because only the first is what is meant, or because what they do would
  /// change what others measure.
  package struct OwnProcess: Sendable {
    /// A sample is taken in every n-th round only, from the first, because it takes long.
    let interval: Int
    /// About how long a sample takes, with the start of its process.
    let seconds: Double

    /// For what is fast, but would be in the way of others: one sample in each launch of the usual length.
    package init(interval: Int, seconds: Double) {
      self.interval = interval
      self.seconds = seconds
    }

    package static let quick = OwnProcess(interval: 8, seconds: 0.06)
  }

  package let name: String
  /// A description in one line.
  package let summary: String
  /// The number of nested resolves.
  var depth = 1
  /// The number of registrations, where the scenario exists for several numbers of them.
  package var size: Int?
  /// A Boolean value that indicates whether it is measured on several threads too.
  package var isConcurrent = true
  /// The plan for samples in processes of their own; nil if they are taken in this process.
  package var ownProcess: OwnProcess?
  var gate = Gate.fine
  /// The subject, which is judged; the reference, which is the least that could do the same; and others.
  package let implementations: [Implementation]

  package init(
    _ name: String, _ summary: String, depth: Int = 1, size: Int? = nil, isConcurrent: Bool = true,
    inOwnProcess ownProcess: OwnProcess? = nil, gate: Gate = .fine,
    _ implementations: Implementation...
  ) {
    self.name = name
    self.summary = summary
    self.depth = depth
    self.size = size
    self.isConcurrent = isConcurrent
    self.ownProcess = ownProcess
    self.gate = gate
    self.implementations = implementations
  }

  package var subject: Implementation { implementations[0] }
  /// The implementation that every ratio is to; nil if nothing else can do the same.
  package var reference: Implementation? { implementations.dropFirst().first }
  /// The name that no other scenario has: with the size, if there is one.
  package var label: String { size.map { "\(name)/\($0)" } ?? name }
}

extension Scenario.Implementation {
  /// The name of the container itself.
  package static let container = "container"
  /// The name of the reference that is a dictionary behind a mutex.
  package static let lockedDictionary = "reference/locked-dictionary"
  /// The name of the reference that is a dictionary behind a serial queue.
  package static let serialQueue = "reference/serial-queue"
}
