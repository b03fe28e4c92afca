internal import Foundation

/// Takes samples in processes of their own: one process for each.
struct ChildSampler: Sendable {
  let executable: URL

  func measure(_ candidate: Candidate, nanoseconds: Int) throws(CommandFailure) -> Sampler.Sample {
    var sample: Sampler.Sample?
    let options = ["--nanoseconds", "\(nanoseconds)", "--threads", "\(candidate.threads)"]
    try run(candidate, options) { sample = Sampler.Sample($0) }
    guard let sample else {
      throw CommandFailure(.invariantViolated, "Invariant violated: \(candidate.name): its process printed no sample")
    }
    return sample
  }

  /// Returns the number of objects that an operation allocates; nil if it cannot be, or is not, counted here.
  ///
  /// Counts in a process of its own, because this changes how all objects are allocated and retained there.
  func allocationsPerOperation(of candidate: Candidate) -> Double? {
    guard candidate.workload?.countsAllocations == true, candidate.threads == 1, candidate.role == .subject else {
      return nil
    }
    var count: Double?
    // If anything goes wrong, there is no count.
    try? run(candidate, ["--allocations"]) { count = Double($0) }
    return count
  }

  private func run(_ candidate: Candidate, _ options: [String], _ receive: (String) -> Void) throws(CommandFailure) {
    let process = ChildProcess(executable: executable, name: candidate.name)
    let names = ["--", candidate.benchmark.label, candidate.implementation.name]
    try process.run([CommandSpecification.probe.name] + options + names, receive)
  }
}

extension Sampler.Sample {
  /// Takes the one sample of a process.
  init(of workload: Workload, threads: Int = 1, nanoseconds: Int) throws(Violation) {
    let operations =
      if let only = workload.onlyOperations { only } else {
        try Calibration(of: workload, threads: threads, nanoseconds: nanoseconds).operations
      }
    self = try Sampler.measure(workload, threads: threads, operations: operations)
    try workload.finish()
  }

  /// The sample in one line, as a process passes it to the one that started it.
  var line: String {
    "\(operations) \(nanoseconds) \(registrations.map { "\($0)" } ?? "-") \(growth.map { "\($0)" } ?? "-")"
  }

  init?(_ line: String) {
    let fields = line.split(separator: " ", omittingEmptySubsequences: false)
    guard fields.count == 4, let operations = Int(fields[0]), let nanoseconds = Int(fields[1]),
      operations > 0, nanoseconds > 0, fields[2...].allSatisfy({ $0 == "-" || Int($0) != nil })
    else { return nil }
    self.init(operations: operations, nanoseconds: nanoseconds, registrations: Int(fields[2]), growth: Int(fields[3]))
  }
}
