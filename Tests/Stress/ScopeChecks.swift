internal import DIBenchmarking

/// Every thread overrides the same type, and sees its own value, and what is built from that.
final class OverrideCheck: StressCheck {
  static let invariant = "an override holds inside its scope, for all that is built there, and nowhere else"

  private let context: StressContext
  private let key: any Keyed.Type = Keys.all[200]

  /// Shared instances, each built from the one before; the first one is built from what is overridden.
  private let dependents: [any Keyed.Type] = StressContext.keys(2, from: 201)

  init(_ context: StressContext) {
    self.context = context
    let (key, first) = (key, dependents[0])
    context.target.register(key, 0, shared: true, context.living) { _ in -1 }
    context.target.register(first, 1, shared: true, context.living) { try $0.serial(key, 0).0 }
    context.target.register(dependents[1], 2, shared: true, context.living) { try $0.serial(first, 1).0 }
  }

  func step(_ thread: Int, _ random: inout RandomGenerator) throws {
    let depth = Int.random(in: 0...3, using: &random)
    try overriding(key, in: context.target, thread * 1000, depth)
    try check(context.target, -1)
  }

  private func overriding<Key: Keyed>(
    _ type: Key.Type, in scope: any StressScope, _ serial: Int, _ depth: Int
  ) throws {
    if depth == 0 { return }
    try scope.overriding(with: StressToken<Key>(key: 0, serial: serial + depth, context.living)) { inner in
      try check(inner, serial + depth)
      try overriding(type, in: inner, serial, depth - 1)
      try check(inner, serial + depth)
    }
  }

  private func check(_ scope: any StressScope, _ expected: Int) throws {
    let found = try scope.serial(key, 0).0
    if found != expected { throw Violation(message: "an override leaked: \(found) was resolved, not \(expected)") }
    for (index, type) in dependents.enumerated() {
      let (serial, identity) = try scope.serial(type, index + 1)
      if serial != expected {
        throw Violation(message: "a Shared was built from an override that leaked, or without it: from \(serial)")
      }
      if try scope.serial(type, index + 1).1 != identity {
        throw Violation(message: "a Shared was created twice in one scope")
      }
    }
  }
}

/// One thread goes back and forth between two states of a container; others resolve from it.
final class SnapshotCheck: StressCheck {
  static let invariant = "what is restored is exactly what was saved, instances included"

  private let target: any StressTarget
  private let keys = StressContext.keys(8, from: 210)
  private let later: any Keyed.Type = Keys.all[220]
  private let states: [any Sendable]
  private let identities: [[ObjectIdentifier]]
  private let living: StressCounter

  init(_ context: StressContext) {
    let target = context.makeTarget()
    let (keys, living) = (keys, context.living)
    var states: [any Sendable] = []
    var identities: [[ObjectIdentifier]] = []
    for state in 0..<2 {
      for (key, type) in keys.enumerated() where state == 0 || key.isMultiple(of: 2) {
        target.register(type, key, shared: true, living) { _ in state }
      }
      // What cannot be resolved here is found by the threads.
      identities.append(keys.indices.compactMap { try? target.serial(keys[$0], $0).1 })
      states.append(target.save())
    }
    self.target = target
    self.living = living
    self.states = states
    self.identities = identities
  }

  func step(_ thread: Int, _ random: inout RandomGenerator) throws {
    let key = Int.random(in: keys.indices, using: &random)
    if thread > 0 {
      let identity = try target.serial(keys[key], key).1
      // What the other thread registers in between is the third possibility.
      if key != 0, !identities.contains(where: { $0[key] == identity }) {
        throw Violation(message: "an instance was resolved that is in neither snapshot")
      }
      return
    }
    let state = Int.random(in: 0..<2, using: &random)
    target.register(keys[0], 0, shared: true, living) { _ in 7 }
    _ = try target.serial(keys[0], 0)
    target.register(later, 0, shared: true, living) { _ in 7 }
    target.restore(states[state])
    let found = try keys.indices.map { try target.serial(keys[$0], $0).1 }
    if found != identities[state] {
      throw Violation(message: "a restored container had other instances than the saved")
    }
    if (try? target.serial(later, 0)) != nil {
      throw Violation(message: "a restored container had a registration that is newer than the saved")
    }
  }
}

/// Threads create types that need each other in a cycle, from both ends.
final class CycleCheck: StressCheck {
  static let invariant = "cycles end in errors, also across threads"

  private let target: any StressTarget
  /// A cycle of three Shared, and one of three New.
  private let keys = StressContext.keys(6, from: 230)

  init(_ context: StressContext) {
    target = context.makeTarget()
    let keys = keys
    for key in keys.indices {
      let next = key / 3 * 3 + (key + 1) % 3
      target.register(keys[key], key, shared: key < 3, context.living) { try $0.serial(keys[next], next).0 }
    }
  }

  func step(_: Int, _ random: inout RandomGenerator) throws {
    let key = Int.random(in: keys.indices, using: &random)
    do {
      _ = try target.serial(keys[key], key)
    } catch {
      if target.isCycle(error) { return }
      throw error
    }
    throw Violation(message: "a cycle was resolved")
  }
}

/// Threads replace and reset an instance, and see the old one released.
final class ReleaseCheck: StressCheck {
  static let invariant = "instances are released when they are replaced or reset, and with their container"

  private let context: StressContext
  private let keys: [any Keyed.Type]

  init(_ context: StressContext) {
    self.context = context
    keys = StressContext.keys(min(context.threads, 64), from: 240)
  }

  func step(_ thread: Int, _ random: inout RandomGenerator) throws {
    // A type that only this thread uses, so that nobody else can hold the instance for a moment.
    guard thread < keys.count else { return }
    // The `deinit` uses the container, which it cannot do under the container's lock.
    let living = StressCounter { [weak self] in self?.context.target.reset(Keys.all[304]) }
    try replace(in: context.target, thread, living, &random) { context.target.reset(keys[thread]) }
    // A container that only this thread uses, because this resets all.
    let target = context.makeTarget()
    try replace(in: target, thread, StressCounter(), &random) { target.reset() }
  }

  private func replace(
    in target: any StressTarget, _ thread: Int, _ living: StressCounter, _ random: inout RandomGenerator,
    thenReset reset: () -> Void
  ) throws {
    let count = Int.random(in: 1...4, using: &random)
    for serial in 0..<count {
      target.register(keys[thread], 0, shared: true, living) { _ in serial }
      if try target.serial(keys[thread], 0).0 != serial {
        throw Violation(message: "a registration was lost: the one before it was resolved")
      }
    }
    let left = living.current
    if left > 1 { throw Violation(message: "\(left - 1) replaced instances are still alive") }
    reset()
    if living.current > 0 { throw Violation(message: "an instance that was reset is still alive") }
    if try target.serial(keys[thread], 0).0 != count - 1 {
      throw Violation(message: "a registration was lost by a reset")
    }
  }
}
