internal import DIBenchmarking
internal import DependencyInjection

extension Benchmark {
  /// The cost of what happens once in the life of a process, a container or a test.
  static let lifecycle: [Benchmark] =
    [100, 1000, 10_000].flatMap(lifecycle(of:)) + [
      Benchmark(
        "memory/churn", "an override and ten resolves, a million times in a process whose memory must not grow",
        threads: [1], inOwnProcess: OwnProcess(interval: 64, seconds: 3), gate: .none,
        .container(
          overridingWithoutGrowth(
            { DIContainer.shared.override(revision: $0) }, { (DIContainer.resolve() as any Revision).number },
            { (DIContainer.resolve() as any Service).identity })),
        .dictionary { entries in
          overridingWithoutGrowth(
            { entries.override(revision: $0) }, { entries.instance((any Revision).self).number },
            { entries.instance((any Service).self).identity })
        })
    ]

  /// The operations of tests on a container with this number of registrations.
  private static func lifecycle(of size: Int) -> [Benchmark] {
    [
      operation("snapshot", "save all registrations and instances", size, { $0.snapshot($1) }, { $0.snapshot($1) }),
      operation("reset", "drop all instances, and create one again", size, { $0.reset($1) }, { $0.reset($1) }),
      operation("restore", "put back what was saved", size, { $0.restore($1) }, { $0.restore($1) }),
      operation(
        "isolated-copy", "a container with the same registrations", size, { $0.isolatedCopy($1) },
        { $0.isolatedCopy($1) }, countsCopies: true),
      operation(
        "changed-copy", "the same, one override in it and a resolve", size, { $0.changedCopy($1) },
        { $0.changedCopy($1) }, hasReference: true),
      operation(
        "with-overrides", "override one type for the time of one resolve", size, { $0.withOverrides($1) },
        { $0.withOverrides($1) }, hasReference: true),
    ]
  }

  /// Large containers have a process of their own, because they take a long time to fill.
  ///
  /// The dictionary is a reference only where it has to copy its entries. Elsewhere, it only retains them, and a ratio
  /// to that would be meaningless.
  private static func operation(
    _ name: String, _ summary: String, _ size: Int,
    _ container: @escaping @Sendable (LifecycleLoops<DIContainer>, Int) -> Int,
    _ dictionary: @escaping @Sendable (LifecycleLoops<LockedDictionary>, Int) -> Int, countsCopies: Bool = false,
    hasReference: Bool = false
  ) -> Benchmark {
    let isLarge = size > 1000
    let beside = Implementation.emptyDictionary(lifecycleLoop(of: size, countsCopies: countsCopies, dictionary))
    return Benchmark(
      "lifecycle/" + name, summary, size: size, threads: [1],
      inOwnProcess: isLarge ? OwnProcess(interval: 64, seconds: 0.4) : nil, gate: isLarge ? .none : .coarse,
      .emptyContainer(lifecycleLoop(of: size, countsCopies: countsCopies, container)),
      hasReference ? beside : beside.asControl)
  }

  static func lifecycleLoop<Target: Restorable>(
    of size: Int, countsCopies: Bool = false, _ body: @escaping @Sendable (LifecycleLoops<Target>, Int) -> Int
  ) -> Workload {
    let loops = LifecycleLoops(target: Target.filled(with: size), size: size)
    return .counting(registrations: size) { count, _ in body(loops, count) }.with { workload in
      // Only at the end: listing the registrations takes longer than thousands of copies.
      workload.finish = { () throws(Violation) in
        if !countsCopies { return }
        let count = loops.target.copy().count
        if count != size { throw Violation(message: "a copy has \(count) registrations, expected \(size)") }
        loops.target.override(revision: 1)
        if loops.target.copy().revision() != 1 { throw Violation(message: "a copy has what had been overridden") }
        loops.target.override(revision: 0)
      }
    }
  }

  // MARK: Loops

  /// Repeatedly overrides one type, resolves it and another one five times, and measures how much memory that takes.
  static func overridingWithoutGrowth(
    _ override: @escaping @Sendable (Int) -> Void, _ revision: @escaping @Sendable () -> Int,
    _ service: @escaping @Sendable () -> ObjectIdentifier, times: Int = 1_000_000
  ) -> Workload {
    let expected = service()
    let turn = { @Sendable (operations: Int) throws(Violation) -> Void in
      var wrong = 0
      for number in 0..<operations {
        override(number)
        for _ in 0..<5 where revision() != number || service() != expected { wrong &+= 1 }
      }
      if wrong > 0 {
        throw .wrong(wrong, of: operations * 10, "returned what had been overridden, or another instance")
      }
    }
    let workload = measuringGrowth(
      Workload(registrations: ContainerProvider.registrationCount, only: times) { count, _ throws(Violation) in
        try turn(count)
      })
    return workload.with { result in
      result.run = { operations, thread throws(Violation) in
        // Memory that is needed only once is not growth.
        try turn(operations / 1000)
        try workload.run(operations, thread)
        if let growth = workload.growth(), growth >= 1 << 20 {
          throw Violation(message: "the memory of the process grew by \(growth) bytes after \(operations) overrides")
        }
      }
    }
  }
}

/// Loops over the operations of tests on a container; each returns the number of wrong results.
struct LifecycleLoops<Target: Restorable>: Sendable {
  let target: Target
  /// The number of registered types; one of them is `Revision`, with number 0.
  let size: Int

  func snapshot(_ count: Int) -> Int {
    var wrong = 0
    for _ in 0..<count where Target.count(of: target.save()) != size { wrong &+= 1 }
    return wrong
  }

  func reset(_ count: Int) -> Int {
    // Kept, so that no other instance can have its address.
    let before = target.instance() as AnyObject
    var wrong = 0
    for _ in 0..<count {
      target.reset()
      if target.revision() != 0 { wrong &+= 1 }
    }
    return target.instance() as AnyObject === before ? count : wrong
  }

  func restore(_ count: Int) -> Int {
    let saved = target.save()
    target.override(revision: 1)
    let isOverridden = target.revision() == 1
    for _ in 0..<count { target.restore(saved) }
    return isOverridden && target.count == size && target.revision() == 0 ? 0 : count
  }

  func isolatedCopy(_ count: Int) -> Int {
    var last = target.copy()
    for _ in 1..<count { last = target.copy() }
    return last.revision() == 0 ? 0 : count
  }

  /// Makes copies and changes each once, as a test with a mock does.
  func changedCopy(_ count: Int) -> Int {
    var wrong = 0
    for number in 1...count {
      let copy = target.copy()
      copy.override(revision: number)
      if copy.revision() != number { wrong &+= 1 }
    }
    return target.revision() == 0 ? wrong : count
  }

  func withOverrides(_ count: Int) -> Int {
    let wrong = target.whileCurrent {
      var wrong = 0
      for number in 1...count where target.overriddenRevision(number) != number { wrong &+= 1 }
      return wrong
    }
    return target.revision() == 0 ? wrong : count
  }
}

/// Something that types are registered with, and that can be copied and restored.
protocol Restorable: Sendable {
  /// Its registrations and instances at one moment.
  associatedtype Saved
  init()
  func install<Value: Keyed>(_ type: Value.Type)
  func save() -> Saved
  func restore(_ saved: Saved)
  static func count(of saved: Saved) -> Int
  func copy() -> Self
  var count: Int { get }
  func override(revision: Int)
  func instance() -> any Revision
  func reset()
  /// Runs a closure that may call `overriddenRevision`, and that contains everything that is measured.
  func whileCurrent(_ body: () -> Int) -> Int
  /// The number of the `Revision` inside a temporary override.
  func overriddenRevision(_ revision: Int) -> Int
}

extension Restorable {
  /// Returns one with this many types and an instance of each; one of them is `Revision`, with number 0.
  static func filled(with registrations: Int) -> Self {
    let target = Self()
    for key in Keys.many.prefix(registrations - 1) { target.install(key) }
    target.override(revision: 0)
    _ = target.revision()
    return target
  }

  func revision() -> Int { instance().number }
  func whileCurrent(_ body: () -> Int) -> Int { body() }

  func overriddenRevision(_ revision: Int) -> Int {
    let overridden = copy()
    overridden.override(revision: revision)
    return overridden.revision()
  }
}

extension DIContainer: Restorable {
  func install<Value: Keyed>(_: Value.Type) {
    register(Shared(Value()))
    _ = resolve(Value.self)
  }

  func save() -> Registry.Snapshot { registry.snapshot() }
  static func count(of saved: Registry.Snapshot) -> Int { saved.count }
  func copy() -> DIContainer { DIContainer(copying: registry, withObservers: false) }
  func instance() -> any Revision { resolve() }
  func whileCurrent(_ body: () -> Int) -> Int { DIContainer.withCurrent(self, body) }

  func overriddenRevision(_ revision: Int) -> Int {
    DIContainer.withOverrides {
      Shared(RevisionImpl(number: revision) as any Revision)
    } perform: {
      DIContainer.resolve((any Revision).self).number
    }
  }
}

extension LockedDictionary: Restorable {
  func install<Value: Keyed>(_ type: Value.Type) { set(Value(), for: ObjectIdentifier(type)) }
  static func count(of saved: [ObjectIdentifier: any Sendable]) -> Int { saved.count }
  func instance() -> any Revision { instance((any Revision).self) }

  /// Drops everything, because a dictionary of instances has nothing else to keep.
  func reset() {
    restore([:])
    override(revision: 0)
  }
}
