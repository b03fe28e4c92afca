internal import DependencyInjection
internal import Foundation
internal import Testing

@testable import DIBenchmarking

@Suite("The modules of an app")
struct GraphBenchmarkTests {
  /// Runs the benchmark of the example.
  private func run(_ arguments: [String], in folder: URL) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = Executables.folder.appending(path: "ExampleBench")
    process.currentDirectoryURL = folder
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test("Five lines make a program with scenarios for each root, which writes a file and compares it")
  func example() throws {
    try withTemporaryFolder { folder in
      let list = try run(["list"], in: folder).output
      for name in ["register/modules", "cold/Log", "first/Log", "warm/Log", "cold/Server.orders", "warm/Server.orders"]
      {
        #expect(list.contains("\(name) "))
      }
      let options = ["--quick", "--allow-debug", "--threads=1,2", "--samples=2"]
      #expect(try run(options + ["--output=a.csv"], in: folder).status == 0)
      let rows = try ResultFile.read(folder.appending(path: "a.csv").path)
      // Seven scenarios, two of them on two threads; those that start a process have no control.
      #expect(Set(rows.map { CellKey($0) }).count == 9)
      #expect(rows.filter { $0.process == .own }.allSatisfy { $0.role == .subject && $0.samples == 2 })
      let same = try run(["compare", "a.csv", "a.csv", "--allow-debug"], in: folder)
      #expect(same.status == 0)
      #expect(same.output.contains("No regression proved, 9 of 9 gated cells could not tell"))
    }
  }

  @Test("A root that cannot be resolved is a wrong result, with what is missing")
  func unresolvable() async {
    // In a process of its own, because it registers in the shared container.
    await #expect(processExitsWith: .success) {
      struct Missing {}
      let scenarios = GraphCatalog.scenarios({ Module { New(7) } }, [Root(Int.self), Root(Missing.self)])
      let message = { (name: String) -> String in
        guard let scenario = scenarios.first(where: { $0.name == name }) else { return "no scenario" }
        do throws(Violation) { try scenario.subject.makeWorkload().run(1, 0) } catch { return error.message }
        return ""
      }
      for name in ["register/modules", "cold/Int", "first/Int", "warm/Int"] { precondition(message(name) == "") }
      for kind in ["cold", "first", "warm"] {
        let message = message("\(kind)/Missing")
        precondition(message.hasPrefix("Missing cannot be resolved: No registration for 'Missing'."), message)
      }
    }
  }

  @Test("Two roots of one name are refused, because their times would be mixed")
  func sameName() async {
    await #expect(processExitsWith: .success) {
      let scenarios = GraphCatalog.scenarios({ Module { New(7) } }, [Root(Int.self), Root("Int") { _ in }])
      let transcript = Transcript(["list"], in: FileManager.default.temporaryDirectory, scenarios: scenarios)
      precondition(transcript.exitCode == .usage)
      precondition(
        transcript.errors == "Error: Two scenarios are called 'cold/Int': give one of the roots another name\n")
    }
  }

  @Test("Roots are named after their types, and closures as they say")
  func names() {
    #expect(Root((any Error).self).name == "Error")
    #expect(Root(Int.self, named: "small").name == "Int.small")
    #expect(Root("own") { _ in }.name == "own")
  }
}
