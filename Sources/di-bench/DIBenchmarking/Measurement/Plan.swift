/// The benchmarks, threads, launches and samples of a run.
struct Plan: Sendable {
  let benchmarks: [Benchmark]
  /// The numbers of threads of the run, and whether somebody asked for them.
  let threads: [Int]
  var asksForThreads = true

  /// The number of processes that measure everything, one after the other.
  ///
  /// The layout of memory differs from launch to launch and stays the same within one, so samples of one launch are
  /// alike in a way that says nothing about the next: statistics count launches, not samples.
  var launches = 1
  let rounds, sampleNanoseconds: Int
  let seed: UInt64

  /// The candidates of each cell, which are compared with each other, and so are measured one right after the other.
  func cells() -> [[Candidate]] {
    benchmarks.flatMap { benchmark in
      threads(of: benchmark).map { threads in
        benchmark.implementations.map { Candidate(benchmark: benchmark, implementation: $0, threads: threads) }
      }
    }
  }

  /// Returns the numbers of threads on which a benchmark is measured: its own that were requested, or its first.
  func threads(of benchmark: Benchmark) -> [Int] {
    guard let own = benchmark.threads else { return threads }
    let asked = asksForThreads ? own.filter { threads.contains($0) } : own
    return asked.isEmpty ? [own[0]] : asked
  }

  var cellCount: Int { benchmarks.reduce(0) { $0 + threads(of: $1).count } }
  /// The harness and the threads of each cell.
  var cellIdentities: Set<String> {
    Set(benchmarks.flatMap { benchmark in threads(of: benchmark).map { "\(harness(of: benchmark)) \($0)" } })
  }

  /// Lines that tell what each benchmark is, what it is compared with, on which threads, and how it is gated.
  var lines: [String] {
    let width = (benchmarks.map(\.label.count).max() ?? 0) + 2
    return benchmarks.flatMap { benchmark in
      let others = Dictionary(grouping: benchmark.implementations.dropFirst(), by: \.isControl)
      // A control is no reference: it only shows how fast the machine is.
      let comparisons = [(false, "compared with "), (true, "measured alongside ")].compactMap { isControl, what in
        others[isControl].map { what + $0.map(\.name).joined(separator: ", ") }
      }
      let gates = [Benchmark.Gate.fine, .coarse, .none].compactMap { gate -> String? in
        let threads = threads(of: benchmark).filter { self.gate(of: benchmark, threads: $0) == gate }
        guard let last = threads.last else { return nil }
        let list = threads.map { "\($0)" }.joined(separator: ", ")
        return list + (last == 1 ? " thread " : " threads ") + gate.summary
      }
      return [
        benchmark.label + String(repeating: " ", count: width - benchmark.label.count) + benchmark.summary,
        String(repeating: " ", count: width) + (comparisons + gates).joined(separator: "; "),
      ]
    }
  }

  /// Returns a Boolean value that indicates whether a benchmark is measured in a round of a launch.
  ///
  /// Rounds are numbered across launches, so that slow benchmarks are measured only in some launches.
  func isMeasured(_ benchmark: Benchmark, launch: Int, round: Int) -> Bool {
    ((launch - 1) * rounds + round - 1).isMultiple(of: benchmark.ownProcess?.interval ?? 1)
  }

  func isMeasured(inLaunch launch: Int) -> Bool {
    benchmarks.contains { benchmark in (1...rounds).contains { isMeasured(benchmark, launch: launch, round: $0) } }
  }

  /// Returns the gate of a cell.
  ///
  /// A cell is gated coarsely where threads disturb each other or no control can be paired. It is not gated where not
  /// every launch has a sample, because too few could never be significant.
  func gate(of benchmark: Benchmark, threads: Int) -> Benchmark.Gate {
    guard let ownProcess = benchmark.ownProcess else {
      return threads > 1 && benchmark.gate == .fine ? .coarse : benchmark.gate
    }
    return ownProcess.interval > rounds || benchmark.gate == .none ? .none : .coarse
  }

  /// Returns eight digits that identify what makes times of a benchmark comparable: what is done, and how it is timed.
  func harness(of benchmark: Benchmark) -> String {
    let names = benchmark.implementations.map(\.name).joined(separator: ",")
    let parts = [
      Build.harness, benchmark.label, benchmark.summary, "\(benchmark.depth)", names, "\(rounds)",
      "\(sampleNanoseconds)",
    ]
    return RunEnvironment.hash(parts.joined(separator: "\n"))
  }

  var expectedSeconds: Double {
    // In the first launch, processes count the objects that operations allocate.
    let counted = benchmarks.count { $0.ownProcess == nil && threads(of: $0).contains(1) }
    return benchmarks.reduce(0) { $0 + seconds(for: $1) } + Double(launches) * 0.2 + 0.05 * Double(counted)
  }

  /// A sample in this process follows a warm-up of a tenth of it and the start of its threads; calibration takes a few.
  private func seconds(for benchmark: Benchmark) -> Double {
    let candidates = Double(benchmark.implementations.count * threads(of: benchmark).count)
    if let ownProcess = benchmark.ownProcess {
      let samples = (1...launches).reduce(0) { count, launch in
        count + (1...rounds).count { isMeasured(benchmark, launch: launch, round: $0) }
      }
      return candidates * Double(samples) * ownProcess.seconds
    }
    // Threads that disturb each other may take twice as long as they should.
    let alone = Double(threads(of: benchmark).contains(1) ? benchmark.implementations.count : 0)
    return (2 * candidates - alone) * Double(launches) * (Double(rounds) * 1.15 + 5) * Double(sampleNanoseconds) * 1e-9
  }

  /// The numbers of threads that show how a machine scales: the powers of two up to twice its cores, and the cores.
  static func threads(cores: Int) -> [Int] {
    let powers = sequence(first: 1) { $0 * 2 }.prefix { $0 <= 2 * cores }
    return Set(powers + [cores]).sorted()
  }
}
