internal import DIBenchmarking
internal import DependencyInjection

extension Benchmark {
  /// The cost of registering, on threads with a container each and with one container for all.
  static let registering: [Benchmark] = [
    Benchmark(
      "register/many", "one of 1000 registrations in an empty container, one container per thread",
      .container(filling(DIContainer.init)), .byHand("dictionary", filling(PlainDictionary.init)),
      .emptyDictionary(filling(LockedDictionary.init))),
    Benchmark(
      "register/new-types", "one of 100 new types that each thread registers in a container that all threads fill",
      inOwnProcess: .quick, .container(together(DIContainer.init)),
      .emptyDictionary(together(LockedDictionary.init))),
    Benchmark(
      "register/same-type", "another registration of the one type that all threads register in one container",
      gate: .coarse, .container(again(DIContainer())),
      .emptyDictionary(again(LockedDictionary()))),
    Benchmark(
      "register/modules", "a module of ten types, registered again by all threads in one container", gate: .coarse,
      .container(modules(of: 10, { [container = DIContainer()] in container }, module(of: 10))),
      .emptyDictionary(modules(of: 10, { [entries = LockedDictionary()] in entries }, entries(of: 10)))),
    Benchmark(
      "lifecycle/register-10000", "one of the first 10000 registrations of a process", threads: [1],
      inOwnProcess: OwnProcess(interval: 8, seconds: 0.3), .container(first(DIContainer.init)),
      .byHand("dictionary", first(PlainDictionary.init))),
    Benchmark(
      "memory/registration", "the bytes of one of 10000 registrations, in the same way", threads: [1],
      inOwnProcess: OwnProcess(interval: 8, seconds: 0.3), .container(measuringGrowth(first(DIContainer.init))),
      .byHand("dictionary", measuringGrowth(first(PlainDictionary.init))).asControl),
    Benchmark(
      "lifecycle/cold-start", "100 registrations and the first resolve of each, before anything else in a process",
      threads: [1], inOwnProcess: OwnProcess(interval: 1, seconds: 0.04),
      .emptyContainer(starting { DIContainer.shared }),
      .emptyDictionary(starting(LockedDictionary.init))),
    Benchmark(
      "lifecycle/init", "an empty container, made and released", threads: [1], gate: .coarse,
      .container(.repeating { _ = DIContainer() }), .emptyDictionary(.repeating { _ = emptyDictionary() })),
    Benchmark(
      "lifecycle/module", "a module of 100 registrations, registered in an empty container", threads: [1],
      gate: .coarse,
      .container(modules(of: 100, DIContainer.init, module(of: 100))),
      .emptyDictionary(modules(of: 100, LockedDictionary.init, entries(of: 100)))),
  ]

  /// Not inlined, because nothing would be left of it.
  @inline(never) static func emptyDictionary() -> LockedDictionary { LockedDictionary() }

  /// Repeatedly registers this many types together, in the same target or in new ones.
  private static func modules<Target: Registrar>(
    of size: Int, _ target: @escaping @Sendable () -> Target, _ register: @escaping @Sendable (Target) -> Void
  ) -> Workload {
    /// The target that each thread filled last.
    let last = Locked<[Int: Target]>([:])
    return Workload(registrations: size) { operations, thread throws(Violation) in
      var filled: Target?
      for _ in 0..<operations {
        let target = target()
        register(target)
        filled = target
      }
      last.withLock { $0[thread] = filled }
    }.with { $0.finish = { () throws(Violation) in try check(Array(last.withLock { $0.values }), size) } }
  }

  /// Checks the number of registrations, only at the end: listing them takes longer than what is timed.
  private static func check(_ targets: [some Registrar], _ size: Int) throws(Violation) {
    if let target = targets.first(where: { $0.count != size }) {
      throw Violation(message: "\(target.count) types are registered, expected \(size)")
    }
  }

  private static func module(of size: Int) -> @Sendable (DIContainer) -> Void {
    let module = Module { for key in Keys.all.prefix(size) { part(key) } }
    return { $0.register(module) }
  }

  private static func part<Value: Keyed>(_: Value.Type) -> Module { Module(New(Value())) }

  private static func entries(of size: Int) -> @Sendable (LockedDictionary) -> Void {
    { entries in for key in Keys.all.prefix(size) { entries.register(key) } }
  }

  /// Repeatedly fills a new target with types; each thread has its own.
  static func filling<Target: Registrar>(
    _ make: @escaping @Sendable () -> Target, _ keys: [any Keyed.Type] = Keys.all, only: Int? = nil
  ) -> Workload {
    /// The target that each thread filled last.
    let last = Locked<[Int: Target]>([:])
    return Workload(registrations: keys.count, batch: keys.count, only: only) { operations, thread throws(Violation) in
      for _ in 0..<operations / keys.count {
        let target = make()
        for key in keys { target.register(key) }
        last.withLock { $0[thread] = target }
      }
    }.with {
      $0.finish = { () throws(Violation) in
        let targets = Array(last.withLock { $0.values })
        try check(targets, keys.count)
        for target in targets { for key in keys { try check(key, in: target) } }
      }
    }
  }

  private static func first<Target: Registrar>(_ make: @escaping @Sendable () -> Target) -> Workload {
    filling(make, Keys.many, only: Keys.many.count)
  }

  /// Registers a hundred types and creates an instance of each: one operation, which a process can do only once.
  static func starting<Target: Registrar>(_ target: @escaping @Sendable () -> Target) -> Workload {
    // Creates the types beforehand.
    let keys = Keys.all.prefix(100)
    return Workload(registrations: keys.count, only: 1) { _, _ throws(Violation) in
      let target = target()
      for key in keys { target.register(key) }
      for key in keys { try check(key, in: target) }
    }
  }

  private static func check<Value: Keyed>(_ type: Value.Type, in target: some Registrar) throws(Violation) {
    guard target.create(type) != nil else { throw Violation(message: "\(type) was registered but cannot be created") }
  }

  /// Returns the workload with a measurement of how much memory it takes.
  static func measuringGrowth(_ workload: Workload) -> Workload {
    let grown = Locked<Int?>(nil)
    return workload.with { result in
      result.run = { operations, thread throws(Violation) in
        let before = ResidentMemory.current
        try workload.run(operations, thread)
        let growth = ResidentMemory.current - before
        grown.withLock { $0 = growth }
      }
      result.growth = { grown.withLock { $0 } }
    }
  }

  /// Makes all threads fill the same targets, one after another, each with types of its own.
  static func together<Target: Registrar>(
    _ make: @escaping @Sendable () -> Target, targets count: Int = 20, types: Int = 100
  ) -> Workload {
    let targets = (0..<count).map { _ in make() }
    // Creates the types beforehand.
    let all = Keys.many
    let threads = Locked<Set<Int>>([])
    return Workload(registrations: types, batch: types, only: count * types) { operations, thread throws(Violation) in
      _ = threads.withLock { $0.insert(thread) }
      let keys = all[thread * types % all.count..<thread * types % all.count + types]
      for target in targets.prefix(operations / types) { for key in keys { target.register(key) } }
    }.with { workload in
      workload.finish = { () throws(Violation) in
        try check(targets, types * Set(threads.withLock { $0 }.map { $0 * types % all.count }).count)
      }
    }
  }

  /// Makes all threads repeatedly register the same type in one target.
  static func again(_ target: some Registrar) -> Workload {
    .counting(registrations: 1) { count, _ in
      for _ in 0..<count { target.register(Keys.all[0]) }
      return target.count == 1 ? 0 : count
    }
  }
}

/// Something that types can be registered with.
protocol Registrar: Sendable {
  var count: Int { get }
  /// Registers a factory that creates a new instance of the type.
  func register<Value: Keyed>(_ type: Value.Type)
  /// Calls the factory; nil if there is none.
  func create<Value: Keyed>(_ type: Value.Type) -> Value?
}

extension DIContainer: Registrar {
  func create<Value: Keyed>(_ type: Value.Type) -> Value? { try? tryResolve(type) }
}

extension LockedDictionary: Registrar {
  func create<Value: Keyed>(_ type: Value.Type) -> Value? { has(ObjectIdentifier(type)) ? make(type, ()) : nil }
}

/// A dictionary for a single thread.
final class PlainDictionary: Registrar, @unchecked Sendable {
  // Unchecked: the loop that makes one fills it on one thread, and reads it when that thread has ended.

  /// One factory type for all keys: the runtime looks up other function types in a table that all threads share.
  private typealias Factory = @Sendable () -> any Keyed
  private var entries: [ObjectIdentifier: any Sendable] = [:]
  var count: Int { entries.count }

  func register<Value: Keyed>(_ type: Value.Type) {
    let factory: Factory = { Value() }
    entries[ObjectIdentifier(type)] = factory
  }

  func create<Value: Keyed>(_ type: Value.Type) -> Value? {
    (entries[ObjectIdentifier(type)] as? Factory)?() as? Value
  }
}
