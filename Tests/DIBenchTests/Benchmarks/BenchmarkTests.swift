internal import DependencyInjection
internal import Foundation
internal import Testing

@testable import DIBenchmarking

struct BenchmarkTests {
  private let short = ["run", "--quick", "--launches=2", "--rounds=2", "--output=a.csv"]

  private func run(_ arguments: [String], _ benchmarks: Benchmark..., body: (Transcript, URL) throws -> Void) throws {
    try withTemporaryFolder { folder in
      try body(Transcript(arguments, in: folder, benchmarks: benchmarks, hasOwnStress: false), folder)
    }
  }

  @Test("An operation is measured beside its reference, or a control, and gets the value of a setup that is done once")
  func reference() throws {
    // An operation is measured beside its reference, on the threads that it names, or else beside a control.
    do {
      let benchmark = Benchmark("sum", threads: [1, 3], operation: { (0..<100).reduce(0, +) }, reference: { 4950 })
      try run(short, benchmark) { transcript, folder in
        #expect(transcript.exitCode == .success, "\(transcript.errors)")
        let rows = try ResultFile.read(folder.appending(path: "a.csv").path)
        #expect(
          Set(rows.map { "\($0.threads) \($0.implementation) \($0.role)" }) == [
            "1 operation subject", "1 reference/own reference", "3 operation subject", "3 reference/own reference",
          ])
        #expect(rows.filter { $0.role == .reference }.allSatisfy { $0.ratioOfSubject != nil })
      }
      do {
        try run(short, Benchmark("sum", threads: [1]) { (0..<100).reduce(0, +) }) { transcript, folder in
          #expect(transcript.exitCode == .success, "\(transcript.errors)")
          let rows = try ResultFile.read(folder.appending(path: "a.csv").path)
          #expect(Set(rows.map(\.role)) == [.subject, .other])
          #expect(ResultGroup.groups(of: rows).allSatisfy { $0.reference == nil && $0.controls.count == 1 })
        }
      }
    }
    // The setup is done once for the operation and once for the reference, and all operations get its value.
    do {
      let made = Locked(0)
      let benchmark = Benchmark(
        "set-up",
        setUp: {
          made.withLock {
            $0 += 1
            return $0
          }
        }, operation: { $0 }, reference: { $0 }, check: { $0 == 1 || $0 == 2 })
      for implementation in benchmark.implementations {
        let workload = implementation.makeWorkload()
        for _ in 0..<3 { try workload.run(10, 0) }
      }
      #expect(made.withLock { $0 } == 2)
    }
  }

  private struct Broken: Error {}

  @Test("A wrong result, an operation that fails and a setup that fails each end the run with what is wrong")
  func wrong() throws {
    let wrong = "Invariant violated: a operation at 1 thread: "
    let broken = { @Sendable (fails: Bool) throws -> Int in if fails { throw Broken() } else { 1 } }
    try run(
      short,
      Benchmark("a", threads: [1], operation: { 1 }, check: { $0 == 2 })
    ) { transcript, _ in
      #expect(
        (transcript.exitCode, transcript.errors) == (
          .invariantViolated, "Error: \(wrong)1 of 1 operations returned something other than expected\n"
        ))
    }
    try run(short, Benchmark("a", threads: [1]) { try broken(true) }) { transcript, _ in
      #expect(transcript.errors == "Error: \(wrong)an operation failed: Broken()\n")
    }
    try run(short, Benchmark("a", threads: [1], setUp: { try broken(true) }, operation: { $0 })) { transcript, _ in
      #expect(transcript.errors == "Error: \(wrong)an operation failed: Broken()\n")
    }
  }

  @Test("A declaration that makes no sense is refused with its file and line")
  func mistakes() throws {
    let list = ["list"]
    let at = { (line: Int) in "Error: DIBenchTests/BenchmarkTests.swift:\(line): " }
    try run(list, Benchmark("", operation: { 1 }, line: 1)) { transcript, _ in
      #expect((transcript.exitCode, transcript.errors) == (.usage, at(1) + "A benchmark has no name: give it one\n"))
    }
    try run(list, Benchmark("a", threads: [256], operation: { 1 }, line: 2)) { transcript, _ in
      #expect(transcript.errors == "")
    }
    for threads in [[0, 2], [257], []] {
      try run(list, Benchmark("a", threads: threads, operation: { 1 }, line: 2)) { transcript, _ in
        #expect(
          transcript.errors == at(2) + "'a' has \(threads) as its threads: give numbers from 1 to 256, each once\n")
      }
    }
    try run(list, Benchmark("a", threads: [1, 1], operation: { 1 }, line: 2)) { transcript, _ in
      #expect(transcript.errors == at(2) + "'a' has [1, 1] as its threads: give numbers from 1 to 256, each once\n")
    }
    try run(list, Benchmark("a", operation: { 1 }, line: 3), Benchmark("a", operation: { 1 }, line: 4)) {
      transcript, _ in
      let first = "DIBenchTests/BenchmarkTests.swift:3"
      #expect(
        transcript.errors == at(4) + "'a' is also the name of a benchmark at \(first): give one of them another name\n")
    }
    let end = "has a line end: write names and summaries in one line\n"
    try run(list, Benchmark("a\nb", operation: { 1 }, line: 5)) { transcript, _ in
      #expect((transcript.exitCode, transcript.errors) == (.usage, at(5) + "'a\\nb' \(end)"))
    }
    try run(list, Benchmark("a", "b\r\nc", operation: { 1 }, line: 6)) { transcript, _ in
      #expect(transcript.errors == at(6) + "'b\\nc' \(end)")
    }
    try run(list, Benchmark("a", "b", .init("c\nd", Workload { _, _ in }), line: 7)) { transcript, _ in
      #expect(transcript.errors == at(7) + "'c\\nd' \(end)")
    }
    try run(list, Benchmark("a", "b", .init("c", Workload { _, _ in }), .init("c", Workload { _, _ in }), line: 8)) {
      transcript, _ in
      #expect(
        transcript.errors == at(8) + "'a' has two implementations of one name: give one of them another name\n")
    }
    let nameless = Benchmark("", "b", size: 1, .init("c", Workload { _, _ in }), line: 9)
    try run(list, nameless) { transcript, _ in
      #expect(transcript.errors == at(9) + "A benchmark has no name: give it one\n")
    }
    let named = Benchmark.Implementation("c", Workload { _, _ in })
    let unreadable = [
      Benchmark("a", "b", depth: 0, named, line: 10), Benchmark("a", "b", size: -1, named, line: 10),
      Benchmark("a", "b", line: 10), Benchmark("a", "b", named, .init("", Workload { _, _ in }), line: 10),
    ]
    for benchmark in unreadable {
      try run(list, benchmark) { transcript, _ in
        let needs = "needs a depth above 0, no size below 0, and named implementations\n"
        #expect(transcript.errors == at(10) + "'\(benchmark.label)' \(needs)")
      }
    }
    try run(list, Benchmark("a", "b", size: 0, named)) { transcript, _ in #expect(transcript.errors == "") }
    try run(["run"]) { transcript, _ in
      #expect(transcript.errors.hasPrefix("Error: There is nothing to measure: declare a benchmark, or a root\n"))
    }
  }

  @Test("Of its own threads, those that were requested are measured, and a builder takes conditions, loops and lists")
  func threads() {
    // Of its own numbers of threads, those that were requested are measured, or the first if none was.
    do {
      let cases: [([Int], [Int])] = [([1, 2], [2]), ([5], [2]), ([4, 8], [4, 8])]
      for (asked, measured) in cases {
        let benchmark = Benchmark("a", threads: [2, 4, 8]) { 1 }
        var plan = Plan(benchmarks: [benchmark], threads: asked, rounds: 1, sampleNanoseconds: 1, seed: 1)
        #expect(plan.threads(of: benchmark) == measured)
        plan.asksForThreads = false
        #expect(plan.threads(of: benchmark) == [2, 4, 8])
      }
    }
    // A builder takes benchmarks from conditions, loops and lists.
    do {
      @BenchmarkBuilder func make(_ isLong: Bool) -> [Benchmark] {
        Benchmark("a") { 1 }
        if isLong { Benchmark("b") { 1 } }
        if isLong { Benchmark("long") { 1 } } else { Benchmark("short") { 1 } }
        for name in ["c", "d"] { Benchmark(name) { 1 } }
        [Benchmark("e") { 1 }, Benchmark("f") { 1 }]
      }
      #expect(
        (make(true).map(\.label), make(false).map(\.label)) == (
          ["a", "b", "long", "c", "d", "e", "f"], ["a", "short", "c", "d", "e", "f"]
        ))
    }
  }

  @Test("Under stress, threads run all benchmarks at once, and a wrong result has the status that it has in a run")
  func stress() throws {
    let threads = Locked<Set<String>>([])
    let noting = { (name: String) in
      Benchmark("stress/\(name)") {
        threads.withLock { $0.insert(name).memberAfterInsert }
      } check: {
        $0 == name
      }
    }
    let stress = ["stress", "--duration=0.2", "--threads=3", "--seed=7"]
    try run(
      stress, noting("a"), noting("b"),
      Benchmark("alone", threads: [1], operation: { 1 }, check: { $0 == 2 })
    ) { transcript, _ in
      #expect(
        (
          transcript.exitCode, transcript.output.hasPrefix("Racing 3 threads for 0.20 s, seed 7.\n"),
          transcript.output.hasSuffix(": nothing is wrong\n"), threads.withLock { $0 }
        ) == (.success, true, true, ["a", "b"]), "\(transcript.errors)")
    }
    try run(
      stress,
      Benchmark("a", operation: { 1 }, check: { $0 == 2 })
    ) { transcript, _ in
      #expect(
        (transcript.exitCode, transcript.errors.hasPrefix("Error: Invariant violated: a operation: ")) == (
          .invariantViolated, true
        ), "\(transcript.errors)")
    }
    // A wrong result at the end is one, too. What needs a process of its own does not race.
    let unable = Workload { _, _ in }.with {
      $0.finish = { () throws(Violation) in throw Violation(message: "at the end") }
    }
    let own = Workload { _, _ throws(Violation) in throw Violation(message: "raced") }
    try run(
      stress, Benchmark("a", "a test", .init("x", unable)),
      Benchmark("own", "a test", inOwnProcess: .quick, .init("x", own))
    ) { transcript, _ in
      #expect(
        (transcript.exitCode, transcript.errors)
          == (.invariantViolated, "Error: Invariant violated: a x: at the end\n"))
    }
    // The seed decides the order, which differs from round to round, and an interruption ends the race.
    let orders = ["1", "1", "2"].map { seed in
      let (interrupt, names) = (Interrupt(), Locked<[Int]>([]))
      let benchmarks = (0..<9).map { index in
        Benchmark(
          "\(index)", "a test",
          .init(
            "x",
            Workload { _, _ in
              if names.withLock({
                $0.append(index); return $0.count
              }) == 250 {
                interrupt.request()
              }
            }))
      }
      let transcript = Transcript(
        ["stress", "--duration=900000", "--threads=1", "--seed", seed], in: FileManager.default.temporaryDirectory,
        benchmarks: benchmarks, interrupt: interrupt, hasOwnStress: false)
      #expect((transcript.exitCode, transcript.errors) == (.interrupted, "Error: Interrupted\n"))
      return names.withLock { $0 }
    }
    #expect(orders[0] == orders[1] && orders[0] != orders[2])
    // In each round ten operations come before the hundred that count.
    #expect((orders[0].count, orders[0][10..<110] == orders[0][120..<220]) == (250, false))
    for duration in ["0", "1000001"] {
      try run(["stress", "--duration=\(duration)"], noting("a")) { transcript, _ in
        #expect(transcript.errors.contains("is invalid for '--duration': expected seconds, more than 0"))
      }
    }
    try run(stress, Benchmark("alone", threads: [1]) { 1 }) { transcript, _ in
      #expect(
        (
          transcript.exitCode,
          transcript.errors.hasPrefix("Error: Nothing to race: no benchmark may be run by several threads at once\n")
        ) == (.usage, true), "\(transcript.errors)")
    }
  }
}
