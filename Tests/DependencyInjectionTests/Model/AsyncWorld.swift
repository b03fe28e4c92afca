internal import DependencyInjection

/// What the registrations of the asynchronous model test create.
final class AsyncPiece: Sendable {
  let record: AsyncHistory.Record

  /// Holds what it is made of.
  private let parts: [AsyncPiece]
  private let token: LifetimeToken
  private let resolver: Resolver?

  init(_ record: AsyncHistory.Record, _ parts: [AsyncPiece], _ resolver: Resolver?, _ world: AsyncWorld) {
    (self.record, self.parts, self.resolver) = (record, parts, resolver)
    token = world.counter.token()
  }

  deinit {
    guard let resolver, let key = record.entry.lastKey else { return }
    _ = try? resolver.tryResolve(AsyncPiece.self, named: AsyncEntry.name(key))
  }
}

/// The error of a factory that was made to fail.
struct AsyncFailure: Error {
  let entry: AsyncEntry
  let container: Int
}

/// What a round of the asynchronous model test has in common: the containers, and what has happened.
final class AsyncWorld: Sendable {
  let script: AsyncScript
  let counter = LifetimeCounter()
  let clock = CallCounter()
  let signals = (0..<AsyncScript.signals).map { _ in AsyncSignal() }
  let history = Monitor(AsyncHistory())
  let serials = CallCounter()

  /// The containers by their numbers.
  private let containers = Monitor<[Int: DIContainer]>([:])

  /// All tasks that resolve, unless the round is about to end; then there are no more.
  private let tasks = Monitor<(all: [Task<Void, Never>], isOver: Bool)>(([], false))

  /// The asynchronous factories that are running and whether each has been canceled, unless the round is over; then
  /// none begins anymore.
  let active = Monitor<(runs: [Int: (text: String, isCancelled: Flag)], isOver: Bool)>(([:], false))

  /// Who waits for an answer.
  let waiting = Monitor<[Int: String]>([:])
  let held = Monitor<[AsyncPiece]>([])

  /// What registers each entry, and how often its factory has run.
  let registrations = Monitor<[Int: RegistrationList]>([:])
  let attempts = Monitor<[Int: Int]>([:])

  init(_ script: AsyncScript) {
    self.script = script
    for number in 0..<4 { create(number) }
  }

  // MARK: Containers

  func create(_ number: Int) {
    let container = script.parents[number].map { DIContainer(parent: self[$0]) } ?? DIContainer()
    for entry in script.beginnings[number] { container.register(registration(of: entry)) }
    containers.change { $0[number] = container }
  }

  subscript(number: Int) -> DIContainer { containers.change { $0[number]! } }

  /// All containers, by their numbers.
  var all: [Int: DIContainer] { containers.change { $0 } }

  /// The container that a factory creates for; below zero if it is gone.
  var current: Int {
    let current = DIContainer.current
    return all.first { $0.value == current }?.key ?? -1
  }

  func perform(_ change: AsyncChange) {
    // A creation that nobody waits for may still run when the containers are gone.
    guard let container = all[change.container] else { return }
    let begin = clock.call()
    switch change {
    case .register(let entry): container.register(registration(of: entry))
    case .unregister(_, let key): container.unregister(AsyncPiece.self, named: AsyncEntry.name(key))
    case .reset: container.reset()
    case .resetScope: container.reset(AsyncEntry.scope)
    case .resetOwn: container.reset(.container)
    }
    let end = clock.call()
    history.change { $0.changes.append(AsyncHistory.Change(change: change, begin: begin, end: end)) }
  }

  /// Lets no more asynchronous factories begin if none is running, and returns whether none is.
  func isOver() -> Bool {
    active.change { active in
      if active.runs.isEmpty { active.isOver = true }
      return active.isOver
    }
  }

  /// Lets go of the containers and of everything that has been handed out.
  func end() {
    let goneContainers = containers.change { containers in
      defer { containers = [:] }
      return containers
    }
    let gonePieces = held.change { held in
      defer { held = [] }
      return held
    }
    let goneRegistrations = registrations.change { registrations in
      defer { registrations = [:] }
      return registrations
    }
    // Released here, and not while a lock is held.
    withExtendedLifetime((goneContainers, gonePieces, goneRegistrations)) {}
  }

  // MARK: Tasks

  /// Starts a task that resolves, unless the round is about to end.
  @discardableResult
  func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
    tasks.change { tasks in
      if tasks.isOver { return nil }
      let task = Task { await body() }
      tasks.all.append(task)
      return task
    }
  }

  func cancel(_ task: Task<Void, Never>) {
    noteCancellation()
    task.cancel()
  }

  func noteCancellation() {
    let moment = clock.call()
    history.change { $0.cancellations.append(moment) }
  }

  /// Starts no more tasks, and returns all there are.
  func lastTasks() -> [Task<Void, Never>] {
    tasks.change { tasks in
      tasks.isOver = true
      return tasks.all
    }
  }

  func fault(_ text: String) {
    let fault = AsyncHistory.Fault(text: text, moment: clock.call())
    history.change { $0.faults.append(fault) }
  }
}
