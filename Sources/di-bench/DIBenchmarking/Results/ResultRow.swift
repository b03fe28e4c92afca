/// One line of a results file: all samples that one implementation took in a cell and a launch.
///
/// `Results/README.md` explains what each value means.
struct ResultRow: Equatable, Sendable {
  var schema = Self.schema
  var hostHash = ""
  var cores = 0
  var harness: String?
  var scenario = ""
  var implementation = ""
  var role = Role.subject
  var threads = 0
  var registrations: Int?
  var depth = 0
  var gate: Benchmark.Gate?
  var process: Process?
  var launch = 0
  var samples = 0
  var disturbed = 0
  var nanoseconds = 0.0
  var percentile50, percentile90, percentile99: Double?
  var throughput = 0.0
  var ratioOfSubject, allocations, bytes: Double?
  var quality: Set<Quality> = []
  var status = Status.ok
  /// The time of an operation in each sample; only in rows on their way from the process that took them.
  var times: [Double] = []
  /// The version of the meaning of the columns; it changes when readers have to change.
  static let schema = "4"
  var key: CellKey { CellKey(scenario: scenario, registrations: registrations, depth: depth, threads: threads) }

  enum Role: String {
    case subject, reference, other
  }

  enum Process: String {
    /// All implementations of a cell in one process, right after each other.
    case shared
    /// Each sample in a process of its own.
    case own
  }

  /// A reason to trust a row less; it still counts like the others.
  enum Quality: String, CaseIterable {
    case oversubscribed
    /// The time of an operation had not settled before the first sample.
    case unsteady
  }

  enum Status: String {
    case ok
    case debug
  }
}

extension Set<ResultRow.Quality> {
  /// The marks in one field, always in the same order.
  var text: String { ResultRow.Quality.allCases.filter(contains).map(\.rawValue).joined(separator: "+") }

  init?(_ text: String) {
    self = []
    for part in text.isEmpty ? [] : text.split(separator: "+", omittingEmptySubsequences: false) {
      guard let mark = ResultRow.Quality(rawValue: String(part)) else { return nil }
      insert(mark)
    }
  }
}
