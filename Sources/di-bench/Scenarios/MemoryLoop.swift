internal import DependencyInjection

/// Overrides one type and resolves it and another ten times, again and again, and looks how much memory that takes.
final class MemoryLoop<Source: Overridable>: Loop {
  /// What the memory of a process may grow by, in bytes, whatever it has replaced.
  static var limit: Int { 1 << 20 }

  private let provider: Source
  private let expected: ObjectIdentifier
  private let measured = Locked<Int?>(nil)

  /// How many times to override.
  let onlyOperations: Int?

  init(_ provider: Source, overrides: Int = 1_000_000) {
    self.provider = provider
    expected = provider.service().identity
    onlyOperations = overrides
  }

  var registrations: Int? { provider.registrations }
  var growth: Int? { measured.withLock { $0 } }

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    // What is needed once is not growth.
    try turn(operations / 1000)
    let before = ResidentMemory.current
    try turn(operations)
    let growth = ResidentMemory.current - before
    measured.withLock { $0 = growth }
    if growth >= Self.limit {
      throw Violation(message: "the memory of the process grew by \(growth) bytes after \(operations) overrides")
    }
  }

  private func turn(_ operations: Int) throws(Violation) {
    var wrong = 0
    for revision in 0..<operations {
      provider.override(revision: revision)
      for _ in 0..<5 where provider.revision().number != revision || provider.service().identity != expected {
        wrong &+= 1
      }
    }
    if wrong > 0 { throw .wrong(wrong, of: operations * 10, "returned what had been overridden, or another instance") }
  }
}
