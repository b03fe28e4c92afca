internal import DIBenchmarking
internal import StressChecks

/// Where the process starts.
@main
enum Main {
  static func main() { Tool.main(scenarios: Scenario.all, probes: Probe.all, commands: [.stress()]) }
}
