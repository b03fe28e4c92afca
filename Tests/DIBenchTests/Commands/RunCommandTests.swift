internal import Foundation
internal import Synchronization
internal import Testing

@testable import DIBenchmarking
@testable import DIStressChecks
@testable import di_bench

@Suite(.serialized)
struct RunCommandTests {
  /// The options for benchmarks that use the shared container: a test has a process of its own in which these run.
  private static let short = [
    "run", "--quick", "--launches=2", "--rounds", "2", "--threads", "2,1", "--filter", "resolve/sh",
  ]

  @Test(
    "A run says how long it takes, prints a table and writes a file, and another one that says where and how", .exitTest
  )
  func run() async {
    await #expect(processExitsWith: .success) {
      try withTemporaryFolder { folder in
        let transcript = Transcript(Self.short + ["--seed=5"], in: folder)
        #expect((transcript.exitCode, transcript.errors) == (.success, ""))
        let lines = transcript.output.split(separator: "\n")
        let cells = lines.filter { $0.hasPrefix("resolve/shared ") }.count
        #expect((lines.first, cells) == ("Measuring 2 cells in 2 launches, 2 rounds each, about 1 s.", 2))

        let results = folder.appending(path: "Results")
        let names = try FileManager.default.contentsOfDirectory(atPath: results.path).sorted()
        let name = try #require(names.first)
        #expect(names == [name, name.replacing(".csv", with: ".json")])
        #expect(name.wholeMatch(of: /di-bench-\d{8}T\d{6}Z-unknown\.csv/) != nil)
        #expect(lines.last?.hasSuffix(results.appending(path: name).path) == true)

        let rows = try ResultFile.read(results.appending(path: name).path)
        #expect(rows.count == 2 * 2 * 4)
        // Objects are counted once.
        let counted = rows.filter { $0.allocations != nil }.map { "\($0.implementation) \($0.launch) \($0.threads)" }
        #expect(try counted == (AllocationCounter.count({}) == nil ? [] : ["container 1 1"]))
        let cell = { (row: ResultRow) -> String in "\(row.scenario) \(row.launch) \(row.threads) \(row.samples)" }
        let expected = [1, 2].flatMap { launch in [1, 2].map { "resolve/shared \(launch) \($0) 2" } }
        #expect(Set(rows.map(cell)) == Set(expected))

        let data = try Data(contentsOf: results.appending(path: names[1]))
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let numbers = ["seed", "launches_finished", "rows", "samples"].map { object[$0] as? Int }
        #expect((numbers, object["threads"] as? [Int]) == ([5, 2, 16, 32], [1, 2]))
        let texts = ["commit", "host_hash"].map { object[$0] as? String }
        #expect(texts == ["unknown", RunEnvironment.current().hostHash])
        let interrupted = object["interrupted"] as? Bool
        #expect(interrupted == false)
      }
      // A debug build is measured if that is allowed, and its rows say so.
      try withTemporaryFolder { folder in
        let transcript = Transcript(Self.short + ["--allow-debug", "--output", "a.csv"], in: folder, isDebug: true)
        #expect(transcript.exitCode == .success)
        let rows = try ResultFile.read(folder.appending(path: "a.csv").path)
        #expect(rows.allSatisfy { $0.status == .debug })
      }
    }
  }

  @Test("Runs and pairs of builds that begin in the same second each have a name of their own")
  func sameSecond() throws {
    let cases: [[String]] = [[""], ["-base", "-head"]]
    for suffixes in cases {
      try withTemporaryFolder { folder in
        let benchmark = Benchmark("a", threads: [1]) { 1 }
        let context = CommandContext(
          terminal: Terminal(output: { _ in }, error: { _ in }), folder: folder, executable: Executables.bench,
          benchmarks: [benchmark])
        let plan = Plan(benchmarks: [benchmark], threads: [1], rounds: 1, sampleNanoseconds: 1000, seed: 1)
        let begin = { () throws -> Series in
          var series = Series(
            plan: plan, arguments: ParsedArguments(), context: context, start: Date(timeIntervalSince1970: 0))
          // The commit of the first of two builds is in the names of both.
          let source = URL(filePath: #filePath).deletingLastPathComponent()
          for suffix in suffixes { try series.record(.here, at: suffix == "-head" ? source : folder, as: suffix) }
          #expect(try series.run())
          return series
        }
        // The second begins before the first has ended, and the third after that.
        var (first, second) = (try begin(), try begin())
        try first.finish()
        // A number is that of both files, even if only one name was taken.
        let results = folder.appending(path: "Results")
        var removed: [String] = []
        let heads = ["csv", "json"].map { "di-bench-19700101T000000Z-unknown-head.\($0)" }
        if suffixes.count > 1 {
          for name in heads { try FileManager.default.removeItem(at: results.appending(path: name)) }
        }
        try second.finish()
        // One of two files is enough to take a name.
        for suffix in suffixes {
          let name = "di-bench-19700101T000000Z-unknown-2\(suffix).\(suffixes.count > 1 ? "json" : "csv")"
          try FileManager.default.removeItem(at: results.appending(path: name))
          removed.append(name)
        }
        var third = try begin()
        try third.finish()
        let names = try FileManager.default.contentsOfDirectory(atPath: results.path)
        var expected: Set<String> = []
        for number in ["", "-2", "-3"] {
          for suffix in suffixes {
            let name = "di-bench-19700101T000000Z-unknown\(number)\(suffix)"
            expected.formUnion(["\(name).csv", "\(name).json"])
          }
        }
        #expect(Set(names) == expected.subtracting(suffixes.count > 1 ? heads + removed : removed))
      }
    }
  }

  @Test("The name of a commit says if files differ from it")
  func commit() throws {
    try withTemporaryFolder { folder in
      let git = ChildProcess(executable: URL(filePath: "/usr/bin/env"), name: "git")
      let file = folder.path + "/a"
      try Data().write(to: URL(filePath: file))
      // Neither the repository of a hook that runs the tests nor what the user has configured.
      let clean = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"].flatMap { ["-u", $0] }
      let configuration = ["GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1"]
      let identity = ["user.name=a", "user.email=a", "commit.gpgSign=false"].flatMap { ["-c", $0] }
      for arguments in [["init", "-q"], ["add", "a"], identity + ["commit", "-q", "-m", "a"]] {
        try git.run(clean + configuration + ["git", "-C", folder.path] + arguments, interrupt: Interrupt()) { _ in }
      }
      let commit = RunEnvironment.commit(in: folder)
      #expect(commit.wholeMatch(of: /[0-9a-f]{8}/) != nil)
      try Data([0]).write(to: URL(filePath: file))
      #expect(RunEnvironment.commit(in: folder) == commit + "-dirty")
    }
  }

  @Test("An interrupted run ends after the launch, writes what it has, says so, and has its own exit code")
  func interrupted() throws {
    let interrupt = Interrupt()
    let interrupting = CountingLoop { interrupt.request() }
    let benchmark = Benchmark("resolve/interrupting", interrupting.workload())
    try withTemporaryFolder { folder in
      let arguments = ["--quick", "--launches=3", "--rounds=5", "--threads=1", "--output=a.csv"]
      let transcript = Transcript(arguments, in: folder, benchmarks: [benchmark], interrupt: interrupt)
      #expect(transcript.exitCode == .interrupted)
      let file = folder.appending(path: "a.csv").path
      #expect(
        transcript.errors
          == "Error: Interrupted after 1 of 3 launches; to continue, add --resume '\(file)' to the same options\n")
      let rows = try ResultFile.read(folder.appending(path: "a.csv").path)
      #expect(rows.allSatisfy { $0.launch == 1 && $0.samples == 5 })
      let text = try String(contentsOf: folder.appending(path: "a.json"), encoding: .utf8)
      #expect(text.contains("\"interrupted\" : true"))
    }
  }

  private func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    unsafe sigaction(number, nil, &action)
    #if os(Linux)
      let handler = unsafe action.__sigaction_handler.sa_handler
    #else
      let handler = unsafe action.__sigaction_u.__sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// The process that a signal is sent to.
  enum Recipient: CaseIterable {
    case run, launch
  }

  @Test(
    "A signal ends a run and its launch, whichever of them gets it and when, and the samples are in the file",
    arguments: [SIGINT, SIGTERM, SIGHUP], Recipient.allCases)
  func signalled(_ signal: Int32, _ recipient: Recipient) throws {
    // Under `nohup`, as is tested below.
    if signal == SIGHUP, isIgnored(signal) { return }
    // At any moment of its start, and when it certainly waits for signals.
    for (command, word) in [("\"$@\"", "\n"), ("stress --duration=600 >&9", "Racing")] {
      try withTemporaryFolder { folder in
        let run = try LongRun(in: folder, asLaunch: command)
        defer { run.kill() }
        let launch = try run.awaitLaunch(saying: word)
        #expect(
          try (kill(recipient == .run ? run.id : launch, signal), run.awaitEnd()) == (0, ExitCode.interrupted.rawValue))
        try run.awaitEndOfLaunch()
        let prefix = folder.appending(path: "x").path
        let end =
          "Error: Interrupted after 1 and 0 of 8 launches; to continue, add --resume '\(prefix)' to the same options\n"
        // Before that, the launch may say what it measured.
        #expect(run.errors.hasSuffix(end) && !run.errors.contains("Killed"), "\(run.errors)")
        #expect(try ResultFile.read(folder.appending(path: "x-base.csv").path).count == 4)
      }
    }
  }

  @Test("If the system killed a launch, the reason is shown; if somebody interrupted it, only what it measured")
  func killed() throws {
    let line = "launch 1: BUILDKilled by the system: is memory short?\n"
    for (script, reason) in [
      ("kill -9 $$", line), ("exit 130", ""), ("echo 'Error: x' >&2; exit 130", ""),
      ("echo 'Ended while measuring x' >&2; exit 130", "launch 1: Interrupted while measuring x\n"),
    ] {
      try withTemporaryFolder { folder in
        let build = folder.appending(path: "build").path
        try makeExecutable(script, at: build)
        let transcript = Transcript(["ab", "--quick", build, build], in: folder)
        let alone = Transcript(["--quick"], in: folder, launcher: .process(URL(filePath: build)))
        #expect(alone.exitCode == .interrupted && !alone.output.contains("Measured "), "\(alone.output)")
        let end = "Error: Interrupted after 0 and 0 of 2 launches: there is no sample yet, and no file\n"
        let named = reason.replacing("BUILD", with: "'\(build)': ")
        #expect((transcript.exitCode, transcript.errors) == (.interrupted, named + end))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Results") == [])
      }
    }
  }

  #if os(Linux)
    private static let taskset = "/usr/bin/taskset"
    private static var hasTaskset: Bool { FileManager.default.isExecutableFile(atPath: taskset) }

    @Test("A process that may use one core plans for one", .enabled(if: hasTaskset))
    func cores() throws {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let core = try #require(status.firstMatch(of: /Cpus_allowed_list:\s*(\d+)/)?.output.1)
      let child = ChildProcess(executable: URL(filePath: Self.taskset), name: "taskset")
      var lines: [String] = []
      try child.run(
        ["-c", String(core), Executables.bench.path, "run", "--dry-run", "--filter=^resolve/shared$"],
        interrupt: Interrupt()
      ) { lines.append($0) }
      #expect(lines.contains { $0.hasSuffix("; 1 thread gated; 2 threads gated at +50 %") }, "\(lines)")
    }
  #endif

  @Test("What nohup started outlives its terminal, and a run whose output nobody reads still writes its file")
  func nohup() throws {
    // What nohup started ignores the end of its terminal.
    do {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      let executable = Executables.bench.path
      process.arguments = ["-c", "trap '' HUP; exec '\(executable)' stress --duration=1 --threads=1"]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
      // When it says that it races, it has its handlers.
      _ = output.fileHandleForReading.availableData
      // On a busy machine it may have ended by itself.
      if process.isRunning { kill(process.processIdentifier, SIGHUP) }
      try LongRun.watchdog.wait(until: { !process.isRunning }) { "it does not end" }
      #expect(process.terminationStatus == 0)
    }
    // A run whose output nobody reads anymore still writes its file.
    do {
      try withTemporaryFolder { folder in
        let process = Process()
        process.executableURL = Executables.bench
        process.currentDirectoryURL = folder
        process.arguments = Self.short.dropFirst() + ["--allow-debug", "--output=a.csv"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        _ = output.fileHandleForReading.availableData
        try output.fileHandleForReading.close()
        try LongRun.watchdog.wait(until: { !process.isRunning }) { "it does not end" }
        #expect((process.terminationReason, process.terminationStatus) == (.exit, 0))
        let rows = try ResultFile.read(folder.appending(path: "a.csv").path)
        #expect((rows.count, Set(rows.map(\.launch))) == (16, [1, 2]))
      }
    }
  }

  @Test("An output that exists, before or after anything is measured, is refused, and stays")
  func outputTaken() throws {
    // If one is taken in the meantime, the rows are elsewhere.
    do {
      try withTemporaryFolder { folder in
        let path = folder.appending(path: "a.csv").path
        let taking = CountingLoop { _ = FileManager.default.createFile(atPath: path, contents: nil) }
        let benchmark = Benchmark("resolve/taking", taking.workload())
        let transcript = Transcript(
          ["--quick", "--threads=1", "--output=a.csv"], in: folder, benchmarks: [benchmark])
        #expect(transcript.exitCode == .cannotWrite)
        let quoted = transcript.errors.split(separator: "'")
        #expect(transcript.errors.contains("the file exists already; the rows are in '"))
        let refuge = String(try #require(quoted.dropLast().last))
        #expect(try ResultFile.read(refuge).count == 4)
        try FileManager.default.removeItem(atPath: refuge)
      }
    }
    // One that exists is refused before anything is measured.
    do {
      try withTemporaryFolder { folder in
        let path = folder.appending(path: "a.csv").path
        try OutputFile(path: path).write("first")
        for options in [["--output=a.csv"], ["--output=a.csv", "--dry-run"], ["--samples=a.csv", "--dry-run"]] {
          let transcript = Transcript(Self.short + options, in: folder)
          #expect(
            try (
              transcript.exitCode, transcript.errors, transcript.output, String(contentsOfFile: path, encoding: .utf8)
            ) == (.cannotWrite, "Error: Cannot write '\(path)': the file exists already\n", "", "first"))
        }
      }
    }
  }

  @Test("A wrong answer, also at the end, ends the run with its own exit code, names the culprit, and writes nothing")
  func violation() throws {
    let slip = Slip()
    let wrong = Benchmark("resolve/faulty", .same { slip.value(1, 2) })
    let unable = Benchmark(
      "register/faulty",
      CountingLoop().workload().with {
        $0.finish = { () throws(Violation) in throw Violation(message: "one was registered but cannot be created") }
      })
    try withTemporaryFolder { folder in
      let transcript = Transcript(["run", "--quick", "--threads=1"], in: folder, benchmarks: [wrong])
      #expect(
        (
          transcript.exitCode,
          transcript.errors.hasPrefix("Error: Invariant violated: resolve/faulty container at 1 thread: 1 of "),
          transcript.errors.hasSuffix(" operations returned another instance or value of what is shared\n")
        ) == (.invariantViolated, true, true), "\(transcript.errors)")
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Results")
      #expect(files == [])
      let atTheEnd = Transcript(["--quick", "--rounds=1", "--threads=1"], in: folder, benchmarks: [unable])
      #expect(
        (atTheEnd.exitCode, atTheEnd.errors.contains("was registered but cannot be created")) == (
          .invariantViolated, true
        ), "\(atTheEnd.errors)")
    }
  }

  @Test("Showing a file that is missing or damaged gives one line and its exit code")
  func check() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "a.csv").path
      let missing = Transcript(["report", "none.csv"], in: folder)
      #expect((missing.exitCode, missing.errors.split(separator: "\n").count) == (.missingFile, 1))
      let cases: [(bytes: [UInt8], reason: String)] = [
        (Array("a,b\r\n1,2\r\n".utf8), ":1: not a results file: the header does not begin with 'schema'"),
        (Array("{\n  \"rows\" : 1\n}\n".utf8), ":1: not a results file: the header does not begin with 'schema'"),
        (Array("{\"schema\":1}\n".utf8), ":1: not a results file: the header does not begin with 'schema'"),
        (Array("schema_id\r\n1\r\n".utf8), ":1: not a results file: the header does not begin with 'schema'"),
        ([0xFF, 0xFE, 0x00], ": not UTF-8 text"),
      ]
      for (bytes, reason) in cases {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let damaged = Transcript(["report", "a.csv"], in: folder)
        #expect((damaged.exitCode, damaged.errors) == (.badData, "Error: \(path)\(reason)\n"))
      }
    }
  }

  @Test("If many samples stand out, one line says how many, and the plan follows the arguments")
  func disturbed() throws {
    // If many samples stand out, one line says how many, and what to do; nothing is said of a few.
    do {
      for count in [4, 5] {
        var recording = Recording(
          commit: "c", program: nil, launcher: .here, prefix: "x", suffix: ".csv", isNumbered: false, start: Date(),
          sampleFile: nil)
        recording.add(
          SampleRows.rows(["container": 20]) {
            $0.samples = 40
            $0.disturbed = count
          })
        let note = "Note: 5 of 40 samples stand out: probably something else kept the machine busy. "
        #expect(recording.disturbance == (count == 4 ? nil : note + "Stop that, and measure again."))
      }
      try withTemporaryFolder { folder in
        let executable = folder.appending(path: "other")
        try makeExecutable(
          #"echo >> "$0.log"; echo 1 $(($(wc -l < "$0.log") / 3 * 100 + 100)) - -"#, at: executable.path)
        let benchmark = Benchmark(
          "a", "a test", threads: [1], inOwnProcess: .init(interval: 1, seconds: 0),
          .init("x", CountingLoop().workload()))
        let transcript = Transcript(
          ["--rounds=3", "--launches=1", "--output=a.csv"], in: folder, benchmarks: [benchmark], executable: executable)
        #expect(transcript.output.contains("\nNote: 1 of 3 samples stand out: "), "\(transcript.output)")
        #expect(
          try String(contentsOfFile: folder.path + "/a.json", encoding: .utf8).contains("\"disturbed_samples\" : 1"))
      }
    }
    // The plan follows the arguments.
    do {
      let context = CommandContext(
        terminal: Terminal(output: { _ in }, error: { _ in }), benchmarks: Benchmark.all, isDebug: false)
      let arguments = ParsedArguments(values: ["threads": "4,1,4", "seed": "9", "filter": "life"])
      let plan = try PlanOptions.plan(arguments, context)
      #expect((plan.threads, plan.seed, plan.rounds, plan.launches) == ([1, 4], 9, 8, 8))
      let most = try PlanOptions.plan(
        ParsedArguments(values: ["threads": "256", "filter": "^lifecycle/restore/1000$"]), context)
      #expect((most.threads, most.benchmarks.map(\.label)) == ([256], ["lifecycle/restore/1000"]))
      let matching = Benchmark.all.map(\.label).filter { $0.contains("life") }
      #expect(plan.benchmarks.map(\.label) == matching)
      let quick = try PlanOptions.plan(ParsedArguments(flags: ["quick"]), context)
      #expect(quick.expectedSeconds < 30)
      let full = try PlanOptions.plan(ParsedArguments(), context)
      #expect((quick.launches, quick.rounds, quick.sampleNanoseconds, quick.asksForThreads) == (2, 3, 1_000_000, false))
      #expect((full.seed, full.sampleNanoseconds, plan.asksForThreads) == (1, 1_300_000, true))
      #expect(full.expectedSeconds < 180)
    }
  }
}
