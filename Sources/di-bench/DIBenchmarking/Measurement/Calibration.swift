/// The number of operations of a candidate that take as long as a sample should.
struct Calibration: Equatable {
  let operations: Int
  /// A Boolean value that indicates whether the time of an operation has settled: two in a row differ by 5 % at most.
  let isSteady: Bool

  init(of workload: Workload, threads: Int, nanoseconds: Int) throws(Violation) {
    try self.init(batch: workload.batch, threads: threads, nanoseconds: nanoseconds) { operations throws(Violation) in
      try Sampler.measure(workload, threads: threads, operations: operations, limit: 2 * nanoseconds)
    }
  }

  /// Takes samples that are not recorded: first longer and longer ones, then more until two consecutive ones are alike.
  ///
  /// The closure takes one sample of this many operations on each thread, a multiple of the batch. The limit is the
  /// maximum number of full-length samples.
  init(
    batch: Int, threads: Int, nanoseconds: Int, limit: Int = 6,
    _ measure: (_ operations: Int) throws(Violation) -> Sampler.Sample
  ) throws(Violation) {
    var operations = batch
    var previous = Double.infinity
    for _ in 0..<20 {
      let sample = try measure(operations)
      // A few operations may take long while a thread waits for its core, but not this long.
      let time = sample.nanoseconds > 16 * nanoseconds ? sample.nanoseconds : sample.busy ?? sample.nanoseconds
      let factor = Double(nanoseconds) / Double(max(1, time))
      previous = Double(time * threads) / Double(sample.operations)
      // In small steps, because the first samples are mostly startup.
      operations = Self.rounded(Double(operations) * min(factor, 10), to: batch)
      if factor < 2 { break }
    }
    var isSteady = false
    var shortest = Double.infinity
    for _ in 0..<limit where !isSteady {
      let sample = try measure(operations)
      let time = Double(sample.nanoseconds * threads) / Double(sample.operations)
      isSteady = abs(time - previous) <= 0.05 * previous
      shortest = min(shortest, time)
      previous = time
    }
    // By the shortest: if a thread has to wait for its core, a few operations look like many.
    self.operations = Self.rounded(Double(nanoseconds) / shortest, to: batch)
    self.isSteady = isSteady
  }

  private static func rounded(_ operations: Double, to batch: Int) -> Int {
    // Limited, because the optimizer may remove a loop.
    max(1, Int((min(operations, 1e12) / Double(batch)).rounded())) * batch
  }
}
