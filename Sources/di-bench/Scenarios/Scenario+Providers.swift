// Always inlined: where the types of the loops are known, the optimizer specialises them.

extension Scenario {
  /// What all providers do: the container, what one would write without it, and both dictionaries.
  @inline(__always)
  init<Subject: Loop, Direct: Loop, Locked: Loop, Queue: Loop>(
    _ name: String, _ summary: String, depth: Int = 1, beside reference: String,
    _ subject: @autoclosure @escaping @Sendable () -> Subject, _ direct: @autoclosure @escaping @Sendable () -> Direct,
    _ locked: @autoclosure @escaping @Sendable () -> Locked, _ queue: @autoclosure @escaping @Sendable () -> Queue
  ) {
    self.init(
      name: name, summary: summary, depth: depth, subject: Implementation(Implementation.container, subject()),
      reference: Implementation(reference, direct()),
      yardsticks: [
        Implementation(Implementation.lockedDictionary, locked()), Implementation(Implementation.serialQueue, queue()),
      ])
  }

  /// What the container and one reference do, on one thread unless something else is said.
  @inline(__always)
  init<Subject: Loop, Reference: Loop>(
    _ name: String, _ summary: String, depth: Int = 1, size: Int? = nil, isSingleThreaded: Bool = true,
    inOwnProcess ownProcess: OwnProcess? = nil, beside reference: String = Implementation.lockedDictionary,
    _ subject: @autoclosure @escaping @Sendable () -> Subject,
    _ other: @autoclosure @escaping @Sendable () -> Reference
  ) {
    self.init(
      name: name, summary: summary, depth: depth, size: size, isSingleThreaded: isSingleThreaded,
      ownProcess: ownProcess, subject: Implementation(Implementation.container, subject()),
      reference: Implementation(reference, other()), yardsticks: [])
  }
}

extension Scenario.OwnProcess {
  /// For what is fast, but would be in the way of others: one sample in each launch of the usual length.
  static let quick = Self(interval: 8, seconds: 0.06)
}

extension Provider where Self == ContainerProvider {
  static var container: Self { .installed }
}

extension Provider where Self == DirectProvider {
  static var direct: Self { Self() }
}

extension Provider where Self == LockedDictionaryProvider {
  static var lockedDictionary: Self { Self() }
}

extension Provider where Self == SerialQueueProvider {
  static var serialQueue: Self { Self() }
}
