/// Something to measure: an operation, what it is compared with, and how its results are checked.
///
/// A ``GraphBenchmark`` has them beside its modules and roots:
///
/// ```swift
/// Benchmark("title") { Book(id: 7, title: "Emma").title } reference: { "Emma" }
/// ```
public struct Benchmark: Sendable {
  /// One way to do the operation: the one that is judged, or one to compare it with.
  public struct Implementation: Sendable {
    package static let container = "container"
    package static let lockedDictionary = "reference/locked-dictionary"
    package static let serialQueue = "reference/serial-queue"
    package let name: String
    package let makeWorkload: @Sendable () -> Workload
    /// A Boolean value that indicates whether it does something else or less, and only shows the machine's speed.
    package var isControl = false

    /// Creates an implementation from its name, with `reference/` in front for a reference, and what sets up its loop.
    public init(_ name: String, _ makeWorkload: @autoclosure @escaping @Sendable () -> Workload) {
      self.name = name
      self.makeWorkload = makeWorkload
    }

    /// The implementation as a mere control, where a ratio to it says nothing.
    package var asControl: Self {
      var control = self
      control.isControl = true
      return control
    }
  }

  /// The slowdown that makes a comparison fail.
  public enum Gate: String, Sendable {
    /// The threshold of the comparison, where samples are paired on one thread; otherwise the same as `coarse`. For
    /// benchmarks that find a slowdown of a quarter in nine of ten comparisons.
    case fine
    /// Half as long again, for benchmarks that differ that much from launch to launch.
    case coarse
    /// Nothing fails, except for the allocations and the bytes.
    case none

    var summary: String {
      switch self {
      case .fine: "gated"
      case .coarse: "gated at +50 %"
      case .none: "not gated"
      }
    }
  }

  /// Samples that need a process of their own, because only the first one in a process counts, or because they would
  /// change what other samples measure.
  public struct OwnProcess: Sendable {
    /// A sample is taken in every n-th round only, from the first, because it takes long.
    let interval: Int
    /// About how long a sample takes, with the start of its process.
    let seconds: Double

    /// Creates a plan for samples in processes of their own.
    public init(interval: Int, seconds: Double) {
      self.interval = interval
      self.seconds = seconds
    }

    /// The plan for samples that are fast, but would disturb other samples: one in each launch, of the usual length.
    public static let quick = OwnProcess(interval: 8, seconds: 0.06)
  }

  package let name, summary: String
  let depth: Int
  package let size: Int?
  /// The numbers of threads on which it is measured; nil for those of the run.
  package let threads: [Int]?
  /// The plan for samples in processes of their own; nil if they are taken in this process.
  package let ownProcess: OwnProcess?
  let gate: Gate
  let location: String
  /// The subject, which is judged; the reference, which is the least code that does the same; and others.
  package let implementations: [Implementation]

  /// Creates a benchmark from loops that check what they do: the subject, which is judged; the reference; and others.
  ///
  /// No other benchmark may have the same name, with the size if there is one. Without threads, it is measured on 1, 2,
  /// 4 … up to twice the cores.
  public init(
    _ name: String, _ summary: String, depth: Int = 1, size: Int? = nil, threads: [Int]? = nil,
    inOwnProcess ownProcess: OwnProcess? = nil, gate: Gate = .fine,
    _ implementations: Implementation..., fileID: String = #fileID, line: Int = #line
  ) {
    self.name = name
    self.summary = summary
    self.depth = depth
    self.size = size
    self.threads = threads
    self.ownProcess = ownProcess
    self.gate = gate
    self.implementations = implementations
    location = "\(fileID):\(line)"
  }

  package var subject: Implementation { implementations[0] }
  /// The implementation that the subject is compared with; nil if nothing else can do the same.
  package var reference: Implementation? { implementations.dropFirst().first { !$0.isControl } }
  /// The name that no other benchmark has: with the size, if there is one.
  package var label: String { size.map { "\(name)/\($0)" } ?? name }
  /// A Boolean value that indicates whether several threads may run it at once.
  package var isConcurrent: Bool { threads.map { $0.contains { $0 > 1 } } ?? true }
}

// MARK: - Operations

extension Benchmark {
  /// Creates a benchmark of an operation, with what it needs.
  ///
  /// The operation should return what it computes: the optimizer may remove a computation whose result nothing uses.
  ///
  /// - Parameters:
  ///   - name: Its name in the results.
  ///   - summary: A description in one line.
  ///   - threads: The numbers of threads on which it is measured; nil for 1, 2, 4 … up to twice the cores.
  ///   - gate: The slowdown that makes a comparison fail.
  ///   - setUp: Makes what all threads use: a state for the operation, and another one for the reference. It is not timed.
  ///   - operation: The operation to time; it gets the state.
  ///   - reference: The least code that does the same, with a state of its own; the time is a ratio to its time. Without
  ///     it, the time is judged beside that of a dictionary behind a lock, which tells how fast the machine is.
  ///   - check: Returns whether a result is right; a run that finds a wrong one ends with status 3.
  ///   - fileID: The file of the declaration, for errors.
  ///   - line: The line of the declaration.
  @inlinable
  public init<State: Sendable, Output>(
    _ name: String, _ summary: String = "an operation of the program", threads: [Int]? = nil, gate: Gate = .fine,
    setUp: @escaping @Sendable () throws -> State,
    operation: @escaping @Sendable (_ state: State) throws -> Output,
    reference: (@Sendable (_ state: State) throws -> Output)? = nil, check: (@Sendable (Output) -> Bool)? = nil,
    fileID: String = #fileID, line: Int = #line
  ) {
    let subject = Implementation("operation", Workload(setUp: setUp, operation: operation, check: check))
    let other =
      if let reference {
        Implementation("reference/own", Workload(setUp: setUp, operation: reference, check: check))
      } else { Implementation.control }
    self.init(name, summary, threads: threads, gate: gate, subject, other, fileID: fileID, line: line)
  }

  /// Creates a benchmark of an operation without setup; see the initializer with one.
  @inlinable
  public init<Output>(
    _ name: String, _ summary: String = "an operation of the program", threads: [Int]? = nil, gate: Gate = .fine,
    operation: @escaping @Sendable () throws -> Output, reference: (@Sendable () throws -> Output)? = nil,
    check: (@Sendable (Output) -> Bool)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    self.init(
      name, summary, threads: threads, gate: gate, setUp: {}, operation: { (_: Void) in try operation() },
      reference: reference.map { body in { (_: Void) in try body() } }, check: check, fileID: fileID, line: line)
  }

  /// A description of the first mistake in these declarations, and what to do; nil if there is none.
  static func mistake(in benchmarks: [Benchmark]) -> String? {
    var locations: [String: String] = [:]
    for benchmark in benchmarks {
      let label = benchmark.label
      if benchmark.name.isEmpty { return "\(benchmark.location): A benchmark has no name: give it one" }
      let names = benchmark.implementations.map(\.name)
      let texts = [label, benchmark.summary] + names
      if let text = texts.first(where: { $0.contains(where: \.isNewline) }) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: "\\n")
        return "\(benchmark.location): '\(lines)' has a line end: write names and summaries in one line"
      }
      // What no results file can contain.
      if benchmark.depth < 1 || benchmark.size ?? 0 < 0 || names.isEmpty || names.contains("") {
        return "\(benchmark.location): '\(label)' needs a depth above 0, no size below 0, and named implementations"
      }
      if Set(names).count < names.count {
        return "\(benchmark.location): '\(label)' has two implementations of one name: give one of them another name"
      }
      if let threads = benchmark.threads,
        threads.isEmpty || Set(threads.filter { (1...256) ~= $0 }).count < threads.count
      {
        return "\(benchmark.location): '\(label)' has \(threads) as its threads: give numbers from 1 to 256, each once"
      }
      if let first = locations.updateValue(benchmark.location, forKey: label) {
        return
          "\(benchmark.location): '\(label)' is also the name of a benchmark at \(first): give one of them another name"
      }
    }
    return nil
  }
}

/// Collects the benchmarks of a ``GraphBenchmark``.
@resultBuilder
public enum BenchmarkBuilder {
  /// Takes one benchmark.
  public static func buildExpression(_ benchmark: Benchmark) -> [Benchmark] { [benchmark] }
  /// Takes a list.
  public static func buildExpression(_ benchmarks: [Benchmark]) -> [Benchmark] { benchmarks }
  /// Puts them together.
  public static func buildBlock(_ benchmarks: [Benchmark]...) -> [Benchmark] { buildArray(benchmarks) }
  /// Takes those of a loop.
  public static func buildArray(_ benchmarks: [[Benchmark]]) -> [Benchmark] { Array(benchmarks.joined()) }
  /// Takes those of a condition.
  public static func buildOptional(_ benchmarks: [Benchmark]?) -> [Benchmark] { benchmarks ?? [] }
  /// Takes those of the first branch.
  public static func buildEither(first benchmarks: [Benchmark]) -> [Benchmark] { benchmarks }
  /// Takes those of the other branch.
  public static func buildEither(second benchmarks: [Benchmark]) -> [Benchmark] { benchmarks }
}
