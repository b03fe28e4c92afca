extension CommandSpecification {
  /// Shows what can be measured.
  static let list = CommandSpecification(
    name: "list", abstract: "Show the scenarios: what each is, is compared with, on which threads, and how it is gated."
  ) { _, context in
    let width = (context.scenarios.map(\.name.count).max() ?? 0) + 2
    let plan = PlanOptions.defaults(context.scenarios)
    var listed: Set<String> = []
    for scenario in context.scenarios where listed.insert(scenario.name).inserted {
      let name = scenario.name + String(repeating: " ", count: width - scenario.name.count)
      context.terminal.print(name + scenario.summary)
      let others = scenario.implementations.dropFirst().map(\.name).joined(separator: ", ")
      let sizes = context.scenarios.filter { $0.name == scenario.name }.compactMap(\.size).map { "\($0)" }
      let gates = plan.threads(of: scenario).map { threads in
        let gate = plan.gate(of: scenario, threads: threads)
        return threads.counted("thread")
          + (gate == .fine ? " gated" : gate == .coarse ? " gated at +50 %" : " not gated")
      }
      let details =
        (others.isEmpty ? [] : ["beside " + others]) + gates
        + (sizes.isEmpty ? [] : ["with \(sizes.joined(separator: ", ")) registrations"])
      context.terminal.print(String(repeating: " ", count: width) + details.joined(separator: "; "))
    }
  }
}
