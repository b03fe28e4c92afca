extension Scenario {
  /// What factories that resolve cost, in several shapes of types that the optimizer does not see.
  static let nesting: [Scenario] =
    [1, 4, 16, 64].map {
      nesting("reentrant/nested-\($0)", "a New that resolves a New, and so on, \($0) deep", $0, .chain($0))
    }
    + [2, 4, 16].map {
      nesting("reentrant/fan-out-\($0)", "a New that resolves \($0) different New", 2, .fanOut($0))
    } + [
      nesting("reentrant/diamond", "a New that resolves two New, which resolve the same type", 3, .diamond),
      nesting(
        "reentrant/register", "a New that registers a type and resolves it", 2, .registering),
    ]

  private static func nesting(
    _ name: String, _ summary: String, _ depth: Int, _ shape: NestingShape
  ) -> Scenario {
    Scenario(
      name, summary, depth: depth, inOwnProcess: .quick,
      NestingLoop(NestingContainer.self, shape), NestingLoop(NestingDictionary.self, shape))
  }
}
