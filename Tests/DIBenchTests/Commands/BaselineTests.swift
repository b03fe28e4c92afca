internal import DependencyInjection
internal import Foundation
internal import Testing

@testable import DIBenchmarking

struct BaselineTests {
  private let short = ["run", "--quick", "--launches=4", "--rounds=2", "--threads=1"]
  /// Benchmarks that take some time; the second one a hundred times that if that is asked for.
  private func benchmarks(_ isSlow: Bool = false) -> [Benchmark] {
    let work = { @Sendable (count: Int) in (0..<count).reduce(0) { $0 ^ $1 &* 31 } }
    return [
      Benchmark("same", threads: [1], operation: { work(500) }, reference: { work(500) }),
      Benchmark("slowed", threads: [1], operation: { work(isSlow ? 50_000 : 500) }, reference: { work(500) }),
    ]
  }

  private func run(_ arguments: [String], in folder: URL, isSlow: Bool = false) -> Transcript {
    Transcript(arguments, in: folder, benchmarks: benchmarks(isSlow), hasOwnStress: false)
  }

  @Test("A saved run is what a later one is compared with, and the slower benchmark is named with status 2")
  func against() throws {
    try withTemporaryFolder { folder in
      let saved = run(short + ["--save=main", "--all"], in: folder)
      #expect((saved.exitCode, saved.output.hasSuffix("\nSaved as 'main'.\n")) == (.success, true), "\(saved.errors)")
      #expect(saved.output.contains("  ± 95 %  "))
      let slower = run(short + ["--against=main", "--output=b.csv", "--threshold=900"], in: folder, isSlow: true)
      #expect(
        (
          slower.exitCode, slower.errors, slower.output.contains("\n\nSlower: "),
          slower.output.contains("; of 2 gated cells, 1 slower, 1 ")
        ) == (.regression, "Error: Slower than before: slowed (1)\n", true, true), "\(slower.output)")
      // The files say the same, and so does the last run in the folder of results.
      #expect(run(["compare", "main", "b.csv", "--threshold=900"], in: folder).exitCode == .regression)
      let itself = run(["compare", "main"], in: folder)
      #expect(
        (itself.exitCode, itself.errors.hasPrefix("Error: Nothing to compare 'main' with: no later complete run "))
          == (.missingFile, true), "\(itself.output)")
      #expect(run(["compare", "main", "--filter=none"], in: folder).exitCode == .usage)
      _ = run(short, in: folder, isSlow: true)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Results")
      let name = try #require(names.filter { $0.hasSuffix(".csv") }.map { $0.dropLast(4) }.max())
      let again = run(["compare", "main", "--threshold=900"], in: folder)
      #expect(
        (again.exitCode, again.errors.hasPrefix("Comparing the last run, \(name).csv.\n")) == (.regression, true))
      #expect(run(["report", "main"], in: folder).output.hasPrefix("Time / time of the reference: "))
      // Only what is measured again is compared.
      let options = ["run", "--quick", "--launches=4", "--rounds=2", "--against=main", "--threshold=900"]
      let part = run(options + ["--filter=same", "--output=d.csv"], in: folder)
      #expect(part.exitCode == .success, "\(part.errors)")
      // What the program lacks is missing, unless threads were chosen.
      for (added, code) in [([], ExitCode.incomparable), (["--threads=1"], .success)] {
        let lacking = Transcript(
          options + added + ["--output=e\(added.count).csv"], in: folder, benchmarks: Array(benchmarks().prefix(1)))
        #expect(lacking.exitCode == code, "\(lacking.errors)")
      }
      let last = run(["compare", "main", "--filter=same", "--threshold=900"], in: folder)
      #expect(last.output.contains(" of 1 gated cell, ") && !last.output.contains("added"), "\(last.output)")
      // A file of that name does not hide it, and has a name of its own.
      try FileManager.default.copyItem(at: folder.appending(path: "b.csv"), to: folder.appending(path: "main"))
      #expect(
        (
          run(["compare", "main", "b.csv", "--threshold=900"], in: folder).exitCode,
          run(["compare", "./main", "b.csv"], in: folder).exitCode, run(["report", "b.csv"], in: folder).exitCode
        ) == (.regression, .success, .success))
      // Another run of that name replaces it.
      #expect(run(short + ["--save=main", "--output=c.csv"], in: folder, isSlow: true).exitCode == .success)
      let baseline = folder.appending(path: "Results/baselines/di-bench/main.csv").path
      let (kept, written) = try (ResultFile.read(baseline), ResultFile.read(folder.appending(path: "c.csv").path))
      #expect(kept == written)
      // So does one whose file has another ending.
      #expect(run(short + ["--save=main", "--output=plain"], in: folder).exitCode == .success)
      #expect(try ResultFile.read(baseline) == ResultFile.read(folder.appending(path: "plain").path))
      #expect(FileManager.default.fileExists(atPath: folder.appending(path: "plain.json").path))
    }
  }

  @Test("As Markdown, standard output has the report only, and all else is on standard error")
  func markdown() throws {
    try withTemporaryFolder { folder in
      let options = short + ["--format=markdown", "--threshold=900"]
      let saved = run(options + ["--save=main", "--output=a.csv"], in: folder)
      #expect((saved.exitCode, saved.output.hasPrefix("Time / time of the reference: ")) == (.success, true))
      #expect(saved.output.hasSuffix(", bytes and intervals\n"), "\(saved.output)")
      #expect(saved.output.contains("\n| scenario | threads | ns/op |"))
      #expect(saved.errors.lacks("Measuring 2 cells in 4 launches", "/a.csv\n", "Saved as 'main'.\n") == [])
      let compared = run(options + ["--against=main", "--output=b.csv"], in: folder)
      #expect(compared.output.hasPrefix("### "), "\(compared.output)")
      let builds = [Executables.folder.path, Executables.folder.path]
      let dry = run(["ab"] + builds + ["--format=markdown", "--dry-run"], in: folder)
      #expect((dry.exitCode, dry.output, dry.errors.hasPrefix("Would measure 2 cells in ")) == (.success, "", true))
    }
  }

  @Test("A run says in one line how it differs from the last one of this machine, in what both have measured")
  func last() throws {
    try withTemporaryFolder { folder in
      _ = run(short + ["--filter=same", "--output=own.csv"], in: folder)
      let harness = try ResultFile.read(folder.appending(path: "own.csv").path)[0].harness
      let rows = { (host: String, scenario: String) in
        (1...4).flatMap { launch in
          SampleRows.rows(["operation": 10, "reference/own": 10], scenario: scenario, launch: launch) {
            $0.hostHash = host
            $0.harness = harness
            $0.registrations = nil
          }
        }
      }
      let results = folder.appending(path: "Results")
      try FileManager.default.createDirectory(at: results, withIntermediateDirectories: true)
      let here = RunEnvironment.current().hostHash
      for (name, host, isDebug, isInterrupted) in [
        ("di-bench-20250101T000000Z-a", here, false, false), ("di-bench-20260101T000000Z-b", "other", false, false),
        ("di-bench-20260101T000001Z-c", here, true, false), ("di-bench-20260101T000002Z-d", here, false, true),
        ("di-bench-x-20260101T000003Z-e", here, false, false), ("di-bench-20250101T000000Z-a-2", here, false, false),
        ("my-bench-20260101T000004Z-f", here, false, false), ("di-bench-20260101T000005Z-g-base", here, false, false),
        ("di-bench-20260101T000005Z-g-head", here, false, false),
      ] {
        let lines = (rows(host, "same") + rows(host, "gone")).map { row in
          var row = row
          row.status = isDebug ? .debug : .ok
          return row
        }
        try OutputFile(path: results.appending(path: name + ".csv").path).write(ResultFile.text(of: lines))
        let description = "{\"rows\": \(lines.count), \"interrupted\": \(isInterrupted)}"
        // Without a description, a run counts as complete.
        if name.hasSuffix("-2") { continue }
        try OutputFile(path: results.appending(path: name + ".json").path).write(description)
      }
      let transcript = run(short, in: folder)
      let lines = transcript.output.split(separator: "\n")
      let line = try #require(lines.drop { !$0.hasPrefix("Time / time of the reference: ") }.dropFirst().first)
      #expect(
        line.hasPrefix("Since the last run, di-bench-20250101T000000Z-a-2.csv: ") && line.contains(" 1 gated ")
          && !line.contains("added"), "\(line)")
      // What was timed differently has no change.
      let other = run(["run", "--quick", "--rounds=3", "--filter=same", "--output=other.csv"], in: folder)
      #expect((other.exitCode, other.output.contains("Since the last run")) == (.success, false), "\(other.output)")
      // The last run may have begun after one that is resumed; of this one, only the end is missing.
      let description = OutputFile(path: folder.appending(path: "own.json").path)
      let text = try String(contentsOfFile: description.path, encoding: .utf8)
      try description.write(
        text.replacing("\"interrupted\" : false", with: "\"interrupted\" : true"), replacing: true)
      let resumed = run(short + ["--filter=same", "--resume=own.csv"], in: folder)
      #expect((resumed.exitCode, resumed.output.contains("\nSince the last run, ")) == (.success, false))
      // A debug build has nothing to compare itself with.
      let debug = Transcript(
        short + ["--filter=same", "--allow-debug"], in: folder, isDebug: true, benchmarks: benchmarks())
      #expect((debug.exitCode, debug.output.contains("Since the last run")) == (.success, false), "\(debug.output)")
    }
  }

  @Test("A baseline that is not there, was measured differently, or has a name with a slash is an error before a run")
  func errors() throws {
    try withTemporaryFolder { folder in
      let missing = run(short + ["--against=main"], in: folder)
      #expect(missing.exitCode == .missingFile)
      let hint = "'di-bench run --save main' makes it, and './main' would be a file"
      #expect(missing.errors == "Error: There is no baseline 'main' in Results/baselines/di-bench: \(hint)\n")
      for name in ["a/b", "a.csv", ""] {
        let refused = run(short + ["--save=\(name)"], in: folder)
        #expect(
          (refused.errors.contains("is invalid for '--save': expected a name without '/' and '.csv'"), refused.output)
            == (true, ""), "\(refused.errors)")
      }
      let long = run(short + ["--save=\(String(repeating: "a", count: 300))"], in: folder)
      #expect(
        (long.exitCode, long.output, run(short + ["--save=main"], in: folder).exitCode) == (.cannotWrite, "", .success))
      let strict = run(short + ["--strict"], in: folder)
      #expect(
        (strict.exitCode, strict.errors.hasPrefix("Error: '--strict' needs '--against <name>'\n"), strict.output)
          == (.usage, true, ""))
      let baseline = OutputFile(path: folder.path + "/Results/baselines/di-bench/main.csv")
      let rows = try String(contentsOfFile: baseline.path, encoding: .utf8)
      try baseline.write(rows.replacing(",ok\r\n", with: ",debug\r\n"), replacing: true)
      let debug = run(short + ["--against=main"], in: folder)
      #expect(
        (debug.exitCode, debug.errors, debug.output) == (
          .badData, "Error: The base has rows of a debug build, whose times mean nothing\n", ""
        ))
      let other = run(short + ["--against=main", "--rounds=3"], in: folder)
      #expect((other.exitCode, other.output) == (.incomparable, ""))
      #expect(
        other.errors == """
          Error: The baseline 'main' was measured differently, or has none of these benchmarks: use the --rounds and \
          --quick that it was made with, or make it again with --save main

          """)
    }
  }

  @Test("An interrupted run resumes with its next launch, and its file is that of one run")
  func resume() throws {
    try withTemporaryFolder { folder in
      let interrupt = Interrupt()
      let isFirst = Locked(true)
      let benchmark = Benchmark("a", threads: [1]) { if isFirst.withLock({ $0 }) { interrupt.request() } }
      let options = ["run", "--quick", "--launches=3", "--rounds=2"]
      let first = Transcript(options + ["--output=a.csv"], in: folder, benchmarks: [benchmark], interrupt: interrupt)
      #expect(first.exitCode == .interrupted)
      isFirst.withLock { $0 = false }
      let path = folder.appending(path: "a.csv").path
      let program = folder.appending(path: "other")
      try makeExecutable("exit", at: program.path)
      let cells = "set of benchmarks, threads, rounds or --quick"
      let others: [([String], Benchmark, URL, String)] = [
        (["--seed=2"], benchmark, Executables.bench, "seed"),
        (["--launches=4", "--seed=2"], benchmark, Executables.bench, "seed and another number of launches"),
        ([], benchmark, program, "program"),
        ([], Benchmark("a", "another one", threads: [1]) { 1 }, Executables.bench, cells),
        (["--rounds=3"], benchmark, Executables.bench, cells),
      ]
      for (added, benchmark, executable, what) in others {
        let other = Transcript(
          options + ["--resume=a.csv"] + added, in: folder, benchmarks: [benchmark], executable: executable)
        #expect(
          (other.exitCode, other.errors, other.output) == (
            .badData, "Error: The run in '\(path)' has another \(what): resume it as it was started\n", ""
          ))
      }
      let dry = Transcript(
        options + ["--resume=a.csv", "--output=\(path)", "--dry-run"], in: folder, benchmarks: [benchmark])
      #expect(dry.output.hasPrefix("Would measure 1 cell in 3 launches, the rest of them, 2 rounds each, about 1 s.\n"))
      // The rows show which launches there were.
      let description = OutputFile(path: folder.path + "/a.json")
      let text = try String(contentsOfFile: description.path, encoding: .utf8)
      for (key, what) in [("commit", "commit"), ("host_hash", "machine")] {
        try description.write(
          text.replacing(try Regex("\"\(key)\" : \"[^\"]*\""), with: "\"\(key)\" : \"x\""), replacing: true)
        let other = Transcript(options + ["--resume=a.csv"], in: folder, benchmarks: [benchmark])
        #expect(other.errors.contains("has another \(what): resume it as it was started"), "\(other.errors)")
      }
      #expect(
        text.lacks(
          "\"launches\" : 3", "\"launches_finished\" : 1", "\"samples_per_launch\" : 2", "\"sample_ns\" : 1000000")
          == [])
      try description.write(
        text.replacing("\"launches_finished\" : 1", with: "\"launches_finished\" : 2")
          .replacing(/"start" : "[^"]*"/, with: "\"start\" : \"then\"")
          .replacing(/"seconds" : \d+/, with: "\"seconds\" : 1000000"), replacing: true)
      let before = try ResultFile.read(path)
      let rest = Transcript(options + ["--resume=a.csv"], in: folder, benchmarks: [benchmark])
      #expect(
        (
          rest.exitCode,
          rest.output.hasPrefix("Measuring 1 cell in 3 launches, the rest of them, 2 rounds each, about ")
        ) == (.success, true), "\(rest.errors)")
      let rows = try ResultFile.read(path)
      #expect((rows.map(\.launch), Array(rows.prefix(2))) == ([1, 1, 2, 2, 3, 3], before))
      // It has begun when the first part did, and has taken as long as both.
      let whole = try String(contentsOfFile: folder.path + "/a.json", encoding: .utf8)
      #expect(whole.lacks("\"interrupted\" : false", "\"start\" : \"then\"", "\"seconds\" : 100") == [])
      // Now there is nothing to resume.
      let again = Transcript(options + ["--resume=a.csv"], in: folder, benchmarks: [benchmark])
      #expect(
        (
          again.exitCode, again.errors,
          Transcript(options + ["--resume=b.csv"], in: folder, benchmarks: [benchmark]).exitCode,
          // The name that only the second of two builds has.
          Transcript(options + ["--resume=b-head.csv"], in: folder, benchmarks: [benchmark]).exitCode
        ) == (.badData, "Error: The run in '\(path)' was not interrupted\n", .missingFile, .missingFile))
    }
  }

  @Test("A run resumes with its own filter, whatever size a name contains, and its samples continue")
  func resumeFiltered() throws {
    try withTemporaryFolder { folder in
      let interrupt = Interrupt()
      let isFirst = Locked(true)
      let loop = CountingLoop { if isFirst.withLock({ $0 }) { interrupt.request() } }
      let benchmarks = ["a", "b"].map { name in
        Benchmark(name, "a test", size: 7, threads: [1], .init("container", loop.workload()))
      }
      let options = ["run", "--quick", "--launches=2", "--rounds=2"]
      let first = Transcript(
        options + ["--filter=a", "--output=a.csv", "--samples=s.csv", "--save=main"], in: folder,
        benchmarks: benchmarks, interrupt: interrupt)
      let samples = folder.appending(path: "s.csv")
      let before = try String(contentsOf: samples, encoding: .utf8)
      #expect((first.exitCode, before.split(separator: "\r\n").count) == (.interrupted, 1 + 2))
      let both = Transcript(
        options + ["--output=both.csv"], in: folder, benchmarks: benchmarks, interrupt: interrupt)
      #expect(both.exitCode == .interrupted)
      isFirst.withLock { $0 = false }
      let fewer = Transcript(options + ["--filter=a", "--resume=both.csv"], in: folder, benchmarks: benchmarks)
      #expect(fewer.errors.contains("has another set of benchmarks, "), "\(fewer.errors)")
      let elsewhere = Transcript(options + ["--resume=a.csv", "--output=b.csv"], in: folder, benchmarks: benchmarks)
      #expect(elsewhere.errors.hasPrefix("Error: A resumed run keeps its file: use '--resume' without '--output'\n"))
      for filter in [[], ["--filter=b"]] {
        let other = Transcript(options + filter + ["--resume=a.csv"], in: folder, benchmarks: benchmarks)
        #expect(
          (other.exitCode, other.errors.contains("has another set of benchmarks, ")) == (.badData, true),
          "\(other.errors)")
      }
      // The advice of the interrupted run, and the same with another file.
      let again = options + ["--filter=a", "--resume=a.csv"]
      let path = folder.appending(path: "t.csv").path
      for text in [nil, "hello,world\n"] {
        if let text { try text.write(toFile: path, atomically: true, encoding: .utf8) }
        let missing = Transcript(again + ["--samples=t.csv"], in: folder, benchmarks: benchmarks)
        #expect(
          (missing.exitCode, missing.errors, missing.output) == (
            .missingFile, "Error: The samples of the earlier launches are not in '\(path)': omit '--samples'\n", ""
          ))
      }
      let rest = Transcript(again + ["--samples=s.csv"], in: folder, benchmarks: benchmarks)
      #expect(rest.exitCode == .success, "\(rest.errors)")
      let records = try CSV.records(String(contentsOf: samples, encoding: .utf8))
      #expect(records.dropFirst().map { $0.fields[5...6] } == [["1", "1"], ["1", "2"], ["2", "1"], ["2", "2"]])
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Results/baselines/di-bench")
      #expect(names == [])
    }
  }

  @Test("A dry run neither measures nor writes, even in a debug build, and each sample is kept if requested")
  func dryRun() throws {
    // A dry run says what would be measured and for how long, and neither measures nor writes, even in a debug build.
    do {
      try withTemporaryFolder { folder in
        let transcript = Transcript(
          ["run", "--launches=4", "--threads=1,2", "--dry-run", "--save=main"], in: folder, isDebug: true,
          benchmarks: benchmarks() + [Benchmark("b") { preconditionFailure("measured") }])
        #expect(transcript.exitCode == .success, "\(transcript.errors)")
        #expect(
          transcript.output == """
            Would measure 4 cells in 4 launches, 8 rounds each, about 2 s.
            same    an operation of the program
                    compared with reference/own; 1 thread gated
            slowed  an operation of the program
                    compared with reference/own; 1 thread gated
            b       an operation of the program
                    measured alongside reference/locked-dictionary; 1 thread gated; 2 threads gated at +50 %

            """)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files == [])
      }
    }
    // Each sample is kept if requested, and if the file for that appears in the meantime, the rows are kept.
    do {
      try withTemporaryFolder { folder in
        #expect(run(short + ["--samples=s.csv", "--output=a.csv"], in: folder).exitCode == .success)
        let records = try CSV.records(String(contentsOf: folder.appending(path: "s.csv"), encoding: .utf8))
        #expect(
          records[0].fields.joined(separator: ",")
            == "scenario,implementation,threads,registrations,depth,launch,sample,ns_per_op")
        // Two benchmarks, two implementations, four launches, two rounds.
        #expect(records.count == 1 + 2 * 2 * 4 * 2)
        let row = try #require(try ResultFile.read(folder.appending(path: "a.csv").path).first)
        let first = records.dropFirst().prefix(2).compactMap { Double($0.fields[7]) }
        #expect(records[1].fields.prefix(7) == ["same", "operation", "1", "", "1", "1", "1"])
        #expect(abs((first.median ?? 0) - row.nanoseconds) <= row.nanoseconds / 1000)
      }
      try withTemporaryFolder { folder in
        let path = folder.appending(path: "s.csv").path
        let taking = CountingLoop { _ = FileManager.default.createFile(atPath: path, contents: nil) }
        let transcript = Transcript(
          short + ["--output=a.csv", "--samples=s.csv"], in: folder, benchmarks: [Benchmark("a", taking.workload())])
        #expect(transcript.exitCode == .cannotWrite)
        let rows = try ResultFile.read(folder.appending(path: "a.csv").path)
        #expect(rows.count == 2 * 4)
      }
    }
  }
}
