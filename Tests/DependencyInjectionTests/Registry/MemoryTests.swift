internal import DITesting
internal import DependencyInjection
internal import Testing

/// Work that a process may do forever.
///
/// `DI_MEMORY_ROUNDS` sets how often the tests do it.
private enum EndlessWork: String, CaseIterable, Codable {
  case overriding
  case overridingWithOtherKinds
  case removing
  case withOverrides
  case snapshots
  case copies
  case children
  case changesSeenByChildren
  case threads

  /// The number of times that it is done, relative to overriding.
  private var share: Int {
    switch self {
    case .overriding: 1
    case .overridingWithOtherKinds, .removing: 5
    case .withOverrides, .snapshots, .copies, .children, .changesSeenByChildren: 20
    case .threads: 100
    }
  }

  /// How often it is done: memory that leaks a little at a time is for optimized builds to find, instances for all.
  var rounds: Int {
    var rounds = ResidentMemory.isMeaningful ? 300_000 : 2_000
    assert({ rounds = min(rounds, 10_000) }() == ())
    return ModelSeeds.value(of: "DI_MEMORY_ROUNDS").flatMap { Int($0) } ?? rounds / share
  }

  /// A part of an object that lives as long as a counter can see.
  final class Node: Poisoned, BoundPoisoned {
    let token: LifetimeToken
    let part: (any Poisoned)?
    init(_ counter: LifetimeCounter, _ part: (any Poisoned)? = nil) {
      token = counter.token()
      self.part = part
    }
  }

  struct Value: Poisoned {
    let token: LifetimeToken
    let padding = (1, 2, 3, 4)
  }

  /// Does it, and returns the largest number of instances that were alive at a time.
  func run(_ rounds: Int, in container: DIContainer, _ counter: LifetimeCounter) -> Int {
    if self == .overriding || self == .overridingWithOtherKinds || self == .removing {
      return race(rounds, in: container, counter)
    }
    var most = 0
    for round in 0..<rounds {
      once(round, in: container, counter)
      most = max(most, counter.alive)
    }
    return most
  }

  /// Changes on one thread, and resolves on two, ten times as often.
  private func race(_ rounds: Int, in container: DIContainer, _ counter: LifetimeCounter) -> Int {
    let isDone = Flag()
    return onThreads(2, seconds: 3_000) { index in
      var most = 0
      guard index == 0 else {
        while !isDone.isSet {
          for _ in 0..<100 where container.resolve((any BoundPoisoned)?.self)?.token.isIntact == false { return .max }
        }
        return 0
      }
      for round in 0..<rounds {
        once(round, in: container, counter)
        for _ in 0..<10 where container.resolve((any BoundPoisoned)?.self)?.token.isIntact == false { return .max }
        most = max(most, counter.alive)
      }
      isDone.set()
      return most
    }.max()!
  }

  private func once(_ round: Int, in container: DIContainer, _ counter: LifetimeCounter) {
    switch self {
    case .overriding:
      container.register(Shared(Node(counter), as: (any BoundPoisoned).self, (any Poisoned).self))
    case .overridingWithOtherKinds:
      switch round % 4 {
      case 0: container.register(Shared(Node(counter), as: (any BoundPoisoned).self, (any Poisoned).self))
      case 1: container.register(Shared(Value(token: counter.token()) as any Poisoned))
      case 2: container.register(New(Node(counter) as any BoundPoisoned))
      default: container.register(Shared { resolve in Node(counter, resolve()) as any BoundPoisoned })
      }
      _ = container.resolve((any Poisoned)?.self)
    case .removing:
      switch round % 3 {
      case 0: container.register(Shared(Node(counter) as any BoundPoisoned))
      case 1: container.reset()
      default: container.unregister((any BoundPoisoned).self)
      }
    case .withOverrides:
      DIContainer.withCurrent(container) {
        DIContainer.withOverrides {
          Shared(Value(token: counter.token()) as any Poisoned)
        } perform: {
          _ = DIContainer.resolve((any BoundPoisoned).self)
          _ = DIContainer.resolve((any Poisoned).self)
        }
      }
    case .snapshots:
      let snapshot = container.snapshot()
      container.register(Shared(Node(counter) as any BoundPoisoned))
      _ = container.resolve((any BoundPoisoned).self)
      container.restore(snapshot)
      _ = container.resolve((any BoundPoisoned).self)
    case .copies:
      let copy = container.copyWithOverrides()
      _ = copy.resolve((any BoundPoisoned).self)
      copy.register(Shared(Node(counter), as: (any Poisoned).self))
      _ = copy.resolve((any Poisoned).self)
    case .children:
      let child = DIContainer(parent: container)
      child.register {
        Shared(Value(token: counter.token()) as any Poisoned)
        Scoped(in: .container) { resolve in Node(counter, resolve((any Poisoned).self)) }
      }
      _ = DIContainer(parent: child).resolve((any BoundPoisoned).self)
      _ = DIContainer(parent: child).resolve(Node.self)
    case .changesSeenByChildren:
      let child = DIContainer(parent: container)
      child.register(Shared(Value(token: counter.token()) as any Poisoned))
      _ = child.resolve((any BoundPoisoned).self)
      EndlessWork.prepare(container, counter)
      _ = child.resolve((any BoundPoisoned).self)
    case .threads:
      onAnotherThread { _ = container.resolve((any BoundPoisoned).self) }
    }
  }

  static func prepare(_ container: DIContainer, _ counter: LifetimeCounter) {
    container.register {
      Shared(Node(counter) as any Poisoned)
      Shared { resolve in Node(counter, resolve((any Poisoned).self)) as any BoundPoisoned }
    }
  }
}

@Suite(.timeLimit(.minutes(20)))
struct MemoryTests {
  @Test("Work that goes on forever does not use more and more of it", .exitTest, arguments: EndlessWork.allCases)
  fileprivate func flat(work: EndlessWork) async {
    // In a process of its own, where nothing else uses memory.
    await #expect(processExitsWith: .success) { [work = work as EndlessWork] in
      let counter = LifetimeCounter()
      let container = DIContainer()
      EndlessWork.prepare(container, counter)
      _ = container.resolve((any BoundPoisoned).self)
      var growth: [Int] = []
      var most = work.run(work.rounds / 5, in: container, counter)
      // What grows without end grows every time; the heap settles.
      for _ in 0..<3 {
        let before = ResidentMemory.bytes ?? 0
        most = max(most, work.run(work.rounds, in: container, counter))
        growth.append((ResidentMemory.bytes ?? 0) - before)
        if growth.last! < 1 << 20 { break }
      }
      precondition(most <= 12, "\(work.rawValue): \(most) instances at a time.")
      if ResidentMemory.isMeaningful {
        precondition(
          growth.last! < 1 << 20, "\(work.rawValue): grows by \(growth) bytes in \(work.rounds) rounds each.")
      }
      container.unregister((any BoundPoisoned).self)
      container.unregister((any Poisoned).self)
      container.unregister(EndlessWork.Node.self)
      precondition(counter.alive == 0, "\(work.rawValue): \(counter.alive) instances are left.")
    }
  }
}
