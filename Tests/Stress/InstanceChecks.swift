internal import DIBenchmarking
internal import DependencyInjection
internal import Foundation

/// Many threads ask for an instance that is created once.
final class SharedOnceCheck: StressCheck {
  static let invariant = "a Shared is created once, and everybody gets the same"

  private static let keys = StressContext.keys(128, from: 400)

  /// The types of the instances, which no other check uses.
  static let tokens: Set<ObjectIdentifier> = {
    func token<Key: Keyed>(_: Key.Type) -> ObjectIdentifier { ObjectIdentifier(StressToken<Key>.self) }
    return Set(keys.map { token($0) })
  }()

  private let context: StressContext
  private let keys = SharedOnceCheck.keys
  private let creations = (0..<128).map { _ in StressCounter() }
  private let seen = Locked([ObjectIdentifier?](repeating: nil, count: 128))
  private let tickets = StressCounter()

  init(_ context: StressContext) {
    self.context = context
    for (key, type) in keys.enumerated() {
      context.target.register(type, key, shared: true, context.living) { [creations] _ in
        let serial = creations[key].add(1)
        // The others get time to ask, too.
        sched_yield()
        return serial
      }
    }
  }

  func step(_: Int, _: inout RandomGenerator) throws {
    // All threads, one after another, ask for one that nobody has asked for before.
    let key = (tickets.add(1) - 1) / context.threads % keys.count
    let (serial, identity) = try context.target.serial(keys[key], key)
    let isSame = seen.withLock { seen in
      if seen[key] == nil { seen[key] = identity }
      return seen[key] == identity
    }
    if serial != 1 || !isSame { throw Violation(message: "two instances of a Shared were returned") }
  }

  func finish() throws {
    if let count = creations.map(\.current).first(where: { $0 > 1 }) {
      throw Violation(message: "a Shared was created \(count) times")
    }
  }
}

/// Many threads ask for an instance that is created anew each time.
final class NewDistinctCheck: StressCheck {
  static let invariant = "a New is another one for everybody"

  private let context: StressContext
  private let keys = StressContext.keys(4, from: 20)
  private let created = StressCounter()
  private let returned = Locked<Set<Int>>([])

  init(_ context: StressContext) {
    self.context = context
    for key in keys.indices { register(key) }
  }

  private func register(_ key: Int) {
    // The factory is counted, too, because threads that call it share it.
    let part = StressPart(context.living)
    context.target.register(keys[key], key, shared: false, context.living) { [created] _ in
      withExtendedLifetime(part) { created.add(1) }
    }
  }

  func step(_: Int, _ random: inout RandomGenerator) throws {
    let key = Int.random(in: keys.indices, using: &random)
    if Int.random(in: 0..<16, using: &random) == 0 { register(key) }
    let (serial, _) = try context.target.serial(keys[key], key)
    if !returned.withLock({ $0.insert(serial).inserted }) {
      throw Violation(message: "an instance of a New was returned twice")
    }
  }

  func finish() throws {
    let (created, returned) = (created.current, returned.withLock { $0.count })
    if created != returned { throw Violation(message: "\(created) New were created for \(returned) resolutions") }
  }
}

/// Every thread registers a type of its own again and again, and looks at those of the others.
final class VisibilityCheck: StressCheck {
  static let invariant = "a registration is seen by every resolution that begins after it"

  private let context: StressContext
  private let keys: [any Keyed.Type]
  private let revisions: Locked<[Int]>

  init(_ context: StressContext) {
    self.context = context
    keys = StressContext.keys(min(context.threads, 64), from: 30)
    revisions = Locked(keys.map { _ in 0 })
    for key in keys.indices { register(key, 0) }
  }

  private func register(_ key: Int, _ revision: Int) {
    context.target.register(keys[key], key, shared: true, context.living) { _ in revision }
  }

  func step(_ thread: Int, _ random: inout RandomGenerator) throws {
    if thread < keys.count, Bool.random(using: &random) {
      let revision = revisions.withLock { $0[thread] } + 1
      register(thread, revision)
      // Only now: a reader of it knows that the registration has been made.
      revisions.withLock { $0[thread] = revision }
    }
    let key = Int.random(in: keys.indices, using: &random)
    let revision = revisions.withLock { $0[key] }
    let found = try context.target.serial(keys[key], key).0
    if found < revision || key == thread && found > revision {
      throw Violation(message: "registration \(revision) was lost: registration \(found) was resolved")
    }
  }
}

/// Nested factories, up to 64 deep, the innermost of which registers something.
final class ReentrancyCheck: StressCheck {
  static let invariant = "factories may resolve and register, 64 deep"

  private static let depth = 64
  private let context: StressContext
  private let keys = StressContext.keys(65, from: 100)

  init(_ context: StressContext) {
    self.context = context
    let (keys, target, living) = (keys, context.target, context.living)
    for key in 0..<Self.depth - 1 {
      target.register(keys[key], key, shared: false, living) { try $0.serial(keys[key + 1], key + 1).0 + 1 }
    }
    let last = Self.depth
    target.register(keys[last - 1], last - 1, shared: false, living) { [weak self] resolver in
      // The container is not kept by its own factory.
      self?.context.target.register(keys[last], last, shared: true, living) { _ in 1 }
      return try resolver.serial(keys[last], last).0
    }
  }

  func step(_: Int, _ random: inout RandomGenerator) throws {
    let key = Int.random(in: 0..<Self.depth, using: &random)
    let found = try context.target.serial(keys[key], key).0
    if found != Self.depth - key { throw Violation(message: "\(found) factories were nested, not \(Self.depth - key)") }
  }
}
