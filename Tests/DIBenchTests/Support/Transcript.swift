internal import DependencyInjection
internal import Foundation

@testable import DIBenchmarking
@testable import DIStressChecks
@testable import di_bench

/// A run of the tool, and what it printed.
struct Transcript {
  let exitCode: ExitCode
  let output: String
  let errors: String

  /// Runs a command line in a folder.
  init(
    _ arguments: [String], in folder: URL, isDebug: Bool = false, benchmarks: [Benchmark] = Benchmark.all,
    probes: [Probe] = Probe.all, launcher: Launcher = .here,
    interrupt: Interrupt = Interrupt(), executable: URL = Executables.bench,
    hasOwnStress: Bool = true,
    makeStressTarget: @escaping @Sendable () -> any StressTarget = { StressContainer() }
  ) {
    let streams = Streams()
    let context = CommandContext(
      terminal: Terminal(
        output: { text in streams.output.withLock { $0 += text } },
        error: { text in streams.errors.withLock { $0 += text } }),
      folder: folder, executable: executable, benchmarks: benchmarks, probes: probes,
      commands: hasOwnStress ? [.stress(makeStressTarget)] : [], isDebug: isDebug, interrupt: interrupt,
      launcher: launcher)
    exitCode = Tool(context: context).run(arguments)
    output = streams.output.withLock { $0 }
    errors = streams.errors.withLock { $0 }
  }

  private final class Streams: Sendable {
    let output = Locked("")
    let errors = Locked("")
  }
}

extension String {
  /// Returns the texts that it does not contain.
  func lacks(_ parts: String...) -> [String] { parts.filter { !contains($0) } }
}

/// The programs that the build has put beside the tests.
enum Executables {
  static let folder: URL = {
    #if os(macOS)
      // There a program of the toolchain loads the bundle of the tests.
      Bundle(for: Tests.self).bundleURL.deletingLastPathComponent()
    #else
      ChildProcess.own.deletingLastPathComponent()
    #endif
  }()

  #if os(macOS)
    private final class Tests {}
  #endif

  /// The benchmark.
  static let bench = folder.appending(path: "di-bench")
}
