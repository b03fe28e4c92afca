internal import DependencyInjection

/// Registers many types in an empty registrar: a thousand again and again, or ten thousand once.
final class RegisterLoop<Target: Registrar>: Loop {
  /// What each thread has registered last.
  private let last = Locked<[Int: Target]>([:])

  private let keys: [any Keyed.Type]
  private let measured = Locked<Int?>(nil)
  private let measuresGrowth: Bool

  /// How many there are to register, if the process has never used them before.
  let onlyOperations: Int?

  init(_ keys: [any Keyed.Type] = Keys.all, isFirst: Bool = false, measuresGrowth: Bool = false) {
    self.measuresGrowth = measuresGrowth
    self.keys = keys
    onlyOperations = isFirst ? keys.count : nil
  }

  var batch: Int { keys.count }
  var registrations: Int? { batch }
  var growth: Int? { measured.withLock { $0 } }

  func run(_ operations: Int, thread: Int) throws(Violation) {
    for _ in 0..<operations / keys.count {
      let before = measuresGrowth ? ResidentMemory.current : 0
      var target = Target()
      for key in keys { target.register(key) }
      if target.count != keys.count {
        throw Violation(message: "\(target.count) types are registered, expected \(keys.count)")
      }
      if measuresGrowth {
        let growth = ResidentMemory.current - before
        measured.withLock { $0 = growth }
      }
      last.withLock { $0[thread] = target }
    }
  }

  /// Checks that every type can be created from what was registered last.
  ///
  /// Only at the end, because a container that is not the shared one makes itself current while it creates, and from
  /// then on every resolve of the process looks which container is current: that would change what others measure.
  func finish() throws(Violation) {
    for target in last.withLock({ $0.values.map { $0 } }) {
      for key in keys { try check(key, in: target) }
    }
  }

  private func check<Value: Keyed>(_ type: Value.Type, in target: Target) throws(Violation) {
    guard target.create(type) != nil else { throw Violation(message: "\(type) was registered but cannot be created") }
  }
}
