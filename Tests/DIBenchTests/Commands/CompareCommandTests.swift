internal import Foundation
internal import Testing

@testable import DIBenchmarking
@testable import di_bench

struct CompareCommandTests {
  /// Writes a run in which the container takes this long, in eight launches.
  private func write(
    _ time: Double, _ name: String, in folder: URL, launches: Int = 8, scenario: String = "resolve/shared",
    _ change: (inout ResultRow) -> Void = { _ in }
  ) throws {
    let rows = (1...launches).flatMap { launch in
      SampleRows.rows(
        ["container": time + Double(launch) * 0.01, Benchmark.Implementation.lockedDictionary: 100], scenario: scenario,
        launch: launch, change)
    }
    try OutputFile(path: folder.appending(path: name).path).write(ResultFile.text(of: rows))
  }

  @Test("A regression ends with status 2, names the cell, and shows by how much, also as Markdown or in colors")
  func regression() throws {
    // A regression ends with status 2, names the cell, and shows by how much, also as Markdown.
    do {
      try withTemporaryFolder { folder in
        try write(20, "a.csv", in: folder)
        try write(25, "b.csv", in: folder)
        let slower = Transcript(["compare", "a.csv", "b.csv"], in: folder)
        #expect(
          (slower.exitCode, slower.errors, slower.output.contains("+24.9 %")) == (
            .regression, "Error: Slower than before: resolve/shared (1)\n", true
          ), "\(slower.output)")
        let numbers = "+24.9 % in the geometric mean; of 1 gated cell, 1 slower; furthest: resolve/shared (1) +24.9 %."
        #expect(
          slower.output.hasPrefix(
            "Slower: resolve/shared (1); \(numbers)\n\nscenario        threads  head ns/op   change   gate  verdict\n"))
        let faster = Transcript(["compare", "b.csv", "a.csv"], in: folder)
        #expect(
          (
            faster.exitCode, faster.output.contains("; of 1 gated cell, 1 faster; "),
            Transcript(["compare", "a.csv", "b.csv", "--threshold", "30"], in: folder).exitCode
          ) == (.success, true, .success), "\(faster.output)")
        // Without a threshold, it is ten percent; it may be nothing.
        try write(21.4, "more.csv", in: folder)
        #expect(Transcript(["compare", "a.csv", "more.csv"], in: folder).output.hasPrefix("Not slower: "))
        #expect(Transcript(["compare", "a.csv", "a.csv", "--threshold=0"], in: folder).exitCode == .success)
        for threshold in ["0", "0.05", "12.5", "100"] {
          let compared = Transcript(["compare", "a.csv", "a.csv", "--threshold=\(threshold)"], in: folder)
          #expect(compared.output.contains("  +\(threshold) %  un"), "\(compared.output)")
        }
        for (time, name, count) in [(20.0, "free.csv", 1.0), (30, "freed.csv", 1), (20, "noted.csv", 2)] {
          try write(time, name, in: folder) { row in
            if row.role == .subject { (row.gate, row.allocations) = (Benchmark.Gate.none, count) }
          }
        }
        let header =
          "scenario        threads  base ns/op  head ns/op   change      95 % interval  control            "
        for (files, line) in [
          (
            ["a.csv", "b.csv"],
            "     p   gate  verdict\nresolve/shared        1        20.0        25.0  +24.9 %  +24.8 % … +25.1 %"
              + "  locked-dictionary  <0.001  +10 %  slower\n"
          ),
          (
            ["free.csv", "freed.csv"],
            "p  gate  verdict\nresolve/shared        1        20.0        30.0  +49.9 %  +49.7 % … +50.1 %"
              + "  locked-dictionary  -     -  undecided\n"
          ),
        ] {
          let all = Transcript(["compare"] + files + ["--all"], in: folder)
          #expect(all.output.contains("\n\n" + header + line), "\(all.output)")
        }
        // As Markdown, the first table has what decides or is noted, and there is none if that is nothing.
        let noted = Transcript(["compare", "free.csv", "noted.csv", "--format=markdown"], in: folder)
        #expect(
          noted.output.contains(
            "\n| resolve/shared | 1 | 20.0 | +0.0 % | - | needs more memory, allocations 1.00 → 2.00 |"))
        let unnoted = Transcript(["compare", "free.csv", "freed.csv", "--format=markdown"], in: folder)
        #expect(
          unnoted.output.contains(".\n\n<details><summary>All 1 cell</summary>\n\n| scenario | threads | base ns/op |"))
        let markdown = Transcript(["compare", "a.csv", "b.csv", "--format=markdown"], in: folder)
        #expect(
          (
            markdown.exitCode,
            markdown.output.hasPrefix(
              "### Slower: resolve/shared (1); +24.9 % in the geometric mean; of 1 gated cell, 1 slower; "),
            markdown.output.contains("\n| resolve/shared | 1 | 25.0 | +24.9 % | +10 % | slower |")
          ) == (.regression, true, true), "\(markdown.output)")
        // The name with its size, which `list` shows, although there is only one size.
        let filtered = Transcript(["compare", "a.csv", "b.csv", "--filter=^resolve/shared/100$"], in: folder)
        #expect((filtered.exitCode, filtered.output) == (.regression, slower.output))
        // A size does not keep the filter from what has none in its name.
        var rows = try ResultFile.read(folder.appending(path: "a.csv").path)
        for (scenario, size) in [("resolve/among", 100), ("resolve/among", 1000), ("lifecycle/reset", 1000)] {
          rows += SampleRows.rows(["container": 20, "reference/x": 10], scenario: scenario) { $0.registrations = size }
        }
        let matching = rows.matching { $0.hasSuffix("/1000") }
        #expect(matching.map(\.scenario).uniqued == ["resolve/among", "lifecycle/reset"])
        // HTML would take the argument of a type for an element.
        try write(20, "c.csv", in: folder, scenario: "first/Box<Int>")
        try write(25, "d.csv", in: folder, scenario: "first/Box<Int>")
        for files in [["c.csv", "d.csv"], ["c.csv", "d.csv", "d.csv"]] {
          let generic = Transcript(["compare"] + files + ["--format=markdown"], in: folder).output
          #expect(
            (generic.contains("Slower: first/Box&lt;Int> (1); "), generic.contains("| first/Box&lt;Int> | 1 | "))
              == (true, true), "\(generic)")
          #expect(!generic.contains("<Int"))
        }
      }
    }
    // Colors appear only where they are wanted.
    do {
      #expect(
        Terminal.usesColor(true, [:]) && !Terminal.usesColor(false, [:]) && !Terminal.usesColor(true, ["NO_COLOR": "1"])
      )
      #expect(Terminal.usesColor(true, ["NO_COLOR": ""]) && !Terminal.usesColor(true, ["TERM": "dumb"]))
      let rows = { (time: Double) in
        (1...8).flatMap { SampleRows.rows(["container": time], scenario: "x", launch: $0) }
      }
      let comparison = Comparison(base: rows(1), head: rows(2), threshold: 0.1)
      #expect(
        ComparisonReport.text(comparison, as: .text, usesColor: true).contains("\u{1B}[31mx ")
          && !ComparisonReport.text(comparison, as: .text).contains("\u{1B}"))
      let faster = Comparison(base: rows(2), head: rows(1), threshold: 0.1)
      #expect(ComparisonReport.text(faster, as: .text, usesColor: true).contains("\u{1B}[32mx "))
      // What is not gated has none.
      let free = [1.0, 2].map { time in
        rows(time).map { row in
          var row = row
          row.gate = Benchmark.Gate.none
          return row
        }
      }
      let ungated = Comparison(base: free[1], head: free[0], threshold: 0.1)
      #expect(!ComparisonReport.text(ungated, as: .text, usesColor: true).contains("\u{1B}"))
    }
  }

  @Test("Several files are compared with the first side by side, and the worst of them decides")
  func sideBySide() throws {
    try withTemporaryFolder { folder in
      for (time, name) in [(20.0, "a.csv"), (20.1, "b.csv"), (25, "c.csv")] {
        // In each file, one cell has that time, and another one has the same time in all.
        let rows = [("resolve/shared", time), ("resolve/new", 40)].flatMap { scenario, time in
          (1...8).flatMap { launch in
            SampleRows.rows(
              ["container": time + Double(launch) * 0.01, Benchmark.Implementation.lockedDictionary: 100],
              scenario: scenario, launch: launch)
          }
        }
        try OutputFile(path: folder.appending(path: name).path).write(ResultFile.text(of: rows))
      }
      let transcript = Transcript(["compare", "a.csv", "b.csv", "c.csv"], in: folder)
      #expect(transcript.exitCode == .regression)
      let lines = transcript.output.split(separator: "\n")
      #expect(
        (
          lines[0].hasPrefix("b.csv: Not slower: +0.2 % in the geometric mean; "),
          lines[1].hasPrefix("c.csv: Slower: resolve/shared (1); +11.8 % in the geometric mean; "), lines[2], lines[3],
          lines[4],
          Transcript(["compare", "a.csv", "b.csv", "a.csv"], in: folder).exitCode
        ) == (
          true, true, "scenario        threads  base ns/op   b.csv           c.csv",
          "resolve/shared        1        20.0  +0.5 %  slower +24.9 %",
          "resolve/new           1        40.0  +0.0 %          +0.0 %", .success
        ))
      // What cannot be compared does not hide what is slower.
      try write(20, "other.csv", in: folder, scenario: "resolve/shared") { $0.harness = $0.harness.map { _ in "y" } }
      let worst = Transcript(["compare", "a.csv", "other.csv", "c.csv", "b.csv", "c.csv"], in: folder)
      #expect(worst.exitCode == .regression)
      let slower = "c.csv: Slower than before: resolve/shared (1)"
      #expect(worst.errors == "Error: \(slower); \(slower)\n")
      let incomparable = Transcript(["compare", "a.csv", "b.csv", "other.csv"], in: folder)
      #expect(
        (incomparable.exitCode, incomparable.errors) == (
          .incomparable, "Error: other.csv: Not comparable: resolve/shared (1), resolve/new (1)\n"
        ))
      let all = Transcript(["compare", "a.csv", "b.csv", "c.csv", "--all"], in: folder)
      #expect(all.output.hasPrefix(transcript.output))
      for name in ["b.csv", "c.csv"] { #expect(all.output.contains("\n\n\(name)\n\n")) }
      #expect(all.output.ranges(of: "95 % interval").count == 2)
      let markdown = Transcript(["compare", "a.csv", "b.csv", "c.csv", "--format=markdown"], in: folder)
      #expect(markdown.output.contains("| resolve/shared | 1 | 20.0 | +0.5 % | slower +24.9 % |"))
      // A cell may be in the last file only, and what has nothing in common is no better than too few launches.
      try write(20, "new.csv", in: folder, scenario: "resolve/first")
      try write(20, "few.csv", in: folder, launches: 2)
      for (files, code) in [
        (["new.csv", "other.csv"], ExitCode.incomparable), (["few.csv", "new.csv"], .badData),
        (["b.csv", "c.csv"], .regression),
      ] {
        let worst = Transcript(["compare", "few.csv"] + files, in: folder)
        #expect(worst.exitCode == code, "\(worst.output)\(worst.errors)")
      }
      let added = Transcript(["compare", "a.csv", "b.csv", "new.csv"], in: folder)
      #expect(added.output.contains("\nresolve/first"), "\(added.output)")
    }
  }

  @Test(
    "Nothing is compared of what is missing, damaged, of a debug build, or does not match; none of that is a success")
  func failures() throws {
    try withTemporaryFolder { folder in
      try write(20, "a.csv", in: folder)
      try write(20, "debug.csv", in: folder) { $0.status = .debug }
      try write(20, "partly.csv", in: folder) { if $0.launch == 8 { $0.status = .debug } }
      try Data().write(to: folder.appending(path: "empty.csv"))
      let cases: [([String], ExitCode, String)] = [
        (["a.csv", "none.csv"], .missingFile, "no such file"), (["empty.csv", "a.csv"], .badData, "the file is empty"),
        (["a.csv", "debug.csv"], .badData, "The head has rows of a debug build"),
        (["debug.csv", "a.csv"], .badData, "The base has rows of a debug build"),
        (["a.csv", "a.csv", "partly.csv"], .badData, "The partly.csv has rows of a debug build"),
        (["a.csv", "a.csv", "--filter=x"], .usage, "Nothing in these files matches 'x'"),
        (["a.csv", "a.csv", "--format=xml"], .usage, "expected text or markdown"),
        (["a.csv", "a.csv", "--threshold=-1"], .usage, "expected a number of percent"),
        ([], .usage, "Missing expected argument '<base>'"),
        (
          ["a.csv"], .missingFile,
          "Nothing to compare 'a.csv' with: no later complete run of an optimized build of this program and machine is in Results"
        ),
      ]
      for (arguments, code, message) in cases {
        let transcript = Transcript(["compare"] + arguments, in: folder)
        #expect(
          (transcript.exitCode, transcript.errors.contains(message), transcript.output) == (code, true, ""),
          "\(transcript.errors)")
      }
      // What it prints says so.
      for (arguments, beginning) in [
        (["compare", "debug.csv", "debug.csv", "--allow-debug"], ""),
        (["compare", "debug.csv", "debug.csv", "--allow-debug", "--format=markdown"], "### "),
        (["report", "debug.csv"], ""), (["report", "debug.csv", "--format=markdown"], ""),
      ] {
        let transcript = Transcript(arguments, in: folder)
        let isMarked = transcript.output.hasPrefix(beginning + "From a debug build, whose times mean nothing: ")
        #expect((transcript.exitCode, isMarked) == (.success, true), "\(transcript.output)")
      }
      #expect(!Transcript(["report", "a.csv"], in: folder).output.contains("debug"))
      try write(20, "b.csv", in: folder, scenario: "resolve/new")
      let transcript = Transcript(["compare", "a.csv", "b.csv"], in: folder)
      #expect(
        (
          transcript.exitCode, transcript.errors.contains("Nothing was compared"),
          transcript.output.contains("1 added, 1 missing")
        ) == (.badData, true, true), "\(transcript.errors)")
      #expect(Transcript(["compare", "a.csv", "b.csv", "--filter=new"], in: folder).exitCode == .badData)
    }
  }

  @Test("Tripled allocations, a slowed control, a missing cell and too few launches each have their status")
  func reported() throws {
    try withTemporaryFolder { folder in
      try write(20, "a.csv", in: folder) { $0.allocations = 1 }
      try write(20, "allocations.csv", in: folder) { $0.allocations = 3 }
      try write(20, "control.csv", in: folder) { row in
        row.allocations = 1
        if row.role != .subject {
          row.nanoseconds *= 1.5
          row.ratioOfSubject = row.ratioOfSubject.map { $0 / 1.5 }
        }
      }
      try write(20, "few.csv", in: folder, launches: 3) { $0.allocations = 1 }
      let rows = try ResultFile.read(folder.appending(path: "a.csv").path)
      let both =
        rows
        + rows.map { row in
          var row = row
          row.scenario = "resolve/new"
          return row
        }
      try OutputFile(path: folder.appending(path: "both.csv").path).write(ResultFile.text(of: both))
      let cases: [([String], ExitCode, String)] = [
        (["a.csv", "allocations.csv"], .regression, "Needs more memory"),
        (["a.csv", "control.csv"], .incomparable, "Not comparable"),
        (["both.csv", "a.csv"], .incomparable, "Not comparable"), (["a.csv", "both.csv"], .success, "Not slower"),
        (["a.csv", "few.csv"], .success, "No regression proved"),
        (["a.csv", "few.csv", "--strict"], .unproved, "No regression proved"),
        (["a.csv", "a.csv", "--strict"], .success, "Not slower"),
      ]
      for (arguments, code, conclusion) in cases {
        let transcript = Transcript(["compare"] + arguments, in: folder)
        #expect(transcript.exitCode == code, "\(arguments)")
        #expect(transcript.output.hasPrefix(conclusion + ": "), "\(transcript.output)")
        if code == .regression { #expect(transcript.errors == "Error: \(conclusion): resolve/shared (1)\n") }
      }
    }
  }
}

@Suite(.serialized)
struct ABCommandTests {
  private let options = [
    "--quick", "--launches=4", "--rounds=2", "--threads=1", "--filter=^resolve/shared$", "--allow-debug",
  ]

  /// A build that says that the container takes twenty times as long as it does.
  private func makeSlowerBuild(in folder: URL) throws {
    let executable = Executables.bench.path
    // The times of the container, and its ratios in the rows of the others.
    let script = "'\(executable)' \"$@\" | awk -F, -v OFS=, '/,container,/ { $16 *= 20 } $21 { $21 *= 20 } { print }'"
    try makeExecutable(script, at: folder.path + "/di-bench")
  }

  @Test("A slower build is found, and the samples of both are in files; another format is alone on standard output")
  func slower() throws {
    // A slower build is found, and the samples of both are in files.
    do {
      try withTemporaryFolder { folder in
        try makeSlowerBuild(in: folder)
        let transcript = Transcript(["ab", Executables.folder.path, folder.path, "--output=x"] + options, in: folder)
        #expect(
          (
            transcript.exitCode,
            transcript.output.hasPrefix("Measuring 1 cell in 4 launches of each build, 2 rounds each, about "),
            transcript.output.contains("Slower: ")
          ) == (.regression, true, true), "\(transcript.errors)")
        for name in ["x-base.csv", "x-head.csv"] {
          let rows = try ResultFile.read(folder.appending(path: name).path)
          let description = RunDescription.read(RunDescription.self, beside: folder.path + "/" + name)
          #expect((rows.count, description?.rows) == (16, 16))
          // Of each build the state of its own repository; the folder is in none.
          let isUnknown = description?.commit == RunEnvironment.commit(in: folder)
          #expect(isUnknown == (name == "x-head.csv" || RunEnvironment.commit(in: Executables.folder) == "unknown"))
        }
        // They can be compared again.
        let again = Transcript(["compare", "x-base.csv", "x-head.csv", "--allow-debug"], in: folder)
        #expect(again.exitCode == .regression)
      }
    }
    // Of another format nothing else is on standard output.
    do {
      try withTemporaryFolder { folder in
        let transcript = Transcript(
          ["ab", Executables.folder.path, Executables.folder.path, "--format=markdown"] + options, in: folder)
        #expect(
          [.success, .regression, .incomparable].contains(transcript.exitCode)
            && transcript.output.hasPrefix("### "))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Results")
        #expect(files.count == 4)
      }
    }
  }

  @Test(
    "Rows of a build that cannot be written are in another file, also those of both, and the other build has its own",
    arguments: [["base"], ["base", "head"]])
  func unwritable(_ taken: [String]) throws {
    try withTemporaryFolder { folder in
      let take = taken.map { "mkdir -p '\(folder.path)/x-\($0).csv'; " }.joined()
      try makeExecutable(take + "'\(Executables.bench.path)' \"$@\"", at: folder.path + "/di-bench")
      let options = options + ["--output=x", "--launches=1"]
      let transcript = Transcript(["ab", folder.path, folder.path] + options, in: folder)
      let refuges = transcript.errors.matches(of: /the rows are in '(.*?)'/).map { String($0.output.1) }
      defer { for refuge in refuges { try? FileManager.default.removeItem(atPath: refuge) } }
      #expect(
        (transcript.exitCode, refuges.count, transcript.errors.ranges(of: "'; Cannot write '").count)
          == (.cannotWrite, taken.count, taken.count - 1), "\(transcript.errors)")
      let files = refuges + (taken == ["base"] ? [folder.path + "/x-head.csv"] : [])
      #expect(try files.map { try ResultFile.read($0).count } == [4, 4])
    }
  }

  @Test("Two builds continue in turn after an interruption, even if the second has not had its first launch")
  func resumed() throws {
    try withTemporaryFolder { folder in
      let builds = ["base", "head"].map { folder.appending(path: $0) }
      let options = options + ["--rounds=6"]
      let script = { (name: String) in "echo \(name) >> '\(folder.path)/log'; exec '\(Executables.bench.path)' \"$@\"" }
      try makeExecutable(script("base"), at: builds[0].path)
      try makeExecutable("exit 130", at: builds[1].path)
      let first = Transcript(["ab", "base", "head", "--output=x"] + options, in: folder)
      #expect(
        (first.exitCode, first.errors.contains(" after 1 and 0 of 4 launches; ")) == (.interrupted, true),
        "\(first.errors)")
      try makeExecutable(script("head"), at: builds[1].path)
      // Seven launches of eight are left, of which four take a little more than a second.
      let dry = Transcript(["ab", "base", "head", "--resume=x", "--dry-run"] + options, in: folder)
      let left = "4 launches of each build, the rest of them, 6 rounds each, about 2 s.\n"
      #expect(dry.output.hasPrefix("Would measure 1 cell in " + left), "\(dry.output)")
      let rest = Transcript(["ab", "base", "head", "--resume=x"] + options, in: folder)
      #expect([.success, .regression, .incomparable].contains(rest.exitCode), "\(rest.errors)")
      for build in builds {
        let path = "\(folder.path)/x-\(build.lastPathComponent).csv"
        #expect(try ResultFile.read(path).count == 16)
        let program = RunDescription.read(RunDescription.self, beside: path)?.program
        #expect(program == RunEnvironment.program(build))
      }
      // In reverse order in every other launch.
      let log = try String(contentsOfFile: folder.path + "/log", encoding: .utf8)
      #expect(log.split(separator: "\n") == ["base", "head", "head", "base", "base", "head", "head", "base"])
    }
  }

  @Test("A build that does not exist, measures differently, or has rows of a debug build is one line")
  func failures() throws {
    try withTemporaryFolder { folder in
      let missing = Transcript(["ab", Executables.folder.path, "none"], in: folder)
      #expect(
        (missing.exitCode, missing.errors.hasPrefix("Error: No build at 'none'")) == (.missingFile, true),
        "\(missing.errors)")
      // One that prints other rows, one that is another program, and one that lacks what is filtered for.
      let builds: [(script: String, code: ExitCode, text: String)] = [
        ("echo di-bench/0,x", .badData, "measures differently than this build"),
        ("true", .badData, "measured nothing: it is another program"),
        ("echo 'Error: no benchmark matches it' >&2; exit 64", .incomparable, "/di-bench': no benchmark matches it"),
      ]
      for build in builds {
        try makeExecutable(build.script, at: folder.path + "/di-bench")
        let other = Transcript(["ab", folder.path, Executables.folder.path] + options, in: folder)
        #expect((other.exitCode, other.errors.contains(build.text)) == (build.code, true), "\(other.errors)")
      }
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Results")
      #expect(files == [])
      let folders = [folder.path, Executables.folder.path]
      // A build that is optimized, beside one that is not, which its first launch finds out.
      if Build.isDebug {
        let launches = folder.path + "/launches"
        let optimized = "'\(Executables.bench.path)' \"$@\" --allow-debug | sed 's/,debug/,ok/'"
        try makeExecutable("echo x >> '\(launches)'; \(optimized)", at: folder.path + "/di-bench")
        let debug = Transcript(["ab"] + folders + ["--output=x"] + options.filter { $0 != "--allow-debug" }, in: folder)
        #expect(
          (debug.exitCode, debug.errors.hasPrefix("Error: '\(Executables.bench.path)': This is a debug build, whose "))
            == (.incomparable, true), "\(debug.errors)")
        #expect(try String(contentsOfFile: launches, encoding: .utf8) == "x\n")
      }
      // A build with another harness.
      let program = "{ $4 = \"00000000\" } { print }"
      let script = "'\(Executables.bench.path)' \"$@\" | awk -F, -v OFS=, '\(program)'"
      try makeExecutable(script, at: folder.path + "/di-bench")
      let otherwise = Transcript(["ab"] + folders.reversed() + ["--output=y"] + options, in: folder)
      #expect(
        (otherwise.exitCode, otherwise.output.contains("1 measured differently")) == (.incomparable, true),
        "\(otherwise.output)")
    }
  }
}
