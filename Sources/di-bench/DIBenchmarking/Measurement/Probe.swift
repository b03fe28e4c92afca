/// One hot path that can be run alone, for tools that count instructions or allocations.
package struct Probe: Sendable {
  package let name, summary: String
  /// The probe that does the same by hand; nil for those.
  package let reference: String?
  private let path: @Sendable (_ count: Int) -> Int

  package init(
    _ name: String, of reference: String?, _ summary: String, run path: @escaping @Sendable (_ count: Int) -> Int
  ) {
    self.name = name
    self.summary = summary
    self.reference = reference
    self.path = path
  }

  /// Runs it a number of times, and returns how many of the results were wrong.
  ///
  /// `.ci/costs` counts in this function, which it finds by its name.
  @_optimize(none) package func run(_ count: Int) -> Int { path(count) }
}
