extension CommandSpecification {
  static let list = CommandSpecification(
    name: "list",
    abstract: "Show the benchmarks: what each is and is compared with, on which threads, and how it is gated."
  ) { _, context in
    let width = (context.benchmarks.map(\.label.count).max() ?? 0) + 2
    let plan = PlanOptions.defaults(context.benchmarks)
    for benchmark in context.benchmarks {
      let padding = String(repeating: " ", count: width - benchmark.label.count)
      context.terminal.print(benchmark.label + padding + benchmark.summary)
      let others = benchmark.implementations.dropFirst().map(\.name).joined(separator: ", ")
      let gates = [Benchmark.Gate.fine, .coarse, .none].compactMap { gate -> String? in
        let threads = plan.threads(of: benchmark).filter { plan.gate(of: benchmark, threads: $0) == gate }
        guard let last = threads.last else { return nil }
        let list = threads.map { "\($0)" }.joined(separator: ", ")
        return list + (last == 1 ? " thread " : " threads ") + gate.summary
      }
      let details = (others.isEmpty ? [] : ["beside " + others]) + gates
      context.terminal.print(String(repeating: " ", count: width) + details.joined(separator: "; "))
    }
  }
}
