internal import Foundation
internal import DependencyInjection
internal import Testing

@testable import DIBenchmarking
@testable import di_bench

struct ChildSamplerTests {
  private static func candidate(_ label: String) throws -> Candidate {
    let benchmark = try #require(Benchmark.all.first { $0.label == label })
    return Candidate(benchmark: benchmark, implementation: benchmark.subject, threads: 1)
  }

  @Test("A sample is passed on in one line, and what can run only once runs as often as it says")
  func once() throws {
    // What can run only once runs as often as it says, and is not warmed up.
    do {
      let loop = CountingLoop()
      let sample = try Sampler.Sample(of: loop.workload(only: 7), nanoseconds: 1_000_000)
      #expect((sample.operations, sample.growth, loop.runs.withLock { $0 }) == (7, 4096, [7]))
      // Nor can it be slowed, or its objects be counted.
      _ = try Sampler.Sample(of: loop.workload(only: 7).slowed, nanoseconds: 1_000_000)
      #expect(loop.runs.withLock { $0 } == [7, 7])
      let workloads = [
        loop.workload(), loop.workload(only: 7), loop.workload().with { $0.allocates = false },
        loop.workload().with { $0.background = { _ in } },
      ]
      #expect(workloads.map(\.countsAllocations) == [true, false, false, false])
    }
    // It is taken on as many threads as were asked for, and checked at its end.
    do {
      let seen = Locked<Set<Int>>([])
      let workload = Workload { _, thread in seen.withLock { _ = $0.insert(thread) } }.with {
        $0.finish = { () throws(Violation) in throw Violation(message: "at the end") }
      }
      let transcript = Transcript(
        ["probe", "a", "x", "--threads=2", "--nanoseconds=1000"], in: FileManager.default.temporaryDirectory,
        benchmarks: [Benchmark("a", "a test", .init("x", workload))])
      #expect(
        (transcript.errors, seen.withLock { $0 }) == (
          "Error: Invariant violated: a x at 2 threads: at the end\n", [0, 1]
        ))
    }
    // A sample is passed on in one line.
    do {
      let full = Sampler.Sample(operations: 1, nanoseconds: 2, registrations: 3, growth: -4)
      #expect((full.line, Sampler.Sample(full.line)) == ("1 2 3 -4", full))
      let bare = Sampler.Sample(operations: 1, nanoseconds: 2)
      #expect(Sampler.Sample(bare.line) == bare)
      for line in ["", "1 2 3", "1 2 3 x", "0 2 - -", "1 0 - -", "1 2 - - -"] { #expect(Sampler.Sample(line) == nil) }
    }
  }

  @Test("What the process finds wrong is reported in its words, or with what it said, and it is not kept waiting")
  func failures() throws {
    let candidate = try Self.candidate("override/after")
    let prefix = "Invariant violated: override/after container at 1 thread: its process failed: "
    let cases = [
      ("echo 'Error: no memory' >&2; exit 70", prefix + "Error: no memory"),
      ("exit 5", prefix + "status 5"),
      ("echo a >&2; echo 'a.swift:1: Fatal error: b' >&2; echo c >&2; exit 5", prefix + "a.swift:1: Fatal error: b"),
      ("echo a >&2; echo '*** Program crashed: b ***' >&2; exit 5", prefix + "*** Program crashed: b ***"),
      ("echo a >&2; echo b >&2; exit 5", prefix + "a"), ("echo >&2; echo a >&2; exit 5", prefix + "a"),
      ("echo 'Error: a' >&2; echo 'Fatal error: b' >&2; exit 5", prefix + "Error: a"),
      // A status is not a signal.
      ("exit 9", prefix + "status 9"), ("exit 15", prefix + "status 15"), ("kill -SEGV $$", prefix + "signal 11"),
      ("echo a >&2; kill -SEGV $$", prefix + "signal 11: a"),
    ]
    // What the measured code prints is not the reason, unless nothing else is printed; the lines of an error are.
    let violations = [
      "exit 3": "status 3", "echo 'Error: Invariant violated: x: y' >&2; exit 3": "Invariant violated: x: y",
      "echo a >&2; echo 'Error: Invariant violated: x: y' >&2; echo b >&2; exit 3": "Invariant violated: x: y",
      "printf 'Error: Invariant violated: x: y\\n  asked at z\\nb\\n  c\\n' >&2; exit 3":
        "Invariant violated: x: y\n  asked at z",
    ]
    func expect(_ script: String, _ code: ExitCode, _ message: String) throws {
      try withTemporaryFolder { folder in
        let executable = folder.appending(path: "di-bench")
        try makeExecutable(script, at: executable.path)
        #expect(throws: CommandFailure(code, message)) {
          try ChildSampler(executable: executable).measure(candidate, nanoseconds: 1)
        }
      }
    }
    for (script, message) in cases { try expect(script, .invariantViolated, message) }
    for (script, message) in violations { try expect(script, .invariantViolated, message) }
    try expect(
      "echo 10 20", .invariantViolated,
      "Invariant violated: override/after container at 1 thread: its process printed no sample")
    // The system ends a process when memory runs out: what was complete is kept.
    try expect("kill -9 $$", .interrupted, "Killed by the system: is memory short?")
    try expect("exit 130", .interrupted, "Interrupted")
    do {
      try withTemporaryFolder { folder in
        let path = folder.appending(path: "di-bench").path
        #expect(throws: CommandFailure(.missingFile, "Cannot start '\(path)'")) {
          try ChildSampler(executable: folder.appending(path: "di-bench")).measure(
            Self.candidate("override/after"), nanoseconds: 1)
        }
      }
    }
    do {
      try withTemporaryFolder { folder in
        // A line of several times what a pipe holds, without its end, is one line.
        try makeExecutable("printf '%0200000d 2 - -' 1", at: folder.appending(path: "long").path)
        let long = try ChildSampler(executable: folder.appending(path: "long")).measure(
          Self.candidate("override/after"), nanoseconds: 1)
        #expect(long == Sampler.Sample(operations: 1, nanoseconds: 2))
        // Many times what a pipe holds.
        try makeExecutable("head -c 500000 /dev/zero >&2; echo 1 2 - -", at: folder.appending(path: "di-bench").path)
        let sampler = ChildSampler(executable: folder.appending(path: "di-bench"))
        let sample = try sampler.measure(Self.candidate("override/after"), nanoseconds: 1)
        #expect(sample == Sampler.Sample(operations: 1, nanoseconds: 2))
      }
    }
  }

  @Test(
    "The command takes a sample, counts objects as the thresholds of the costs say, and says what it does not know",
    .exitTest)
  func command() async {
    // In a process of its own, because the benchmarks use the shared container.
    await #expect(processExitsWith: .success) {
      let arguments = ["probe", "resolve/struct", "container", "--nanoseconds", "10000"]
      let sample = Transcript(arguments, in: FileManager.default.temporaryDirectory)
      #expect(
        (sample.exitCode, Sampler.Sample(sample.output.trimmingCharacters(in: .newlines))?.registrations) == (
          .success, 100
        ))
      let uncounted = Transcript(
        ["probe", "lifecycle/cold-start", "container", "--allocations"], in: FileManager.default.temporaryDirectory)
      #expect((uncounted.exitCode, uncounted.output) == (.success, "-\n"))
      guard try AllocationCounter.count({}) != nil else { return }
      let counted = Transcript(
        ["probe", "resolve/new", "container", "--allocations"], in: FileManager.default.temporaryDirectory)
      #expect((counted.exitCode, counted.output) == (.success, "1.0000\n"))
      // Objects are not counted for what runs only once, or beside another thread.
      let expected: [(String, Double?)] = [
        ("resolve/shared", 0), ("resolve/new", 1), ("reentrant/chain", 10), ("lifecycle/cold-start", nil),
        ("churn/one-writer", nil),
      ]
      for (label, count) in expected {
        let candidate = try Self.candidate(label)
        #expect(ChildSampler(executable: Executables.bench).allocationsPerOperation(of: candidate) == count, "\(label)")
      }
      // Nor for several threads, or a reference.
      let new = try Self.candidate("resolve/new").benchmark
      for (implementation, threads) in [(new.subject, 2), (new.implementations[1], 1)] {
        let candidate = Candidate(benchmark: new, implementation: implementation, threads: threads)
        #expect(ChildSampler(executable: Executables.bench).allocationsPerOperation(of: candidate) == nil)
      }
    }
    let folder = FileManager.default.temporaryDirectory
    let implementation = Transcript(["probe", "resolve/struct", "x"], in: folder)
    #expect(
      (
        implementation.exitCode,
        implementation.errors.hasPrefix("Error: Name an implementation of the benchmark 'resolve/struct': container, ")
      ) == (.usage, true), "\(implementation.errors)")
  }

  @Test("A launch in which nothing is due measures nothing, and the run continues")
  func nothingDue() throws {
    try withTemporaryFolder { folder in
      let arguments = ["--quick", "--threads=1", "--filter=^override/after$", "--allow-debug", "--output=a.csv"]
      let transcript = Transcript(arguments, in: folder, launcher: .process(Executables.bench))
      #expect(transcript.exitCode == .success, "\(transcript.errors)")
      let rows = try ResultFile.read(folder.appending(path: "a.csv").path)
      #expect(Set(rows.map(\.launch)) == [1])
    }
  }

  @Test("A run takes these samples in some rounds only, and its file says how many were registered")
  func run() throws {
    let benchmarks = Benchmark.all.filter { $0.label == "override/after" }
    try withTemporaryFolder { folder in
      let arguments = ["--quick", "--launches=1", "--rounds=9", "--threads=2", "--output=a.csv"]
      let transcript = Transcript(arguments, in: folder, benchmarks: benchmarks)
      #expect(transcript.exitCode == .success, "\(transcript.errors)")
      let rows = try ResultFile.read(folder.appending(path: "a.csv").path)
      #expect(rows.map(\.threads) == [2, 2])
      // Of nine rounds the first and the last.
      #expect(
        (rows.map(\.samples), rows.map(\.process), Set(rows.map(\.scenario)), Set(rows.map(\.registrations))) == (
          [2, 2], [.own, nil], ["override/after"], [100]
        ))
      #expect(rows.allSatisfy { $0.bytes == nil })
    }
  }
}
