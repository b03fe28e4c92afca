internal import Foundation
internal import Testing

@testable import di_bench

@Suite("Running", .serialized)
struct RunCommandTests {
  private let short = ["run", "--quick", "--samples", "2", "--threads", "2,1", "--filter", "resolve/sh"]

  @Test("A run says how long it takes, prints a table and writes a file that can be checked")
  func run() throws {
    try withTemporaryFolder { folder in
      let transcript = Transcript(short, in: folder)
      #expect(transcript.exitCode == .success, "\(transcript.errors)")
      #expect(transcript.errors == "")
      let lines = transcript.output.split(separator: "\n")
      #expect(lines.first == "Measuring 2 cells, 2 samples each, about 1 s.")
      #expect(lines.filter { $0.hasPrefix("resolve/shared ") }.count == 2)

      let results = folder.appending(path: "Results")
      let name = try #require(try FileManager.default.contentsOfDirectory(atPath: results.path).first)
      #expect(name.wholeMatch(of: /di-bench-\d{8}T\d{6}Z-unknown\.csv/) != nil)
      #expect(lines.last?.hasSuffix(results.appending(path: name).path) == true)

      let rows = try ResultFile.read(results.appending(path: name).path)
      #expect(rows.count == 2 * 2 * 4)
      #expect(Set(rows.map(\.threads)) == [1, 2])
      #expect(Set(rows.map(\.scenario)) == ["resolve/shared"])
      #expect(Set(rows.map(\.round)) == [1, 2])
      #expect(rows.allSatisfy { ($0.ratioToReference == nil) == ($0.implementation == "reference/static-let") })

      let check = Transcript(["check", "Results/\(name)"], in: folder)
      #expect(check.output == "Results/\(name): 16 samples of 8 cells, schema di-bench/1\n")
    }
  }

  @Test("A debug build is measured if that is allowed, and its rows say so")
  func allowDebug() throws {
    try withTemporaryFolder { folder in
      let transcript = Transcript(short + ["--allow-debug", "--output", "a.csv"], in: folder, isDebug: true)
      #expect(transcript.exitCode == .success)
      let rows = try ResultFile.read(folder.appending(path: "a.csv").path)
      #expect(rows.allSatisfy { $0.status == .debug })
    }
  }

  @Test("An output that exists is refused before anything is measured, and stays")
  func existingOutput() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "a.csv").path
      try OutputFile(path: path).write("first")
      let transcript = Transcript(short + ["--output", "a.csv"], in: folder)
      #expect(transcript.exitCode == .cannotWrite)
      #expect(transcript.errors == "Error: Cannot write '\(path)': the file exists already\n")
      #expect(transcript.output == "")
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "first")
    }
  }

  @Test("A wrong answer ends the run with its own exit code, names the culprit, and writes nothing")
  func violation() throws {
    let faulty = Scenario(
      name: "resolve/faulty", summary: "wrong once",
      subject: .init("container") { Workload(SharedLoop(FaultyProvider(.recreatesShared))) },
      reference: .init("reference/static-let") { Workload(SharedLoop(DirectProvider())) }, yardsticks: [])
    try withTemporaryFolder { folder in
      let transcript = Transcript(["run", "--quick", "--threads=1"], in: folder, scenarios: [faulty])
      #expect(transcript.exitCode == .invariantViolated)
      #expect(transcript.errors.hasPrefix("Error: Invariant violated: resolve/faulty container at 1 thread: 1 of "))
      #expect(transcript.errors.hasSuffix(" operations returned another instance of a shared class\n"))
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Results")
      #expect(files == [])
    }
  }

  @Test("What is wrong only at the end is a violation too")
  func violationAtTheEnd() throws {
    let faulty = Scenario(
      name: "register/faulty", summary: "cannot create one",
      subject: .init("container") { Workload(RegisterLoop<UnableRegistrar>()) },
      reference: .init("reference/dictionary") { Workload(RegisterLoop<DictionaryRegistrar>()) }, yardsticks: [])
    try withTemporaryFolder { folder in
      let transcript = Transcript(["--quick", "--samples=1", "--threads=1"], in: folder, scenarios: [faulty])
      #expect(transcript.exitCode == .invariantViolated)
      #expect(transcript.errors.contains("was registered but cannot be created"))
    }
  }

  @Test("Checking a file that is missing or damaged gives one line and its exit code")
  func check() throws {
    try withTemporaryFolder { folder in
      let missing = Transcript(["check", "none.csv"], in: folder)
      #expect(missing.exitCode == .missingFile)
      #expect(missing.errors.split(separator: "\n").count == 1)

      let path = folder.appending(path: "a.csv").path
      try Data("a,b\r\n1,2\r\n".utf8).write(to: URL(fileURLWithPath: path))
      let foreign = Transcript(["check", "a.csv"], in: folder)
      #expect(foreign.exitCode == .badData)
      #expect(foreign.errors == "Error: \(path):1: not a results file: the header does not begin with 'schema'\n")

      try Data([0xFF, 0xFE, 0x00]).write(to: URL(fileURLWithPath: path))
      let binary = Transcript(["check", "a.csv"], in: folder)
      #expect(binary.exitCode == .badData)
      #expect(binary.errors == "Error: \(path): not UTF-8 text\n")
    }
  }

  @Test("The plan follows the arguments")
  func plan() throws {
    let context = CommandContext(isDebug: false)
    let arguments = ParsedArguments(values: ["threads": "4,1,4", "seed": "9", "filter": "re"])
    let plan = try RunCommand(arguments, context).plan
    #expect(plan.threads == [1, 4])
    #expect(plan.seed == 9)
    #expect(plan.rounds == 50)
    #expect(plan.scenarios.map(\.label) == Scenario.all.filter { $0.name.hasPrefix("re") }.map(\.label))
    let quick = try RunCommand(ParsedArguments(flags: ["quick"]), context).plan
    #expect(quick.expectedSeconds < 30)
    let full = try RunCommand(ParsedArguments(), context).plan
    #expect(full.expectedSeconds < 180)
  }
}
