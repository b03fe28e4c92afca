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
  var quality: Quality?
  var status = Status.ok

  /// The name and version of what the columns mean; it changes when a reader would have to.
  static let schema = "di-bench/1"

  /// Why a sample says less than others.
  enum Quality: String {
    /// There were more threads than cores.
    case oversubscribed
  }

  /// Whether a sample can be used at all.
  enum Status: String {
    case ok

    /// The build was not optimized.
    case debug
  }
}
