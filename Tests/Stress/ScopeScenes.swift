internal import DIBenchmarking

/// Every thread overrides the same type, and sees its own value.
final class OverrideScene: StressScene {
  static let invariant = "an override holds inside its scope, and nowhere else"

  private let stage: StressStage
  private let key: any Keyed.Type = Keys.all[200]

  init(_ stage: StressStage) {
    self.stage = stage
    stage.target.register(key, 0, shared: true, stage.census) { _ in -1 }
  }

  func act(_ thread: Int, _ random: inout RandomGenerator) throws {
    let depth = Int.random(in: 0...3, using: &random)
    try overriding(key, in: stage.target, thread * 1000, depth)
    try check(stage.target, -1)
  }

  private func overriding<Key: Keyed>(
    _ type: Key.Type, in scope: any StressScope, _ serial: Int, _ depth: Int
  ) throws {
    if depth == 0 { return }
    try scope.overriding(with: StressToken<Key>(key: 0, serial: serial + depth, stage.census)) { inner in
      try check(inner, serial + depth)
      try overriding(type, in: inner, serial, depth - 1)
      try check(inner, serial + depth)
    }
  }

  private func check(_ scope: any StressScope, _ expected: Int) throws {
    let found = try scope.serial(key, 0).0
    if found != expected { throw Violation(message: "an override leaked: \(found) was resolved, not \(expected)") }
  }
}

/// One thread goes back and forth between two states of a container; others resolve from it.
final class SnapshotScene: StressScene {
  static let invariant = "what is restored is exactly what was saved, instances included"

  private let target: any StressTarget
  private let keys = StressStage.keys(8, from: 210)
  private let states: [any Sendable]
  private let identities: [[ObjectIdentifier]]
  private let census: StressCounter

  init(_ stage: StressStage) {
    let target = stage.makeTarget()
    let (keys, census) = (keys, stage.census)
    var states: [any Sendable] = []
    var identities: [[ObjectIdentifier]] = []
    for state in 0..<2 {
      for (key, type) in keys.enumerated() where state == 0 || key.isMultiple(of: 2) {
        target.register(type, key, shared: true, census) { _ in state }
      }
      // What cannot be resolved here is found by the threads.
      identities.append(keys.indices.compactMap { try? target.serial(keys[$0], $0).1 })
      states.append(target.save())
    }
    self.target = target
    self.census = census
    self.states = states
    self.identities = identities
  }

  func act(_ thread: Int, _ random: inout RandomGenerator) throws {
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
    target.register(keys[0], 0, shared: true, census) { _ in 7 }
    _ = try target.serial(keys[0], 0)
    target.restore(states[state])
    let found = try keys.indices.map { try target.serial(keys[$0], $0).1 }
    if found != identities[state] {
      throw Violation(message: "a restored container had other instances than the saved")
    }
  }
}

/// Threads create what needs each other in a cycle, from both ends.
final class CycleScene: StressScene {
  static let invariant = "cycles end in errors, also across threads"

  private let target: any StressTarget
  private let keys = StressStage.keys(3, from: 230)

  init(_ stage: StressStage) {
    target = stage.makeTarget()
    let keys = keys
    for key in keys.indices {
      let next = (key + 1) % keys.count
      target.register(keys[key], key, shared: true, stage.census) { try $0.serial(keys[next], next).0 }
    }
  }

  func act(_: Int, _ random: inout RandomGenerator) throws {
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

/// Threads replace an instance and see the old one go.
final class ReleaseScene: StressScene {
  static let invariant = "instances are released when they are replaced, and with their container"

  private let stage: StressStage
  private let keys: [any Keyed.Type]

  init(_ stage: StressStage) {
    self.stage = stage
    keys = StressStage.keys(min(stage.threads, 64), from: 240)
  }

  func act(_ thread: Int, _ random: inout RandomGenerator) throws {
    // A type that only this thread uses: so nobody else can hold the instance for a moment.
    guard thread < keys.count else { return }
    let census = StressCounter()
    let count = Int.random(in: 1...4, using: &random)
    for serial in 0..<count {
      stage.target.register(keys[thread], 0, shared: true, census) { _ in serial }
      if try stage.target.serial(keys[thread], 0).0 != serial {
        throw Violation(message: "a registration was lost: the one before it was resolved")
      }
    }
    let living = census.current
    if living > 1 { throw Violation(message: "\(living - 1) replaced instances are still alive") }
  }
}
