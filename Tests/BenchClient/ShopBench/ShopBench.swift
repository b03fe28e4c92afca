import DIBenchmarking
import DependencyInjection

@main struct ShopBench: GraphBenchmark {
  static var modules: Module { Module.shop }
  static var roots: [Root] { [Root(Catalog.self), Root(Checkout.self)] }
}
