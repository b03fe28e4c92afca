/// Finds how many operations take as long as a sample should.
enum Calibration {
  /// The operations per thread with which a sample takes about the given time.
  ///
  /// - Parameters:
  ///   - workload: What will be measured.
  ///   - threads: On how many threads; contention decides how long an operation takes.
  ///   - nanoseconds: How long a sample should take.
  /// - Returns: The number, in whole batches.
  /// - Throws: What the workload found wrong.
  static func operations(of workload: Workload, threads: Int, nanoseconds: Int) throws(Violation) -> Int {
    var operations = workload.batch
    while true {
      // The shortest of three: a thread that has to wait for its core would make few operations look like many.
      var shortest = Int.max
      for _ in 0..<3 {
        let sample = try Sampler.measure(workload, threads: threads, operations: operations)
        shortest = min(shortest, sample.nanoseconds)
      }
      let factor = Double(nanoseconds) / Double(shortest)
      if factor < 2 { return rounded(Double(operations) * factor, to: workload.batch) }
      // In small steps, because the first samples are mostly start-up.
      operations = rounded(Double(operations) * min(factor, 10), to: workload.batch)
    }
  }

  private static func rounded(_ operations: Double, to batch: Int) -> Int {
    max(1, Int((operations / Double(batch)).rounded())) * batch
  }
}
