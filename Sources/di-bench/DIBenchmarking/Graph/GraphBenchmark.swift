public import DependencyInjection

/// A program that measures the modules of an app, and benchmarks of its own.
///
/// Conform to it in an executable target, and mark the type with `@main`:
///
/// ```swift
/// import DIBenchmarking
///
/// @main struct ShopBench: GraphBenchmark {
///   static var modules: Module { Module.bookShop }
///   static var roots: [Root] { [Root(Log.self), Root(Server.self, named: .orders)] }
///   static var benchmarks: [Benchmark] { … }
/// }
/// ```
///
/// The program has the commands of `di-bench`: `run` measures and writes a CSV file, `compare` and `ab` compare two of
/// them and end with status 2 if something became slower, and `stress` races threads. For each root it measures three
/// things: the start, which registers everything in a new process and resolves the root; its first resolution, without
/// instances; and the next ones, on several threads.
public protocol GraphBenchmark {
  /// Everything that the app registers; nothing by default.
  static var modules: Module { get }
  /// The types that the app resolves, for which the other types are created; none by default.
  static var roots: [Root] { get }
  /// Other operations to measure; none by default.
  @BenchmarkBuilder static var benchmarks: [Benchmark] { get }
}

extension GraphBenchmark {
  /// An empty module.
  public static var modules: Module { Module {} }
  /// No roots.
  public static var roots: [Root] { [] }
  /// No benchmarks.
  public static var benchmarks: [Benchmark] { [] }

  /// Runs the command line of the program, and ends the process.
  public static func main() { Tool.main(benchmarks: graph + benchmarks) }

  static var graph: [Benchmark] {
    let modules = modules
    var isEmpty = roots.isEmpty
    // A program without roots and modules has nothing to register, which would not be worth a benchmark.
    modules.forEach { _ in isEmpty = false }
    return isEmpty ? [] : GraphCatalog.benchmarks({ modules }, roots)
  }
}
