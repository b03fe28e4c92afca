internal import DIBenchmarking
internal import DIStressChecks

@main
enum Main {
  static func main() { Tool.main(benchmarks: Benchmark.all, probes: Probe.all, commands: [.stress()]) }
}
