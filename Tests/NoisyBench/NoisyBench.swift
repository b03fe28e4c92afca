import DIBenchmarking
import DependencyInjection
import Foundation

/// A program that writes whenever it is asked for something, whose names need quotes in a file, and that may crash.
@main struct NoisyBench: GraphBenchmark {
  static var modules: Module {
    say("modules")
    return Module {
      Shared { () -> Log in
        say("factory")
        return Log()
      }
    }
  }

  static var roots: [Root] { [Root(Log.self)] }

  static var benchmarks: [Benchmark] {
    Benchmark("noisy, \"quoted\"", threads: [1]) {
      say("operation")
      switch ProcessInfo.processInfo.environment["NOISY_BENCH_CRASH"] {
      case "trap": fatalError("broken")
      case "abort": abort()
      case "access": unsafe UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
      default: break
      }
      return 1
    } reference: {
      1
    }
  }

  /// Writes to both streams, to standard error more in a launch than a pipe holds.
  static func say(_ what: String) {
    print(what)
    try? FileHandle.standardError.write(contentsOf: Data(String(repeating: what + "\n", count: 20).utf8))
  }
}

/// What the module registers.
final class Log: Sendable {}
