internal import DependencyInjection
internal import Foundation
internal import Testing

@testable import DIBenchmarking

struct GraphBenchmarkTests {
  /// Runs the benchmark of the example, or another one.
  private func run(
    _ arguments: [String], in folder: URL, of program: String = "ExampleBench"
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = Executables.folder.appending(path: program)
    process.currentDirectoryURL = folder
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test("A few lines make a program with benchmarks for each root and others, which writes a file and compares it")
  func example() throws {
    try withTemporaryFolder { folder in
      let list = try run(["list"], in: folder).output
      for name in [
        "register/modules", "cold/Log", "first/Log", "warm/Log", "cold/Server.orders", "warm/Server.orders", "shelf",
        "title",
      ] {
        #expect(list.contains("\(name) "))
      }
      let options = ["--quick", "--allow-debug", "--threads=1,2", "--rounds=2"]
      #expect(try run(options + ["--output=a.csv"], in: folder).status == 0)
      let rows = try ResultFile.read(folder.appending(path: "a.csv").path)
      // Nine benchmarks, four of them on two threads; those that start a process have no control.
      #expect(Set(rows.map(\.key)).count == 13)
      #expect(rows.filter { $0.process == .own }.allSatisfy { $0.role == .subject && $0.samples == 2 })
      let same = try run(["compare", "a.csv", "a.csv", "--allow-debug"], in: folder)
      let conclusion = "No regression proved: +0.0 % in the geometric mean; of 13 gated cells, 13 undecided."
      #expect(same.status == ExitCode.unproved.rawValue && same.output.contains(conclusion))
    }
  }

  @Test(
    "What modules, factories and operations print disturbs no run and no output, and a name may have commas and quotes")
  func noise() throws {
    try withTemporaryFolder { folder in
      let list = try run(["list"], in: folder, of: "NoisyBench")
      #expect(list.output.hasPrefix("register/modules "))
      #expect(list.output.contains(/\nnoisy, "quoted" +an operation of the program\n/))
      let options = ["--quick", "--allow-debug", "--threads=1", "--launches=1", "--output=a.csv"]
      let measured = try run(options, in: folder, of: "NoisyBench")
      #expect(
        (
          measured.status, measured.output.hasPrefix("Measuring 5 cells in 1 launch, 3 rounds each, about "),
          measured.output.contains("operation\n")
        ) == (0, true, false), "\(measured.output)")
      let rows = try ResultFile.read(folder.appending(path: "a.csv").path)
      #expect(
        rows.filter { $0.role == .subject }.map(\.scenario)
          == ["register/modules", "cold/Log", "first/Log", "warm/Log", "noisy, \"quoted\""])
    }
  }

  @Test(
    "A crash is reported with the benchmark that was measured and, of two builds, with the one that failed",
    arguments: ["trap", "abort", "access"])
  func crash(_ kind: String) throws {
    try withTemporaryFolder { folder in
      let program = Executables.folder.appending(path: "NoisyBench").path
      let options = ["--quick", "--allow-debug", "--filter=noisy", "--output=\(folder.appending(path: "a.csv").path)"]
      let env = ChildProcess(executable: URL(filePath: "/usr/bin/env"), name: "env")
      // Both builds are the program itself.
      for (command, build) in [(["run"], ""), (["ab", program, program], "'\(program)': ")] {
        let error = #expect(throws: CommandFailure.self) {
          try env.run(["NOISY_BENCH_CRASH=\(kind)", program] + command + options, interrupt: Interrupt()) { _ in }
        }
        let what = "Invariant violated: noisy, \"quoted\" operation at 1 thread: its process failed: "
        let trap = build + what + "NoisyBench/NoisyBench.swift: Fatal error: broken"
        let message = error?.message.replacing(/swift:\d+:/, with: "swift:") ?? ""
        // What is said of the others depends on the system.
        let isRight = kind == "trap" ? message == trap : message.hasPrefix(build + what)
        #expect((error?.code, isRight) == (.invariantViolated, true), "\(message)")
      }
    }
  }

  @Test("Only a program that has modules or roots measures how they are registered")
  func graph() {
    struct Nothing: GraphBenchmark {}
    struct Modules: GraphBenchmark {
      static var modules: Module { Module { New(7) } }
    }
    struct Roots: GraphBenchmark {
      static var roots: [Root] { [Root(Int.self)] }
    }
    let names = [Nothing.graph, Modules.graph, Roots.graph].map { $0.map(\.name) }
    #expect(names == [[], ["register/modules"], ["register/modules", "cold/Int", "first/Int", "warm/Int"]])
  }

  @Test(
    "Modules are registered once for all roots, the first resolution comes after a reset, and the next creates nothing",
    .exitTest)
  func loops() async {
    // In a process of its own, because it registers in the shared container.
    await #expect(processExitsWith: .success) {
      let (modules, created, resolved) = (Locked(0), Locked(0), Locked(0))
      let makeModules: GraphCatalog.Modules = {
        modules.withLock { $0 += 1 }
        return Module {
          Shared { () -> Int in
            created.withLock { $0 += 1 }
            return 7
          }
        }
      }
      let root = Root("b") {
        _ = try $0.tryResolve(Int.self)
        resolved.withLock { $0 += 1 }
      }
      let benchmarks = GraphCatalog.benchmarks(makeModules, [Root(Int.self), root])
      let run = { (name: String) throws -> String in
        let workload = try #require(benchmarks.first { $0.name == name }).subject.makeWorkload()
        try workload.run(3, 0)
        let counts = [modules, created, resolved].map { count in count.withLock { "\($0)" } }
        return counts.joined(separator: " ") + (workload.allocates ? "" : " uncounted")
      }
      let runs = try ["first/Int", "warm/Int", "first/b", "warm/b", "register/modules", "cold/b"].map(run)
      #expect(
        runs == ["1 3 0 uncounted", "1 3 0 uncounted", "1 6 3 uncounted", "1 6 6 uncounted", "4 6 6", "5 7 7"])
    }
  }

  @Test(
    "A root that cannot be resolved is a wrong result, with what is missing, and two of one name are refused", .exitTest
  )
  func unresolvable() async {
    // Roots are named after their types, and closures as they say.
    #expect(
      (Root((any Error).self).name, Root(Int.self, named: "small").name, Root("own") { _ in }.name) == (
        "Error", "Int.small", "own"
      ))
    // In a process of its own, because it registers in the shared container.
    await #expect(processExitsWith: .success) {
      struct Missing {}
      @MainActor final class Main {}
      let benchmarks = GraphCatalog.benchmarks({ Module { New(7) } }, [Root(Int.self), Root(Missing.self)])
      let message = { (name: String) -> String in
        guard let benchmark = benchmarks.first(where: { $0.name == name }) else { return "no benchmark" }
        do throws(Violation) { try benchmark.subject.makeWorkload().run(1, 0) } catch { return error.message }
        return ""
      }
      for name in ["register/modules", "cold/Int", "first/Int", "warm/Int"] { precondition(message(name) == "") }
      for kind in ["cold", "first", "warm"] {
        let message = message("\(kind)/Missing")
        let text = "Missing cannot be resolved: No registration for 'Missing'.\n  resolving  Missing\n  asked at   "
        precondition(message.hasPrefix(text + "DIBenchTests/GraphBenchmarkTests.swift:"), message)
        precondition(!message.contains("roots are resolved on any thread"), message)
      }
      let elsewhere: GraphCatalog.Modules = {
        Module {
          New { () async in "later" }
          New { @MainActor in Main() }
        }
      }
      for root in [Root(String.self), Root(Main.self)] {
        let workload = GraphCatalog.benchmarks(elsewhere, [root])[1].subject.makeWorkload()
        do throws(Violation) {
          try workload.run(1, 0)
          preconditionFailure("\(root.name) was resolved")
        } catch {
          let note = "roots are resolved on any thread: register another one, or take the types that it needs as roots"
          precondition(error.message.hasSuffix("\n  note       " + note), error.message)
        }
      }
      do {
        let benchmarks = GraphCatalog.benchmarks(
          { Module { New(7) } }, [Root(Int.self, line: 1), Root("Int", resolve: { _ in }, line: 2)])
        let transcript = Transcript(["list"], in: FileManager.default.temporaryDirectory, benchmarks: benchmarks)
        precondition(transcript.exitCode == .usage)
        let file = "DIBenchTests/GraphBenchmarkTests.swift"
        precondition(
          transcript.errors
            == "Error: \(file):2: 'cold/Int' is also the name of a benchmark at \(file):1: give one of them another name\n"
        )
      }
    }
  }
}
