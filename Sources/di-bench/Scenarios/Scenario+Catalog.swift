extension Scenario {
  /// Every scenario, in the order of the table.
  static let all: [Scenario] = resolving + contended + registering + lifecycle
}
