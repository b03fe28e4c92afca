extension Scenario {
  /// What a resolve costs.
  static let resolving: [Scenario] = [
    Scenario(
      "resolve/shared", "a Shared class by its protocol, the same for all threads", beside: "reference/static-let",
      slowedOnRequest(SharedLoop(.container)), SharedLoop(.direct), SharedLoop(.lockedDictionary),
      SharedLoop(.serialQueue)),
    Scenario(
      "resolve/class-bound", "a Shared class by a protocol that only classes can conform to",
      beside: "reference/static-let",
      BoundLoop(.container), BoundLoop(.direct), BoundLoop(.lockedDictionary), BoundLoop(.serialQueue)),
    Scenario(
      "resolve/struct", "a Shared struct without references", beside: "reference/static-let",
      StructLoop(.container), StructLoop(.direct), StructLoop(.lockedDictionary), StructLoop(.serialQueue)),
    Scenario(
      "resolve/struct-references", "a Shared struct with two references and three numbers",
      beside: "reference/static-let",
      StructReferencesLoop(.container), StructReferencesLoop(.direct), StructReferencesLoop(.lockedDictionary),
      StructReferencesLoop(.serialQueue)),
    Scenario(
      "resolve/new", "a New class by its protocol", beside: "reference/init",
      NewLoop(.container), NewLoop(.direct), NewLoop(.lockedDictionary), NewLoop(.serialQueue)),
    Scenario(
      "resolve/arguments", "a New class with an Int and a String that the caller passes", beside: "reference/init",
      ArgumentsLoop(.container), ArgumentsLoop(.direct), ArgumentsLoop(.lockedDictionary), ArgumentsLoop(.serialQueue)),
    Scenario(
      "resolve/view-model", "a New that resolves three Shared", depth: 2, beside: "reference/init",
      ViewModelLoop(.container), ViewModelLoop(.direct), ViewModelLoop(.lockedDictionary), ViewModelLoop(.serialQueue)),
    Scenario(
      "reentrant/chain", "a New that resolves a New, and so on, ten deep", depth: Chain.depth, beside: "reference/init",
      ChainLoop(.container), ChainLoop(.direct), ChainLoop(.lockedDictionary), ChainLoop(.serialQueue)),
  ]
}
