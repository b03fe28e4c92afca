import DIBenchmarking
import DependencyInjection

@main struct ShopBench: GraphBenchmark {
  static var modules: Module { Module.shop }
  static var roots: [Root] { [Root(Catalog.self), Root(Checkout.self)] }
  static var benchmarks: [Benchmark] {
    Benchmark("checkout", threads: [1, 2], setUp: { Catalog() }) { Checkout(catalog: $0).total }
    Benchmark("price", setUp: { Catalog() }) {
      $0.price(of: 7)
    } check: {
      $0 == 21
    }
  }
}
