internal import Foundation
internal import Testing

@testable import DIBenchmarking
@testable import di_bench

struct ToolTests {
  private let folder = FileManager.default.temporaryDirectory

  @Test("Help is there at every level and goes to standard output, and the version is printed alone")
  func help() {
    let cases: [([String], String)] = [
      (["--help"], "COMMANDS:"), (["-h"], "COMMANDS:"), (["help"], "COMMANDS:"),
      (["help", "run"], "--filter <regex>"),
      (["run", "--help"], "--filter <regex>"), (["list", "-h"], "USAGE: di-bench list"),
      (["compare", "--help"], "--threshold <percent>"),
      (["compare", "--help"], " <base> [<head> …]\n\nARGUMENTS:\n  <base>"),
      (["--help"], "\n  run (default) "), (["--help"], "\n  -h, --help "),
      (["ab", "-h"], "<base> <head>"),
      (["stress", "--help"], "--duration <seconds>"), (["report", "--help"], "--svg <file>"),
      (["help", "launch"], "<number>"), (["--help"], "EXIT STATUS:"),
      (["probe", "--help"], "[<name>] [<implementation>]"), (["--help"], "probe"),
      (["--", "report", "--help"], "<file>"),
    ]
    for (arguments, part) in cases {
      let transcript = Transcript(arguments, in: folder)
      #expect(
        (transcript.exitCode, transcript.output.contains(part), transcript.errors) == (.success, true, ""),
        "\(transcript.output)")
    }
    do {
      let cases: [[String]] = [["--version"], ["run", "--version"], ["report", "--version"]]
      for arguments in cases { #expect(Transcript(arguments, in: folder).output == Build.version + "\n") }
      #expect(!Transcript(["--help"], in: folder).output.contains("launch "))
    }
  }

  @Test("An invalid command line is explained on standard error")
  func usage() {
    let cases: [([String], String)] = [
      (["rnu"], "Error: Unknown command 'rnu'. Did you mean 'run'?"),
      (["hepl"], "Error: Unknown command 'hepl'. Did you mean 'help'?"),
      (["launch", "0"], "Error: There is no such launch"),
      (["--threads=257"], "Error: The value '257' is invalid for '--threads'"),
      (["--rounds=10001"], "Error: The value '10001' is invalid for '--rounds': expected a number from 1 to 10000"),
      (["av"], "Error: Unknown command 'av'. Did you mean 'ab'?"),
      (["help", "lits"], "Error: Unknown command 'lits'. Did you mean 'list'?"),
      (["compair", "a", "b"], "Error: Unknown command 'compair'. Did you mean 'compare'?"),
      (["stress", "--durration=1"], "Error: Unknown option '--durration'. Did you mean '--duration'?"),
      (["stress", "--duration=0"], "Error: The value '0' is invalid for '--duration': expected seconds, more than 0"),
      (["report"], "Error: Missing expected argument '<file>'"),
      (["--qiuck"], "Error: Unknown option '--qiuck'. Did you mean '--quick'?"),
      (["list", "x"], "Error: Unexpected argument 'x'. Did you mean '--filter x'?\n"),
      (["list", "--filter=x"], "Error: The value 'x' is invalid for '--filter': no benchmark matches it"),
      (["--quick", "run"], "Error: Unexpected argument 'run': the command comes first\n"),
      (["report", "x", "y"], "Error: Unexpected argument 'y'\n"),
      (["--list"], "Error: Unknown command '--list'. Did you mean 'list'?"),
      (["--launch=1"], "Error: Unknown option '--launch'. Did you mean '--launches'?"),
      (["help", "launhc"], "Error: Unknown command 'launhc'\n"),
      (["--threads", "1,,2"], "Error: The value '1,,2' is invalid for '--threads': expected numbers from 1 to 256"),
      (["--threads=0"], "Error: The value '0' is invalid for '--threads'"),
      (["--threads", "-1"], "Error: The value '-1' is invalid for '--threads'"),
      (["--rounds=0"], "Error: The value '0' is invalid for '--rounds'"),
      (["--seed=x"], "Error: The value 'x' is invalid for '--seed'"),
      (
        ["--filter", "resolve/("],
        "Error: The value 'resolve/(' is invalid for '--filter': expected a regular expression"
      ),
      (["--launches=0"], "Error: The value '0' is invalid for '--launches': expected a number from 1 to 100"),
      (["--filter", "resolve/shard"], "no benchmark matches it. Did you mean 'resolve/shared'?"),
    ]
    for (arguments, message) in cases {
      let transcript = Transcript(arguments, in: folder)
      #expect(
        (
          transcript.exitCode, transcript.errors.contains(message), transcript.errors.contains("Usage: di-bench"),
          transcript.output
        ) == (.usage, true, true, ""), "\(transcript.errors)")
    }
  }

  @Test("The list names each benchmark with its summary, what it is compared with, its threads, and how it is gated")
  func list() throws {
    let output = Transcript(["list"], in: folder).output
    for benchmark in Benchmark.all {
      let lines = output.split(separator: "\n").filter { $0.hasPrefix(benchmark.label + " ") }
      #expect((lines.count, lines.first?.hasSuffix(" " + benchmark.summary)) == (1, true))
    }
    let filtered = Transcript(["list", "--filter=^resolve/typed$"], in: folder).output
    #expect((filtered.hasPrefix("resolve/typed  "), filtered.split(separator: "\n").count) == (true, 2), "\(filtered)")
    do {
      let lines = Transcript(["list"], in: folder).output.split(separator: "\n")
      let several = Plan.threads(cores: CoreAffinity.count).dropFirst().map { "\($0)" }.joined(separator: ", ")
      for (label, details) in [
        ("resolve/typed", "1 thread gated; \(several) threads gated at +50 %"),
        ("reentrant/diamond", "1, \(several) threads gated at +50 %"),
        ("lifecycle/restore/1000", "1 thread gated at +50 %"),
        ("lifecycle/restore/10000", "1 thread not gated"),
      ] {
        let index = try #require(lines.firstIndex { $0.hasPrefix(label + " ") })
        #expect(lines[index + 1].hasSuffix("reference/locked-dictionary; " + details), "\(lines[index + 1])")
      }
    }
  }

  @Test(
    "Only commands that finish what they do handle signals, only of their own process, and a launch its crashes",
    .exitTest)
  func signals() async {
    // In a process of its own, because it changes how the process handles signals.
    await #expect(processExitsWith: .success) {
      /// Which of an interruption and a crash the process handles after a command line.
      func handled(_ arguments: [String], _ interrupt: Interrupt) -> [Bool] {
        let numbers = [SIGINT, SIGTRAP]
        for number in numbers { signal(number, SIG_DFL) }
        _ = Transcript(arguments, in: FileManager.default.temporaryDirectory, interrupt: interrupt)
        return numbers.map { signal($0, SIG_DFL) != nil }
      }
      let handlings: [[Bool]] = [
        handled(["list"], .bySignal), handled(["run", "--dry-run"], .bySignal), handled(["launch", "0"], .bySignal),
        handled(["launch", "0"], Interrupt()),
      ]
      #expect(handlings == [[false, false], [true, false], [true, true], [false, false]])
    }
  }

  @Test("A debug build is refused before anything is measured or made, and exit codes are those that are documented")
  func debugBuild() throws {
    // A debug build is refused before anything is measured or made.
    do {
      try withTemporaryFolder { folder in
        let transcript = Transcript(["--quick"], in: folder, isDebug: true)
        #expect(
          (transcript.exitCode, transcript.errors.contains("This is a debug build")) == (.usage, true),
          "\(transcript.errors)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files == [])
      }
    }
    // Exit codes are those that are documented.
    do {
      let codes: [ExitCode] = [
        .success, .regression, .invariantViolated, .incomparable, .unproved, .usage, .badData, .missingFile,
        .cannotWrite,
        .interrupted,
      ]
      #expect(codes == ExitCode.allCases)
      let help = Transcript(["--help"], in: folder).output
      let readme = URL(fileURLWithPath: #filePath).appending(path: "../../../../Results/README.md").standardized
      let documentation = try String(contentsOf: readme, encoding: .utf8)
      for code in codes {
        #expect(help.contains("\n  \(code.rawValue) ") && documentation.contains("\n| \(code.rawValue) |"))
      }
      #expect(codes.map(\.rawValue) == [0, 2, 3, 4, 5, 64, 65, 66, 73, 130])
    }
  }
}
