internal import Foundation

extension Scenario {
  /// What ratios are to, and what locks cost.
  static let references: [Scenario] = [
    reference(
      "reference/empty-loop", "a call that does nothing",
      CheckedLoop(registrations: nil) { count, _ in Opaque.count(count) }),
    reference("reference/static-let", "a static let, by its protocol", SharedLoop(.direct)),
    reference("reference/init", "an initializer, by its protocol", NewLoop(.direct)),
    reference(
      Implementation.lockedDictionary, "the yardstick: a dictionary behind a mutex", SharedLoop(.lockedDictionary),
      beside: Implementation("reference/static-let", SharedLoop(.direct))),
    reference("reference/recursive-lock", "a dictionary behind a recursive lock", recursiveLock()),
    reference(
      Implementation.serialQueue, "a dictionary behind a re-entrant serial queue", SharedLoop(.serialQueue)),
  ]

  @inline(__always)
  private static func reference<Body: Loop>(
    _ name: String, _ summary: String, _ loop: @autoclosure @escaping @Sendable () -> Body,
    beside other: Implementation = Implementation(Implementation.lockedDictionary, SharedLoop(.lockedDictionary))
  ) -> Scenario {
    Scenario(
      name: name, summary: summary, isSingleThreaded: true, subject: Implementation(name, loop()), reference: other,
      yardsticks: [])
  }

  private static func recursiveLock() -> CheckedLoop {
    let lock = NSRecursiveLock()
    let service: any Service = ServiceImpl(launchArguments: CommandLine.arguments.count)
    let entries: [ObjectIdentifier: any Sendable] = [ObjectIdentifier((any Service).self): service]
    let expected = service.identity
    return CheckedLoop(registrations: 1) { count, _ in
      var wrong = 0
      for _ in 0..<count {
        let found = lock.withLock { entries[ObjectIdentifier((any Service).self)] } as! any Service
        if found.identity != expected { wrong &+= 1 }
      }
      return wrong
    }
  }

  /// What the optimizer cannot see through.
  private enum Opaque {
    static func count(_ operations: Int) -> Int {
      var sum = 0
      for index in 0..<operations { sum &+= nothing(index) }
      return sum
    }

    @inline(never)
    private static func nothing(_ index: Int) -> Int { index >> 62 }
  }
}
