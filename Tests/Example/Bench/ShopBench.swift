// snippet: bench-graph
import DIBenchmarking
import DependencyInjection
import ExampleApp
import ExampleInterfaces

@main struct ShopBench: GraphBenchmark {
  static var modules: Module { Module.bookShop }
  static var roots: [Root] { [Root(Log.self), Root(Server.self, named: .orders)] }
  static var benchmarks: [Benchmark] {
    Benchmark("shelf", threads: [1, 2], setUp: { (1...100).map { Book(id: $0, title: "Book \($0)") } }) {
      Set($0).count  // a hundred books, by hash
    } check: {
      $0 == 100
    }
    Benchmark("title") {
      Book(id: 7, title: "Emma").title
    } reference: {
      "Emma"
    }
  }
}
// end
