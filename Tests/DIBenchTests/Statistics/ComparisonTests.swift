internal import Foundation
internal import Testing

@testable import DIBenchmarking
@testable import di_bench

struct ComparisonTests {
  private static let dictionary = Benchmark.Implementation.lockedDictionary

  /// A run of a cell in which the container takes about this many nanoseconds, give or take, in each launch.
  private func run(
    _ time: Double, spread: Double = 0.02, launches: Int = 8, seed: UInt64 = 1, scenario: String = "resolve/shared",
    threads: Int = 1, gate: Benchmark.Gate = .fine, _ change: (inout ResultRow) -> Void = { _ in }
  ) -> [ResultRow] {
    var generator = RandomGenerator(seed: seed)
    return (0..<launches).flatMap { launch in
      // A launch is slow as a whole, references included; a little of that belongs to each of them alone.
      let load = Double.random(in: 1...1.1, using: &generator)
      let luck = (0..<3).map { _ in 1 + Double.random(in: -spread...spread, using: &generator) }
      return SampleRows.rows(
        [
          "container": time * load * luck[0], "reference/static-let": 15 * load * luck[1],
          Self.dictionary: 100 * load * luck[2],
        ], scenario: scenario, threads: threads, launch: launch + 1, gate: gate, change)
    }
  }

  private func comparison(_ base: [ResultRow], _ head: [ResultRow]) -> Comparison {
    Comparison(base: base, head: head, threshold: 0.1)
  }

  private func verdict(_ base: [ResultRow], _ head: [ResultRow]) -> CellComparison.Verdict? {
    comparison(base, head).cells.first?.verdict
  }

  @Test("A quarter more is a regression, a quarter less an improvement, and launches that differ decide nothing")
  func verdicts() {
    // A quarter more is a regression, a quarter less an improvement; several threads are gated at half as long again.
    do {
      #expect(
        (verdict(run(20), run(25, seed: 2)), verdict(run(25), run(20, seed: 2)), verdict(run(20), run(20, seed: 2)))
          == (
            .slower, .faster, .unchanged
          ))
      // More than the threshold matters: five percent do not, and an interval above it proves nothing.
      let exactly = { (time: Double, gate: Benchmark.Gate) in self.run(time, spread: 0, gate: gate) }
      #expect(
        (verdict(exactly(20, .fine), exactly(19, .fine)), verdict(exactly(20, .none), exactly(23, .none)))
          == (.unchanged, .inconclusive))
      #expect(
        (verdict(run(20), run(21, seed: 2)), comparison(run(20), run(25, seed: 2)).failure(isStrict: false)?.code) == (
          .unchanged, .regression
        ))
      #expect(comparison(run(20), run(20, seed: 2)).failure(isStrict: true) == nil)
      let (mean, furthest) = (
        "-0.4 % in the geometric mean; of 1 gated cell, ", "; furthest: resolve/shared (1) -0.4 %"
      )
      #expect(
        (
          comparison(run(20), run(20, seed: 2)).conclusion, verdict(run(20, threads: 2), run(25, seed: 2, threads: 2)),
          verdict(run(20, threads: 2), run(34, seed: 2, threads: 2)),
          comparison(run(20, threads: 2), run(34, seed: 2, threads: 2)).failure(isStrict: false)?.code
        ) == ("Not slower: \(mean)1 unchanged\(furthest).", .unchanged, .slower, .regression))
    }
    // Launches that differ too much, or are too few, decide nothing, and that is said and counted.
    do {
      #expect(verdict(run(20, spread: 0.5), run(25, spread: 0.5, seed: 2)) == .inconclusive)
      for launches in 1...3 {
        let few = comparison(run(20, launches: launches), run(20, launches: launches, seed: 2))
        #expect(few.cells.count { $0.interval == nil } == 1)
        #expect(
          few.conclusion.wholeMatch(
            of: /No regression proved: -1\.\d % in the geometric mean; of 1 gated cell, 1 undecided; furthest: .*\./)
            != nil)
        #expect(
          few.failure(isStrict: false)
            == CommandFailure(
              .unproved, "Too few launches to find a cell slower: use --launches 4 in both"))
      }
      // The more cells there are, the more launches it takes, however much slower all of them are.
      let cells = { (time: Double, launches: Int) in
        (0..<12).flatMap { self.run(time, launches: launches, seed: UInt64($0) + 1, scenario: "resolve/\($0)") }
      }
      #expect(
        comparison(cells(20, 4), cells(60, 4)).failure(isStrict: false)?.message
          == "Too few launches to find a cell slower: use --launches 5 in both")
      let slower = comparison(cells(20, 5), cells(60, 5))
      #expect(slower.regressed.count == 12)
      #expect(
        slower.conclusion.hasPrefix("Slower: resolve/0 (1), resolve/1 (1), resolve/2 (1), …; "), "\(slower.conclusion)")
      let scenarios = ["resolve/0", "resolve/1", "resolve/2"]
      let three = [cells(20, 5), cells(60, 5)].map { rows in rows.filter { scenarios.contains($0.scenario) } }
      #expect(
        comparison(three[0], three[1]).conclusion.hasPrefix("Slower: resolve/0 (1), resolve/1 (1), resolve/2 (1); "))
      let one = cells(60, 4).filter { $0.scenario == "resolve/0" } + cells(20, 4).filter { $0.scenario != "resolve/0" }
      #expect(comparison(cells(20, 4), one).failure(isStrict: false)?.code == .unproved)
      // What an interval shows needs no more.
      #expect(comparison(cells(20, 4), cells(20, 4)).failure(isStrict: true) == nil)
    }
  }

  @Test(
    "A tenfold slowdown of any gated cell of a default run is found, and of nothing else",
    arguments: [1, 16])
  func tenfold(cores: Int) {
    let plan = PlanOptions.defaults(Benchmark.all, cores: cores)
    // A row for each launch in which the plan has a sample of the cell.
    let cells = { (seed: UInt64) -> [[ResultRow]] in
      plan.benchmarks.flatMap { scenario in
        plan.threads(of: scenario).map { threads in
          let launches = (1...plan.launches).count { launch in
            (1...plan.rounds).contains { plan.isMeasured(scenario, launch: launch, round: $0) }
          }
          return self.run(
            20, launches: launches, seed: seed + UInt64(threads), scenario: scenario.label, threads: threads,
            gate: plan.gate(of: scenario, threads: threads)
          ) { $0.process = scenario.ownProcess == nil ? .shared : .own }
        }
      }
    }
    let (base, head) = (cells(1), cells(100))
    let gated = head.indices.filter { head[$0][0].gate != Benchmark.Gate.none }
    #expect(gated.count > 80)
    // Each of them is as probable as any other, so a few stand for those around them.
    for slow in stride(from: 0, to: gated.count, by: gated.count / 3).map({ gated[$0] }) {
      var rows = head
      for index in rows[slow].indices {
        if rows[slow][index].role == .subject { rows[slow][index].nanoseconds *= 10 }
        rows[slow][index].ratioOfSubject = rows[slow][index].ratioOfSubject.map { $0 * 10 }
      }
      let comparison = comparison(base.flatMap { $0 }, rows.flatMap { $0 })
      #expect(
        comparison.regressed.map { "\($0.label) \($0.key.threads)" } == [
          "\(rows[slow][0].scenario) \(rows[slow][0].threads)"
        ])
    }
    // And each has launches enough to be found beside all the others.
    let family = RankTest.corrected(
      gated.map { index in
        let launches = Set(head[index].map(\.launch)).count
        let smallest = RankTest.smallestProbability(launches, launches)
        return (smallest, smallest)
      })
    #expect(family.allSatisfy { ($0 ?? 1) < RankTest.significance })
  }

  @Test("What cannot regress is not gated, and does not make it harder for the others")
  func ungated() {
    let noise = { (seed: UInt64) in
      (0..<500).flatMap { index in
        self.run(20, launches: 1, seed: seed, scenario: "a/\(index)")
      }
    }
    let comparison = comparison(run(20) + noise(5), run(25, seed: 2) + noise(6))
    #expect(comparison.regressed.map(\.label) == ["resolve/shared"])
    // A cell that is not gated decides nothing.
    let free = self.comparison(run(20, gate: .none), run(200, seed: 2, gate: .none))
    #expect(
      (free.regressed.isEmpty, free.conclusion, free.failure(isStrict: true)?.code) == (
        true, "No regression proved: of 0 gated cells, none measured.", .unproved
      ))
    // The base says what is gated. A coarse gate is half as long again or the threshold, for the time only.
    #expect(self.comparison(run(20), run(20, gate: .none)).cells.map(\.limit) == [0.1])
    let coarse = [100.0, 120].map { bytes in run(20, gate: .coarse) { $0.bytes = bytes } }
    #expect(
      (
        [0.1, 0.8].map { Comparison(base: coarse[0], head: coarse[1], threshold: $0).cells[0].limit },
        verdict(coarse[0], coarse[1])
      ) == ([0.5, 0.8], .heavier))
  }

  @Test(
    "A cell that is missing, is measured differently, or whose control has moved is no pass, and none of this is advice"
  )
  func incomparable() {
    let missing = comparison(run(20) + run(20, scenario: "resolve/new"), run(20, seed: 2))
    #expect(
      (missing.conclusion.contains("; of 2 gated cells, 1 unchanged, 1 missing; "), missing.failure(isStrict: false))
        == (true, CommandFailure(.incomparable, "Not comparable: resolve/new (1)")))

    let changed = comparison(run(20), run(20, seed: 2) { $0.harness = "y" })
    #expect(
      (changed.conclusion, changed.failure(isStrict: false)?.code)
        == ("Not comparable: of 1 gated cell, 1 measured differently.", .incomparable))
    // Another subject is nothing to compare with, even if the files do not tell how either was measured.
    let subjects = ["container", "operation"].map { name in
      run(20) { row in
        if row.role == .subject { (row.implementation, row.harness) = (name, nil) }
      }
    }
    #expect(comparison(subjects[0], subjects[1]).cells.map(\.change) == [nil])
    // Of what is not gated, only a missing cell counts.
    let free = run(20, scenario: "resolve/new", gate: .none)
    let freelyChanged = run(20, scenario: "resolve/new", gate: .none) { $0.harness = "y" }
    #expect(
      (
        comparison(run(20) + free, run(20)).failure(isStrict: false)?.code,
        comparison(run(20) + free, run(20) + freelyChanged).failure(isStrict: false)
      ) == (.incomparable, nil))

    // Both references are a quarter slower, and so is what is measured: the ratio stays.
    let slowed = comparison(
      run(20),
      run(25, seed: 2) { row in
        if row.role != .subject {
          row.nanoseconds *= 1.25
          row.ratioOfSubject = row.ratioOfSubject.map { $0 / 1.25 }
        }
      })
    #expect(
      (slowed.cells.map(\.verdict), slowed.conclusion)
        == ([.moved], "Not comparable: of 1 gated cell, 1 control moved."))

    // A control may differ by the threshold, in either direction, or from machine to machine, or by a coincidence.
    let launches = { (times: [Double], host: String) in
      times.enumerated().flatMap { index, time in
        SampleRows.rows(["container": 2 * time, "reference/x": time], launch: index + 1) { $0.hostHash = host }
      }
    }
    let ten = [Double](repeating: 10, count: 8)
    let cases: [(base: [Double], head: [Double], host: String, CellComparison.Verdict)] = [
      (ten, ten.map { $0 * 1.05 }, "h", .unchanged), (ten, ten.map { $0 * 0.95 }, "h", .unchanged),
      (ten, ten.map { $0 * 1.17 }, "h", .moved), (ten, ten.map { $0 * 0.75 }, "h", .moved),
      (ten, ten.map { $0 * 2 }, "other", .unchanged),
      // Of 70 orders, two are as uneven in this direction, and two in the other.
      ([10, 10, 10, 12], [13, 14, 15, 16], "h", .unchanged),
    ]
    for (base, head, host, expected) in cases {
      #expect(verdict(launches(base, "h"), launches(head, host)) == expected, "\(head)")
    }

    let added = comparison(run(20), run(20, seed: 2) + run(20, scenario: "resolve/new"))
    #expect(added.conclusion.contains("; of 1 gated cell, 1 unchanged, 1 added; "))
    // Cells are in the order of the head, and names tell the sizes of both apart.
    let cells = { (names: [String], size: Int) in
      names.flatMap { self.run(20, launches: 1, scenario: $0) { $0.registrations = size } }
    }
    #expect(
      (
        comparison(cells(["a", "b"], 1), cells(["b", "c"], 1)).cells.map(\.label),
        comparison(cells(["a"], 1), cells(["a"], 2)).cells.map(\.label)
      ) == (["b", "c", "a"], ["a/2", "a/1"]))
    let onlyAdded = comparison(run(20, gate: .none), run(20, seed: 2, gate: .none) + run(20, scenario: "resolve/new"))
    #expect(
      (onlyAdded.conclusion, onlyAdded.failure(isStrict: true)?.code) == (
        "No regression proved: of 0 gated cells, 1 added.", .unproved
      ))
  }

  @Test("Between different machines it is advisory, and any more allocations are a regression")
  func machines() {
    // Between different machines it is advisory, never not slower, and nothing fails but what is strict.
    do {
      let cases: [Double] = [20, 40.0]
      for time in cases {
        let comparison = comparison(run(20), run(time, seed: 2) { $0.hostHash = "other" })
        #expect(
          comparison.conclusion.hasPrefix("Advisory, because machines or compilers differ: ")
            && !comparison.conclusion.contains("Not slower"))
        #expect(
          comparison.conclusion.contains(time == 20 ? "No regression proved" : "Slower")
            && comparison.failure(isStrict: false) == nil)
        #expect(comparison.failure(isStrict: true)?.code == .unproved)
      }
      // Neither are launches too few there; one of them from another machine is enough.
      let few = comparison(run(20, launches: 2), run(20, launches: 2) { $0.hostHash = "other" })
      #expect(few.failure(isStrict: false) == nil)
      #expect(!comparison(run(20), run(20) { if $0.launch == 8 { $0.hostHash = "other" } }).isSameMachine)
      // One debug build is enough, too.
      let (debug, optimized) = (run(20) { $0.status = .debug }, run(20))
      #expect(comparison(debug, optimized).isDebug && comparison(optimized, debug).isDebug)
    }
    // Any more allocations are a regression, gated or not, less are noted, and so are more bytes than launches differ by.
    do {
      let counted = { (count: Double) in { (row: inout ResultRow) in row.allocations = count } }
      for gate in [Benchmark.Gate.fine, .none] {
        let tripled = comparison(run(20, gate: gate, counted(1)), run(20, seed: 2, gate: gate, counted(3)))
        #expect(
          (tripled.regressed.map(\.notes), tripled.failure(isStrict: false)?.code) == (
            [["allocations 1.00 → 3.00"]], .regression
          ))
        #expect(tripled.summary.text.contains(" cell, 1 needs more memory"), "\(tripled.summary.text)")
      }
      let less = comparison(run(20, counted(1.011)), run(20, seed: 2, counted(1)))
      #expect(less.cells.map(\.notes) == [["allocations 1.01 → 1.00"]])
      #expect(comparison(run(20, counted(1)), run(20, counted(1.005))).cells.map(\.notes) == [[]])
      #expect(verdict(run(20, counted(1)), run(30, counted(3))) == .slower)
      #expect(less.failure(isStrict: true) == nil)
      #expect(comparison(run(20, counted(1)), run(20, seed: 2)).failure(isStrict: false)?.code == .regression)
      var generator = RandomGenerator(seed: 1)
      let bytes = { (count: Double) -> [ResultRow] in
        self.run(20) { $0.bytes = count + Double.random(in: -0.5...0.5, using: &generator) }
      }
      #expect(
        comparison(bytes(300), bytes(300)).regressed.isEmpty && comparison(bytes(300), bytes(320)).regressed.isEmpty)
      // More bytes in the median are not enough: in every one of four launches or more, and by the threshold.
      let cases: [(base: [Double], head: [Double], isHeavier: Bool)] = [
        ([100, 100, 100, 100], [120, 120, 120, 120], true), ([100, 100, 100], [120, 120, 120, 120], false),
        ([100, 100, 100, 100], [120, 120, 120], false), ([100, 100, 100, 200], [150, 150, 150, 150], false),
        ([0, 0, 0, 0], [0.5, 0.5, 0.5, 0.5], false), ([-100, -100, -100, -100], [-95, -95, -95, -95], false),
      ]
      for (base, head, isHeavier) in cases {
        let rows = [base, head].map { bytes in run(20, launches: bytes.count) { $0.bytes = bytes[$0.launch - 1] } }
        #expect((verdict(rows[0], rows[1]) == .heavier) == isHeavier, "\(base) \(head)")
      }
      let heavier = comparison(bytes(300), bytes(340))
      #expect(heavier.regressed.first?.notes.first?.hasPrefix("bytes 300") == true)
      #expect(heavier.conclusion.hasPrefix("Needs more memory: resolve/shared (1); "), "\(heavier.conclusion)")
      let both = comparison(
        run(20, counted(1)) + run(20, scenario: "resolve/new"),
        run(20, seed: 2, counted(3)) + run(30, seed: 2, scenario: "resolve/new"))
      #expect(
        both.failure(isStrict: false)?.message
          == "Slower than before: resolve/new (1); Needs more memory: resolve/shared (1)")
      #expect(both.conclusion.hasPrefix("Slower: resolve/new (1); "))
    }
  }

  @Test("The control is the quieter reference, false alarms are rare, and a quarter more is found")
  func power() {
    // The control is the quieter reference, and there is none where each sample has a process of its own.
    do {
      let noisy = { (name: String) in
        { (row: inout ResultRow) in
          if row.implementation == name {
            row.ratioOfSubject = row.ratioOfSubject.map { $0 * (1 + Double(row.launch % 3)) }
          }
        }
      }
      for (name, other) in [(Self.dictionary, "reference/static-let"), ("reference/static-let", Self.dictionary)] {
        #expect(comparison(run(20, noisy(name)), run(20, seed: 2, noisy(name))).cells.map(\.control) == [other])
      }
      // Only what both have, with ratios.
      let (base, head) = (run(20, noisy("reference/static-let")), run(20, seed: 2, noisy("reference/static-let")))
      let lacking = head.filter { $0.implementation != Self.dictionary }
      #expect(comparison(base, lacking).cells.map(\.control) == ["reference/static-let"])
      let silent = [base, head].map { rows in
        rows.map { row in
          var row = row
          if row.implementation == Self.dictionary { row.ratioOfSubject = nil }
          return row
        }
      }
      #expect(comparison(silent[0], silent[1]).cells.map(\.control) == ["reference/static-let"])
      let own = run(20, seed: 2) { $0.process = .own }
      for base in [own, run(20)] {
        let cell = comparison(base, own).cells[0]
        #expect((cell.control, cell.verdict) == (nil, .unchanged))
      }
    }
    // Of a hundred comparisons of the same, next to none is a false alarm, however noisy the launches are.
    do {
      let alarms = (0..<100).count { index in
        let spread = [0.02, 0.1, 0.3][index % 3]
        let cells = { (seed: Int) in
          (0..<5).flatMap { self.run(20, spread: spread, seed: UInt64(seed * 5 + $0), scenario: "a/\($0)") }
        }
        return comparison(cells(2 * index), cells(2 * index + 1)).failure(isStrict: false) != nil
      }
      #expect(alarms <= 1, "\(alarms) of 100")
    }
    // A quarter more is found in at least nine of ten runs of sixty cells, if launches differ by a few percent.
    do {
      let found = (0..<10).count { index in
        let cells = { (seed: UInt64, slow: Bool) in
          (0..<60).flatMap { cell in
            self.run(
              slow && cell == index ? 25 : 20, spread: 0.03, seed: seed * 1000 + UInt64(cell), scenario: "a/\(cell)")
          }
        }
        return comparison(cells(UInt64(2 * index), false), cells(UInt64(2 * index + 1), true)).regressed.map(\.label)
          == ["a/\(index)"]
      }
      #expect(found >= 9, "\(found) of 10")
    }
  }
}
