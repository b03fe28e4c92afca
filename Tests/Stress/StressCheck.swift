internal import DIBenchmarking

/// One invariant: what threads do to test it, and what must result.
protocol StressCheck: Sendable {
  /// The invariant, in a few words.
  static var invariant: String { get }

  /// Registers what it needs.
  init(_ context: StressContext)

  /// One step of one thread.
  ///
  /// - Throws: A `Violation`, or the error of a resolution that should have succeeded.
  func step(_ thread: Int, _ random: inout RandomGenerator) throws

  /// Checks what can only be checked when all threads are done.
  func finish() throws
}

extension StressCheck {
  func finish() {}
}

/// The state that the checks of a round share.
struct StressContext: Sendable {
  let target: any StressTarget
  let threads: Int
  /// The number of living instances.
  let living = StressCounter()

  /// Another container, for checks that would be in the way of the others.
  let makeTarget: @Sendable () -> any StressTarget

  init(threads: Int, _ makeTarget: @escaping @Sendable () -> any StressTarget) {
    target = makeTarget()
    self.threads = threads
    self.makeTarget = makeTarget
  }

  /// Every check has types of its own: this many, from a number of its own.
  static func keys(_ count: Int, from first: Int) -> [any Keyed.Type] { Array(Keys.all[first..<first + count]) }
}

extension StressResolver {
  /// Resolves the token of a key, and checks that it is of that key.
  func token<Key: Keyed>(_ type: Key.Type, _ key: Int) throws -> StressToken<Key> {
    let token = try StressLog.note(.resolving("\(type)")) { try value(of: StressToken<Key>.self) }
    if token.key != key {
      throw Violation(message: "a resolution of type \(key) returned an instance of type \(token.key)")
    }
    return token
  }

  /// The serial number and the identity of the token of a key.
  func serial(_ type: any Keyed.Type, _ key: Int) throws -> (Int, ObjectIdentifier) {
    func open<Key: Keyed>(_ type: Key.Type) throws -> (Int, ObjectIdentifier) {
      let token = try token(type, key)
      return (token.serial, ObjectIdentifier(token))
    }
    return try open(type)
  }
}

extension StressTarget {
  /// Releases the token of a key.
  func reset(_ type: any Keyed.Type) {
    func open<Key: Keyed>(_ type: Key.Type) { reset(StressToken<Key>.self) }
    open(type)
  }

  /// Registers the token of a key; a closure gives each instance its number, and may resolve others.
  func register(
    _ type: any Keyed.Type, _ key: Int, shared: Bool, _ living: StressCounter,
    serial: @escaping @Sendable (any StressResolver) throws -> Int
  ) {
    func open<Key: Keyed>(_ type: Key.Type) {
      register(shared: shared) { resolver in
        try StressLog.note(.creating("\(type)")) {
          StressToken<Key>(key: key, serial: try serial(resolver), living)
        }
      }
    }
    open(type)
  }
}
