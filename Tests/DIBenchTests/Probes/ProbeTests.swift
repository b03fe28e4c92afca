internal import Foundation
internal import Synchronization
internal import Testing

@testable import DIBenchmarking
@testable import di_bench

@Suite("Probes")
struct ProbeTests {
  @Test("Every probe runs its path, and finds nothing wrong")
  func everyProbe() async {
    // In a process of its own, because many use the shared container.
    await #expect(processExitsWith: .success) {
      for probe in Probe.all { #expect(probe.run(3000) == 0, "\(probe.name)") }
    }
  }

  @Test("Names are different, and references exist")
  func names() {
    let names = Probe.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Probe.all.compactMap(\.reference).allSatisfy { names.contains($0) })
    #expect(Probe.all.filter { $0.reference != nil }.count == 41)
  }

  /// A loop, and how many of ten results it finds wrong if one path is.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let loop: @Sendable (ProbeLoops<FaultyPaths>) -> (Int) -> Int
    var wrong = 10
  }

  static let cases = [
    Case(testDescription: "shared", loop: { $0.shared }), Case(testDescription: "class-bound", loop: { $0.classBound }),
    Case(testDescription: "named", loop: { $0.named }), Case(testDescription: "declared", loop: { $0.declared }),
    Case(testDescription: "struct", loop: { $0.structure }),
    Case(testDescription: "struct-references", loop: { $0.structureWithReferences }),
    Case(testDescription: "new", loop: { $0.new }),
    Case(testDescription: "new-class", loop: { $0.newClass }),
    Case(testDescription: "new-argument", loop: { $0.newWithArgument }),
    // Of an instance that is there already, and once more for its parts.
    Case(testDescription: "view-model", loop: { $0.viewModel }, wrong: 11),
    Case(testDescription: "chain", loop: { $0.chain }), Case(testDescription: "optional-missing", loop: { $0.missing }),
    Case(testDescription: "eager", loop: { $0.eager }), Case(testDescription: "lazy-first", loop: { $0.lazyFirst }),
    Case(testDescription: "lazy-again", loop: { $0.lazyAgain }),
  ]

  @Test("A wrong result is found, whatever is asked for", arguments: cases)
  func faults(_ testCase: Case) {
    let loop = testCase.loop(ProbeLoops<FaultyPaths>())
    #expect(loop(10) == testCase.wrong)
  }

  // MARK: The command

  private let folder = FileManager.default.temporaryDirectory

  @Test("The list has a line for each, with tabs between name, reference and summary")
  func list() {
    let lines = Transcript(["probe", "--list"], in: folder).output.split(separator: "\n")
    #expect(lines.count == Probe.all.count)
    #expect(lines.first == "shared\tshared-by-hand\ta Shared class by its protocol")
    #expect(lines.dropFirst().first == "shared-by-hand\t-\tthe same by hand")
  }

  @Test("A probe runs as often as asked, and prints nothing")
  func run() {
    let transcript = Transcript(["probe", "struct", "--count=7"], in: folder, probes: [Probe(fixed: 7)])
    #expect(transcript.exitCode == .success, "\(transcript.errors)")
    #expect(transcript.output + transcript.errors == "")
    let counts = Mutex<[Int]>([])
    let probe = Probe("struct", of: nil, "") { count in
      counts.withLock { $0.append(count) }
      return 0
    }
    #expect(Transcript(["probe", "struct", "--count=2,2,7"], in: folder, probes: [probe]).exitCode == .success)
    #expect(counts.withLock { $0 } == [2, 2, 7])
    let usual = Transcript(["probe", "struct"], in: folder, probes: [Probe(fixed: 1000)])
    #expect(usual.exitCode == .success, "\(usual.errors)")
  }

  @Test("Wrong results have the exit code of a violation")
  func violation() {
    let transcript = Transcript(["probe", "struct", "--count=7,8"], in: folder, probes: [Probe(fixed: 7)])
    #expect(transcript.exitCode == .invariantViolated)
    #expect(transcript.errors == "Error: Invariant violated: probe struct: 1 of 8 results are wrong\n")
  }

  @Test(
    "A command line that makes no sense is explained",
    arguments: [
      (["probe"], "Missing expected argument '<name>', or --list"),
      (["probe", "shard"], "Unknown probe 'shard'. Did you mean 'shared'?"),
      (
        ["probe", "shared", "--count=2,,3"],
        "The value '2,,3' is invalid for '--count': expected numbers above 0, separated by commas"
      ),
      (["probe", "shared", "x"], "There is no benchmark 'shared'"),
    ])
  func usage(_ arguments: [String], _ message: String) {
    let transcript = Transcript(arguments, in: folder)
    #expect(transcript.exitCode == .usage)
    #expect(transcript.errors.hasPrefix("Error: \(message)\n"))
  }

  @Test("A debug build is refused")
  func debugBuild() {
    let transcript = Transcript(["probe", "shared"], in: folder, isDebug: true)
    #expect(transcript.exitCode == .usage)
    #expect(transcript.errors.hasPrefix("Error: This is a debug build, whose costs say nothing"))
  }
}

extension Probe: CustomTestStringConvertible {
  /// The name of the probe.
  public var testDescription: String { name }

  /// A probe that is right if it is run this many times.
  fileprivate init(fixed count: Int) {
    self.init("struct", of: nil, "") { $0 == count ? 0 : 1 }
  }
}
