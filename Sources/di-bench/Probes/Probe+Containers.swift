internal import DIBenchmarking
internal import DependencyInjection
internal import Synchronization

extension Probe {
  /// The probes of registering, of factories that register, and of operations on whole containers: each before its
  /// reference, which does the same with a dictionary behind a mutex.
  static let containers: [Probe] =
    [
      pair(
        "register-again", "another registration of a type", Benchmark.again(DIContainer()),
        Benchmark.again(LockedDictionary())),
      pair(
        "register-many", "one of 128 registrations in an empty container",
        Benchmark.filling(DIContainer.init, manyKeys),
        Benchmark.filling(LockedDictionary.init, manyKeys)),
      pair(
        "start", "one of 128 registrations of a Shared in an empty container, and its first resolution",
        starting(DIContainer.init), starting(OnceDictionary.init)),
      pair(
        "register-inside", "a New that registers a type and resolves it",
        NestedShape.registering.workload(in: NestedContainer()),
        NestedShape.registering.workload(in: LockedDictionary.filled())),
      pair(
        "fan-out-16", "a New that resolves 16 different New", NestedShape.fanOut(16).workload(in: NestedContainer()),
        NestedShape.fanOut(16).workload(in: LockedDictionary.filled())),
      pair(
        "override", "one of 100 registrations overridden for the time of one resolution",
        Benchmark.lifecycleLoop(of: 100) { (loops: LifecycleLoops<DIContainer>, count) in loops.withOverrides(count) },
        overriding(LockedDictionary.filled(with: 100))),
      [
        probe("override-of-10000", "override in a container of 10000", of: "override", overridingOf10000),
        probe("override-new", "override with a New in an empty one", of: "override-dictionary", overridingWithNew),
      ],
      pair(
        "empty", "an empty container, made and released", .repeating { _ = DIContainer() },
        .repeating { _ = Benchmark.emptyDictionary() }),
    ].flatMap(\.self)

  // Filled once: filling takes longer than all overrides, and its cost varies.
  private static let overridingOf10000 =
    Benchmark.lifecycleLoop(of: 10_000) { (loops: LifecycleLoops<DIContainer>, count) in loops.withOverrides(count) }
  private static let overridingWithNew = Workload.repeating { precondition(overridden().number == 1) }
  private static func overridden() -> any Revision {
    DIContainer.withOverrides({ New(RevisionImpl(number: 1) as any Revision) }, perform: { DIContainer.resolve() })
  }
  private static let manyKeys = Array(Keys.all.prefix(128))

  private static func starting<Target: OnceRegistrar>(_ make: @escaping @Sendable () -> Target) -> Workload {
    .counting(registrations: manyKeys.count) { count, _ in
      for _ in 0..<count / manyKeys.count {
        let target = make()
        for key in manyKeys { target.registerOnce(key) }
        for key in manyKeys { target.resolveOnce(key) }
      }
      return 0
    }
  }

  /// Replaces an entry for one resolution, and then restores it.
  private static func overriding(_ entries: LockedDictionary) -> Workload {
    .counting(registrations: 100) { count, _ in
      let key = ObjectIdentifier((any Revision).self)
      var wrong = 0
      for number in 1...count {
        let former = entries.instance((any Revision).self)
        entries.set(RevisionImpl(number: number), for: key)
        if entries.revision() != number { wrong &+= 1 }
        entries.set(former, for: key)
      }
      return wrong
    }
  }

  private static func pair(
    _ name: String, _ summary: String, _ container: @autoclosure @escaping @Sendable () -> Workload,
    _ dictionary: @autoclosure @escaping @Sendable () -> Workload
  ) -> [Probe] {
    [
      probe(name, summary, of: name + "-dictionary", container()),
      probe(name + "-dictionary", "the same with a dictionary behind a mutex", dictionary()),
    ]
  }

  private static func probe(
    _ name: String, _ summary: String, of base: String? = nil, _ make: @autoclosure @escaping @Sendable () -> Workload
  ) -> Probe {
    Probe(name, of: base, summary) { count in
      do throws(Violation) {
        let workload = make()
        try workload.run(count, 0)
        // It costs the same for any count.
        try workload.finish()
        return 0
      } catch {
        return count
      }
    }
  }
}

/// Something that registers types, each of whose instances is created once.
private protocol OnceRegistrar: Sendable {
  func registerOnce<Value: Keyed>(_ type: Value.Type)
  func resolveOnce<Value: Keyed>(_ type: Value.Type)
}

extension DIContainer: OnceRegistrar {
  func registerOnce<Value: Keyed>(_: Value.Type) { register(Shared(Value())) }
  @inline(never) func resolveOnce<Value: Keyed>(_: Value.Type) { _ = resolve(Value.self) }
}

/// A dictionary behind the platform's mutex, whose factories are called once and without the mutex.
private final class OnceDictionary: OnceRegistrar {
  private enum Entry: Sendable {
    case factory(@Sendable () -> any Sendable)
    case instance(any Sendable)
  }

  private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  func registerOnce<Value: Keyed>(_ type: Value.Type) {
    entries.withLock { $0[ObjectIdentifier(type)] = .factory { Value() } }
  }

  @inline(never) func resolveOnce<Value: Keyed>(_ type: Value.Type) {
    let key = ObjectIdentifier(type)
    switch entries.withLock({ $0[key] }) {
    case .instance(let instance): _ = instance as! Value
    case .factory(let make):
      let made = make()
      _ =
        entries.withLock { entries in
          if case .instance(let present) = entries[key] { return present }
          entries[key] = .instance(made)
          return made
        } as! Value
    case nil: fatalError("nothing is registered")
    }
  }
}
