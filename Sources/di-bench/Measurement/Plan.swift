/// What a run measures and how long it takes for it.
struct Plan: Sendable {
  let scenarios: [Scenario]
  let threads: [Int]

  /// How many samples each cell gets.
  let rounds: Int

  /// How long a sample should take.
  let sampleNanoseconds: Int

  /// Decides the order in which cells are measured.
  let seed: UInt64

  /// The cells that are compared with each other, and so are measured one right after the other.
  func groups() -> [[Cell]] {
    scenarios.flatMap { scenario in
      threads.map { threads in
        scenario.implementations.map { Cell(scenario: scenario, implementation: $0, threads: threads) }
      }
    }
  }

  /// About how long the run will take, in seconds.
  ///
  /// A sample is preceded by a tenth of itself and the start of its threads; calibration takes a few samples.
  var expectedSeconds: Double {
    let cells = scenarios.reduce(0) { $0 + $1.implementations.count } * threads.count
    return Double(cells) * (Double(rounds) * 1.15 + 4) * Double(sampleNanoseconds) * 1e-9
  }
}
