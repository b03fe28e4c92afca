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
      threads(of: scenario).map { threads in
        scenario.implementations.map { Cell(scenario: scenario, implementation: $0, threads: threads) }
      }
    }
  }

  /// The numbers of threads on which a scenario is measured.
  func threads(of scenario: Scenario) -> [Int] {
    scenario.isSingleThreaded ? [1] : threads.filter { scenario.threads?.contains($0) ?? true }
  }

  /// How many lines the table has.
  var cellCount: Int {
    scenarios.reduce(0) { $0 + threads(of: $1).count }
  }

  /// About how long the run will take, in seconds.
  var expectedSeconds: Double {
    scenarios.reduce(0) { $0 + seconds(for: $1) }
  }

  /// A sample in this process is preceded by a tenth of itself and the start of its threads; calibration takes a few.
  private func seconds(for scenario: Scenario) -> Double {
    let cells = Double(scenario.implementations.count * threads(of: scenario).count)
    if let ownProcess = scenario.ownProcess {
      return cells * Double((1...rounds).count { scenario.isMeasured(in: $0) }) * ownProcess.seconds
    }
    return cells * (Double(rounds) * 1.15 + 4) * Double(sampleNanoseconds) * 1e-9
  }
}
