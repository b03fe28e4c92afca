internal import Foundation
internal import Synchronization
internal import Testing

@testable import DIBenchmarking
@testable import di_bench

struct ProbeTests {
  @Test("Every probe runs its path and finds nothing wrong, names are different, and references exist", .exitTest)
  func everyProbe() async {
    // In a process of its own, because many use the shared container.
    await #expect(processExitsWith: .success) {
      for probe in Probe.all { #expect(probe.run(3000) == 0, "\(probe.name)") }
    }
    let names = Probe.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Probe.all.compactMap(\.reference).allSatisfy { names.contains($0) })
    #expect(Probe.all.filter { $0.reference != nil }.count == 42)
  }

  @Test("A wrong result is found, and an invalid command line is explained")
  func faults() {
    // A wrong result is found, whatever is asked for.
    do {
      typealias Loops = ProbeLoops<FaultyPaths>
      let loops: [(Loops) -> (Int) -> Int] = [
        { $0.shared }, { $0.classBound }, { $0.named }, { $0.declared }, { $0.structure },
        { $0.structureWithReferences },
        { $0.new }, { $0.newClass }, { $0.newWithArgument }, { $0.chain }, { $0.missing }, { $0.eager },
        { $0.lazyFirst },
        { $0.lazyAgain },
      ]
      #expect(loops.map { $0(Loops())(10) } == loops.map { _ in 10 })
      // Of an instance that is there already, and once more for its parts.
      #expect(Loops().viewModel(10) == 11)
    }
    // An invalid command line is explained, and a debug build refused.
    do {
      let cases: [([String], String)] = [
        (["probe"], "Missing expected argument '<name>', or --list"),
        (["probe", "shard"], "There is no benchmark 'shard'. Did you mean 'shared'?"),
        (
          ["probe", "shared", "--count=2,,3"],
          "The value '2,,3' is invalid for '--count': expected numbers above 0, separated by commas"
        ),
        (["probe", "shared", "x"], "There is no benchmark 'shared'"),
        (["probe", "shared", "--allocations"], "There is no benchmark 'shared'"),
        (["probe", "resolve/shard"], "There is no benchmark 'resolve/shard'. Did you mean 'resolve/shared'?"),
        (
          ["probe", "resolve/shared", "container", "--nanoseconds=\(Int.max)"],
          "The value '\(Int.max)' is invalid for '--nanoseconds': expected a number from 1 to 1000000000000"
        ),
        (["probe", "shared", "--threads=2"], "'--threads' is not an option for a hot path"),
        (["probe", "resolve/shared", "container", "--count=5"], "'--count' is not an option for a benchmark"),
        (
          ["probe", "wrapper/eager"],
          "Name an implementation of the benchmark 'wrapper/eager': "
            + "container, reference/static-let, reference/locked-dictionary"
        ),
      ]
      for (arguments, message) in cases {
        let transcript = Transcript(arguments, in: folder)
        #expect(
          (transcript.exitCode, transcript.errors.hasPrefix("Error: \(message)\n")) == (.usage, true),
          "\(transcript.errors)")
      }
      do {
        let transcript = Transcript(["probe", "shared"], in: folder, isDebug: true)
        #expect(
          (transcript.exitCode, transcript.errors.hasPrefix("Error: This is a debug build, whose costs mean nothing"))
            == (
              .usage, true
            ), "\(transcript.errors)")
      }
    }
  }

  // MARK: The command

  private let folder = FileManager.default.temporaryDirectory

  @Test("The list has a line for each, and a probe runs as often as asked, prints nothing, and fails for wrong results")
  func list() {
    let lines = Transcript(["probe", "--list"], in: folder).output.split(separator: "\n")
    #expect(lines.count == Probe.all.count)
    let first = ["shared\tshared-by-hand\ta Shared class by its protocol", "shared-by-hand\t-\tthe same by hand"]
    #expect(lines.prefix(2).map { String($0) } == first)
    do {
      let transcript = Transcript(["probe", "struct", "--count=7"], in: folder, probes: [Probe(fixed: 7)])
      #expect((transcript.exitCode, transcript.output + transcript.errors) == (.success, ""), "\(transcript.errors)")
      let counts = Mutex<[Int]>([])
      let probe = Probe("struct", of: nil, "") { count in
        counts.withLock { $0.append(count) }
        return 0
      }
      #expect(
        (
          Transcript(["probe", "struct", "--count=2,2,7"], in: folder, probes: [probe]).exitCode, counts.withLock { $0 }
        )
          == (.success, [2, 2, 7]))
      let usual = Transcript(["probe", "struct"], in: folder, probes: [Probe(fixed: 1000)])
      #expect(usual.exitCode == .success, "\(usual.errors)")
      // A debug build, if that is allowed.
      let debug = Transcript(
        ["probe", "struct", "--count=8", "--allow-debug"], in: folder, isDebug: true, probes: [Probe(fixed: 7)])
      #expect(debug.exitCode == .invariantViolated, "\(debug.errors)")
    }
    do {
      let transcript = Transcript(["probe", "struct", "--count=7,8"], in: folder, probes: [Probe(fixed: 7)])
      #expect(
        (transcript.exitCode, transcript.errors) == (
          .invariantViolated, "Error: Invariant violated: probe struct: 1 of 8 results are wrong\n"
        ))
    }
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
