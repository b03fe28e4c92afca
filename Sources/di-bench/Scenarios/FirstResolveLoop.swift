internal import DependencyInjection

/// All threads ask new containers, one after the other, for what is created once.
final class FirstResolveLoop<Target: FirstResolving>: Loop {
  private let targets: [Target]
  private let seen: Locked<[ObjectIdentifier?]>

  init(_: Target.Type, containers: Int = 2000) {
    targets = (0..<containers).map { _ in Target() }
    seen = Locked([ObjectIdentifier?](repeating: nil, count: containers))
  }

  var registrations: Int? { 1 }
  var onlyOperations: Int? { targets.count }

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    let found = targets.prefix(operations).map { $0.service().identity }
    let wrong = seen.withLock { seen in
      found.indices.count { index in
        if seen[index] == nil { seen[index] = found[index] }
        return seen[index] != found[index]
      }
    }
    if wrong > 0 { throw .wrong(wrong, of: operations, "returned another instance than to another thread") }
  }
}

/// Something that creates one instance when it is asked for the first time.
protocol FirstResolving: Sendable {
  init()
  func service() -> any Service
}

struct FirstResolvingContainer: FirstResolving {
  private let container = DIContainer()

  init() {
    container.register(Shared(ServiceImpl(launchArguments: 1) as any Service))
  }

  func service() -> any Service { container.resolve() }
}

/// The same under a lock that is held while the instance is created.
final class FirstResolvingLock: FirstResolving {
  private let instance = Locked<(any Service)?>(nil)

  func service() -> any Service {
    instance.withLock { instance in
      if let instance { return instance }
      let created = ServiceImpl(launchArguments: 1)
      instance = created
      return created
    }
  }
}
