public import DependencyInjection

/// A program that measures the modules of an app.
///
/// Conform to it in an executable target, and mark the type with `@main`:
///
/// ```swift
/// import DIBenchmarking
///
/// @main struct ShopBench: GraphBenchmark {
///   static var modules: Module { Module.bookShop }
///   static var roots: [Root] { [Root(Log.self), Root(Server.self, named: .orders)] }
/// }
/// ```
///
/// The program has the commands of `di-bench`: `run` measures and writes a CSV file, `compare` and `ab` compare two of
/// them and end with status 2 if something has become slower. For each root it measures three things: the start, which
/// registers everything in a new process and resolves the root; its first resolution, without instances; and the next ones,
/// on several threads.
public protocol GraphBenchmark {
  /// Everything that the app registers.
  static var modules: Module { get }
  /// The types that the app resolves, for which the others are created.
  static var roots: [Root] { get }
}

extension GraphBenchmark {
  /// Runs the command line of the program, and ends it.
  public static func main() {
    let modules = modules
    Tool.main(scenarios: GraphCatalog.scenarios({ modules }, roots))
  }
}
