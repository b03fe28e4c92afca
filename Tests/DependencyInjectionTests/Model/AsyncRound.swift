internal import DependencyInjection

/// One round of the asynchronous model test.
final class AsyncRound: Sendable {
  private let world: AsyncWorld
  private let script: AsyncScript

  /// A Boolean value that indicates whether it hangs, and has been canceled for that.
  private let isGivenUp = Flag()

  init(seed: UInt64) {
    script = AsyncScript(seed: seed)
    world = AsyncWorld(script)
  }

  /// Runs the round, and returns the first fault with what has led to it.
  func run() async -> (text: String, log: [String])? {
    await withTaskCancellationHandler {
      await withTaskGroup { group in
        for lane in script.lanes { group.addTask { await self.run(lane) } }
      }
      await end()
      if !isGivenUp.isSet { await compareAll() }
      // A creation that nobody waits for may have begun meanwhile.
      await untilGivenUp { self.world.isOver() }
      world.end()
      await untilGivenUp { self.world.counter.alive == 0 }
    } onCancel: {
      isGivenUp.set()
      for task in world.lastTasks() { task.cancel() }
      for signal in world.signals { signal.open() }
    }
    if isGivenUp.isSet { return nil }
    let history = world.history.change { $0 }
    guard let fault = history.fault(of: script) else { return nil }
    return (fault.text, history.log.filter { $0.moment <= fault.moment }.map { "\($0.moment) \($0.text)" })
  }

  /// What waits for what, if the round hangs.
  var progress: String {
    """
    \(world.waiting.change { $0.values.sorted() }.map { "waits: " + $0 }.joined(separator: "\n"))
    \(world.active.change { $0.runs.values.map { "runs: \($0.text)\($0.isCancelled.isSet ? ", cancelled" : "")" } }.sorted()
      .joined(separator: "\n"))
    \(world.counter.alive) instances are alive.
    """
  }

  /// The last of what has happened.
  var log: [String] { world.history.change { $0 }.log.map { "\($0.moment) \($0.text)" } }

  /// A Boolean value that indicates whether it was given up because it did not end.
  var hangs: Bool { isGivenUp.isSet }

  private func untilGivenUp(_ isWanted: @escaping @Sendable () -> Bool) async {
    await until { isWanted() || self.isGivenUp.isSet }
  }

  private func run(_ lane: [AsyncScript.Operation]) async {
    var tasks: [Task<Void, Never>] = []
    for operation in lane {
      switch operation {
      case .ask(let container, let key, let count, let cancelled):
        for index in 0..<count {
          let isCancelled = cancelled.contains(index)
          let task = world.start { await self.ask(key, of: container, cancelled: isCancelled) }
          if let task { tasks.append(task) }
        }
      case .askSynchronously(let container, let key): askSynchronously(key, of: container)
      case .cancel(let index): if !tasks.isEmpty { world.cancel(tasks[index % tasks.count]) }
      case .change(let change): world.perform(change)
      case .create(let container): world.create(container)
      case .open(let signal): world.signals[signal].open()
      case .yield(let count): for _ in 0..<count { await Task.yield() }
      }
    }
  }

  private func ask(_ key: Int, of number: Int, cancelled: Bool = false) async {
    if cancelled {
      world.noteCancellation()
      cancelCurrentTask()
    }
    let container = world[number]
    _ = try? await world.ask(key, of: number, isOutermost: true) { name in
      if (key + number) % 2 == 0 { return try await container.resolveAsync(AsyncPiece.self, named: name) }
      return try await DIContainer.withCurrent(container) {
        try await DIContainer.resolveAsync(AsyncPiece.self, named: name)
      }
    }
  }

  private func askSynchronously(_ key: Int, of number: Int) {
    let container = world[number]
    _ = try? world.askSynchronously(key, of: number, isOutermost: true) { name in
      try container.tryResolve(AsyncPiece.self, named: name)
    }
  }

  /// Cancels everybody or lets everybody come to an end, and looks for what nobody waits for.
  private func end() async {
    if script.endsCancelled {
      for task in world.lastTasks() { world.cancel(task) }
    } else {
      for signal in world.signals { signal.open() }
    }
    for task in world.lastTasks() { await task.value }
    // What has been canceled comes to its end by itself.
    await untilGivenUp { self.world.active.change { $0.runs.values.allSatisfy { !$0.isCancelled.isSet } } }
    if script.endsCancelled, !isGivenUp.isSet {
      // One that was canceled before it began may have begun by now.
      for left in world.active.change({ $0.runs.values.filter { !$0.isCancelled.isSet }.map(\.text) }) {
        world.fault("nobody waits for \(left), and nobody has canceled it")
      }
    }
    for signal in world.signals { signal.open() }
    await untilGivenUp { self.world.active.change { $0.runs.isEmpty } }
  }

  /// Resolves everything twice, and once more after all instances have been dropped, without anything else going on.
  private func compareAll() async {
    for isReset in [false, true] {
      if isReset { for number in world.all.keys.sorted() { world.perform(.reset(container: number)) } }
      for number in world.all.keys.sorted(by: isReset ? (>) : (<)) {
        for key in AsyncEntry.keys.reversed() {
          for _ in 0..<2 { await ask(key, of: number) }
        }
      }
    }
  }
}
