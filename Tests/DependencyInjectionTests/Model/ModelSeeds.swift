#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Which sequences the model tests run, and how long they are.
///
/// `DI_MODEL_SEED=17`, or a range like `DI_MODEL_SEED=1-10000`, replaces the seeds, and `DI_MODEL_STEPS=5000` the number
/// of steps. `DI_RACES=20` makes races that many times as long.
enum ModelSeeds {
  /// The seeds to run, if the environment does not say which.
  static func seeds(_ count: UInt64) -> [UInt64] {
    guard let text = value(of: "DI_MODEL_SEED") else { return Array(1...count) }
    let bounds = text.split(separator: "-").compactMap { UInt64($0) }
    guard let first = bounds.first, let last = bounds.last, first <= last else {
      fatalError("DI_MODEL_SEED is '\(text)', expected a number, or a range like 1-100.")
    }
    return Array(first...last)
  }

  /// The number of steps, if the environment does not say how many.
  static func steps(_ count: Int) -> Int {
    guard let text = value(of: "DI_MODEL_STEPS") else { return count }
    guard let steps = Int(text), steps > 0 else { fatalError("DI_MODEL_STEPS is '\(text)', expected a number.") }
    return steps
  }

  /// The number of rounds of a race, if the environment does not make races longer.
  static func rounds(_ count: Int) -> Int {
    guard let text = value(of: "DI_RACES") else { return count }
    guard let factor = Int(text), factor > 0 else { fatalError("DI_RACES is '\(text)', expected a number.") }
    return count * factor
  }

  /// What a failure says: the fault, the last operations, and how to run the same again.
  static func report(
    _ fault: String, seed: UInt64, steps: Int, of suite: String, after operations: some Collection<String>
  ) -> String {
    """
    seed \(seed): \(fault)
    Replay: DI_MODEL_SEED=\(seed) DI_MODEL_STEPS=\(steps) swift test --filter \(suite)
    The last operations:
      \(operations.suffix(40).joined(separator: "\n  "))
    """
  }

  /// A variable of the environment.
  static func value(of variable: String) -> String? {
    // Sound: nothing in the process changes the environment, so the text stays where it is while it is copied.
    unsafe getenv(variable).map { unsafe String(cString: $0) }
  }
}
