// snippet: bench-graph
import DIBenchmarking
import DependencyInjection
import ExampleApp
import ExampleInterfaces

@main struct ShopBench: GraphBenchmark {
  static var modules: Module { Module.bookShop }
  static var roots: [Root] { [Root(Log.self), Root(Server.self, named: .orders)] }
}
// end
