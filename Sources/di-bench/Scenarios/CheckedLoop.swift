/// A loop that is written where it is used, and counts the wrong results.
struct CheckedLoop: Loop {
  let registrations: Int?
  private let body: @Sendable (_ operations: Int, _ thread: Int) -> Int

  /// - Parameters:
  ///   - registrations: How many there are to look among.
  ///   - body: Runs operations and returns how many of the results were wrong.
  init(
    registrations: Int? = ContainerProvider.registrationCount,
    _ body: @escaping @Sendable (_ operations: Int, _ thread: Int) -> Int
  ) {
    self.registrations = registrations
    self.body = body
  }

  func run(_ operations: Int, thread: Int) throws(Violation) {
    let wrong = body(operations, thread)
    if wrong > 0 { throw .wrong(wrong, of: operations, "returned something else than they should") }
  }
}
