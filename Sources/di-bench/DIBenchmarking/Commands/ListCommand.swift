extension CommandSpecification {
  /// Shows what can be measured.
  static let list = CommandSpecification(
    name: "list", abstract: "Show the scenarios: what each is, is compared with, on which threads, and how it is gated."
  ) { _, context in
    let width = (context.scenarios.map(\.label.count).max() ?? 0) + 2
    let plan = PlanOptions.defaults(context.scenarios)
    for scenario in context.scenarios {
      let padding = String(repeating: " ", count: width - scenario.label.count)
      context.terminal.print(scenario.label + padding + scenario.summary)
      let others = scenario.implementations.dropFirst().map(\.name).joined(separator: ", ")
      let gates = [Scenario.Gate.fine, .coarse, .none].compactMap { gate -> String? in
        let threads = plan.threads(of: scenario).filter { plan.gate(of: scenario, threads: $0) == gate }
        guard let last = threads.last else { return nil }
        let list = threads.map { "\($0)" }.joined(separator: ", ")
        return list + (last == 1 ? " thread " : " threads ") + gate.summary
      }
      let details = (others.isEmpty ? [] : ["beside " + others]) + gates
      context.terminal.print(String(repeating: " ", count: width) + details.joined(separator: "; "))
    }
  }
}
