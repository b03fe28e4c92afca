/// One line of a results file: one sample, and everything one has to know about it.
///
/// `Results/README.md` explains what each value means.
struct ResultRow: Equatable, Sendable {
  var schema = Self.schema
  var run = ""
  var time = ""
  var commit = ""
  var hostHash = ""
  var os = ""
  var cpu = ""
  var cores = 0
  var swiftVersion = ""
  var scenario = ""
  var implementation = ""
  var threads = 0
  var registrations: Int?
  var depth = 0
  var launch = 0
  var round = 0
  var operations = 0
  var elapsedNanoseconds = 0
  var nanosecondsPerOperation = 0.0
  var operationsPerSecond = 0.0
  var reference: String?
  var ratioToReference: Double?
  var allocationsPerOperation: Double?
  var bytesPerOperation: Double?
  var quality: Set<Quality> = []
  var status = Status.ok

  /// The name and version of what the columns mean; it changes when a reader would have to.
  static let schema = "di-bench/2"

  /// Why a sample says less than others; it stays, and is counted like the others.
  enum Quality: String, CaseIterable {
    /// There were more threads than cores.
    case oversubscribed

    /// The time of an operation had not settled before the first sample.
    case unsteady

    /// It took much longer or shorter than the other samples of its implementation, cell and launch.
    case disturbed
  }

  /// Whether a sample can be used at all.
  enum Status: String {
    case ok

    /// The build was not optimized.
    case debug
  }
}

extension Set<ResultRow.Quality> {
  /// The marks in one field, always in the same order.
  var text: String {
    ResultRow.Quality.allCases.filter(contains).map(\.rawValue).joined(separator: "+")
  }

  /// Reads such a field; nil if there is something else in it.
  init?(_ text: String) {
    self = []
    for part in text.isEmpty ? [] : text.split(separator: "+", omittingEmptySubsequences: false) {
      guard let mark = ResultRow.Quality(rawValue: String(part)) else { return nil }
      insert(mark)
    }
  }
}
