internal import DIBenchmarking
internal import DependencyInjection
internal import Dispatch

extension Benchmark {
  /// The cost of contention between threads.
  static let contended: [Benchmark] = [
    Benchmark(
      "contended/different-types", "a Shared class by its protocol, another one for each of four threads",
      gate: .coarse,
      .container(
        .perThread(
          { DIContainer.resolve() }, { DIContainer.resolve() }, { DIContainer.resolve() }, { DIContainer.resolve() })),
      .byHand(
        "static-let",
        .perThread(
          { HandWrittenPaths().threadServiceA() }, { HandWrittenPaths().threadServiceB() },
          { HandWrittenPaths().threadServiceC() },
          { HandWrittenPaths().threadServiceD() })),
      .dictionary { entries in
        .perThread(
          { entries.instance((any ThreadServiceA).self) }, { entries.instance((any ThreadServiceB).self) },
          { entries.instance((any ThreadServiceC).self) }, { entries.instance((any ThreadServiceD).self) })
      }),
    Benchmark(
      "contended/first-resolve", "all threads ask a new container for the same Shared; one of them creates it",
      inOwnProcess: .quick,
      .container(
        firstResolves {
          let container = DIContainer()
          container.register(Shared(ServiceImpl(launchArguments: 1) as any Service))
          return { (container.resolve() as any Service).identity }
        }), .byHand("lock", firstResolves(locked))),
    Benchmark(
      "contended/slow-factory", "a Shared, each resolve timed, while one more thread creates something for 0.5 ms",
      gate: .none,
      .container(
        slowly({ (DIContainer.resolve() as any Service).identity }) {
          DIContainer.register(Shared(SlowPart()))
          _ = DIContainer.resolve(SlowPart.self)
        }), .byHand("static-let", slowly({ HandWrittenPaths().service().identity }) { _ = SlowPart() }),
      .dictionary { entries in slowly({ entries.instance((any Service).self).identity }) { createSlowly(in: entries) }
      },
      .queue { entries in slowly({ entries.instance((any Service).self).identity }) { createSlowly(in: entries) } }),
    mixed("churn/1-percent", "resolve/shared, and every 100th operation overrides another type", every: 100),
    mixed("churn/10-percent", "the same, and every tenth operation", every: 10),
    withBackground("churn/one-writer", "resolve/shared, while one more thread overrides another type", creates: false),
    withBackground("churn/one-creator", "the same, and that thread resolves what it has overridden", creates: true),
  ]

  private static func mixed(_ name: String, _ summary: String, every interval: Int) -> Benchmark {
    Benchmark(
      name, summary, gate: .coarse,
      .container(
        .mixed(every: interval, { DIContainer.shared.override(revision: $0) }) {
          (DIContainer.resolve() as any Service).identity
        }),
      .dictionary { entries in
        .mixed(every: interval, { entries.override(revision: $0) }) { entries.instance((any Service).self).identity }
      })
  }

  private static func withBackground(_ name: String, _ summary: String, creates: Bool) -> Benchmark {
    Benchmark(
      name, summary, gate: .none,
      .container(
        .same { (DIContainer.resolve() as any Service).identity }
          .withBackground(by: { DIContainer.shared.override(revision: $0) }, checkingEach: creates) {
            (DIContainer.resolve() as any Revision).number
          }),
      // The other thread is there only so that the readers are tied to the same cores.
      .byHand("no-writer", .same { (DIContainer.resolve() as any Service).identity }.with { $0.background = { _ in } })
        .asControl,
      .dictionary { entries in
        .same { entries.instance((any Service).self).identity }
          .withBackground(by: { entries.override(revision: $0) }, checkingEach: creates) {
            entries.instance((any Revision).self).number
          }
      })
  }

  private struct SlowPart: Sendable {
    init() {
      let end = DispatchTime.now().uptimeNanoseconds + 500_000
      while DispatchTime.now().uptimeNanoseconds < end {}
    }
  }

  private static func createSlowly<Entries: AnyDictionary>(in entries: Entries) {
    entries.register(SlowPart.self) { _, _ in SlowPart() }
    _ = entries.make(SlowPart.self, ())
  }

  /// Times each resolution, while one more thread repeatedly creates something slowly.
  private static func slowly(
    _ resolve: @escaping @Sendable () -> ObjectIdentifier, _ create: @escaping @Sendable () -> Void
  ) -> Workload {
    .same(resolve).with {
      $0.background = { isNeeded in repeat { create() } while isNeeded() }
      $0.timesEach = true
    }
  }

  /// Makes all threads ask new targets, one after another, for an instance that is created once.
  static func firstResolves(targets count: Int = 2000, _ make: () -> @Sendable () -> ObjectIdentifier) -> Workload {
    let targets = (0..<count).map { _ in make() }
    let seen = Locked([ObjectIdentifier?](repeating: nil, count: count))
    return Workload(registrations: 1, only: count) { operations, _ throws(Violation) in
      let found = targets.prefix(operations).map { $0() }
      let wrong = seen.withLock { seen in
        found.indices.count { index in
          if seen[index] == nil { seen[index] = found[index] }
          return seen[index] != found[index]
        }
      }
      if wrong > 0 { throw .wrong(wrong, of: operations, "returned different instances to two threads") }
    }
  }

  /// Returns a closure that creates an instance while it holds a lock.
  static func locked() -> @Sendable () -> ObjectIdentifier {
    let instance = Locked<ServiceImpl?>(nil)
    return {
      instance.withLock { instance in
        let service = instance ?? ServiceImpl(launchArguments: 1)
        instance = service
        return service.identity
      }
    }
  }
}
