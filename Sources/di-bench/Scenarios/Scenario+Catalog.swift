extension Scenario {
  /// Every scenario, in the order of the table.
  static let all: [Scenario] =
    references + resolving + wrappers + nesting + overriding + contended + asynchronous + registering + lifecycle
}
