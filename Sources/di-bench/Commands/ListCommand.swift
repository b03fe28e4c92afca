extension CommandSpecification {
  /// Shows what can be measured.
  static let list = CommandSpecification(
    name: "list", abstract: "Show the scenarios, and what each is compared with."
  ) { _, context in
    let width = (context.scenarios.map(\.name.count).max() ?? 0) + 2
    var listed: Set<String> = []
    for scenario in context.scenarios where listed.insert(scenario.name).inserted {
      let padding = String(repeating: " ", count: width - scenario.name.count)
      context.terminal.print("\(scenario.name)\(padding)\(scenario.summary)")
      let others = scenario.implementations.dropFirst().map(\.name).joined(separator: ", ")
      let sizes = context.scenarios.filter { $0.name == scenario.name }.compactMap(\.size).map { "\($0)" }
      let registrations = sizes.isEmpty ? "" : "; with \(sizes.joined(separator: ", ")) registrations"
      context.terminal.print(String(repeating: " ", count: width) + "beside \(others)\(registrations)")
    }
  }
}
