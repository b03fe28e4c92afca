internal import DITesting
internal import DependencyInjection
internal import Testing

/// Threads that register, remove and resolve the same types, and record what they do and see.
private final class Contest: Sendable {
  let container = DIContainer()
  let child: DIContainer
  let world: ModelWorld
  let clock = CallCounter()
  private let entries = Monitor<[Int: ModelEntry]>([:])
  private let cast = modelCasts[0]
  private let restoring: Bool

  init(restoring: Bool) {
    self.restoring = restoring
    child = DIContainer(parent: container)
    world = ModelWorld(clock: clock)
    // Something of its own, so that what it resolves has to be looked for in both.
    child.register(Shared("unrelated"))
  }

  private func timed<Result>(_ body: () -> Result) -> (result: Result, interval: ModelHistory.Interval) {
    let begin = clock.call()
    let result = body()
    return (result, ModelHistory.Interval(begin: begin, end: clock.call()))
  }

  /// What one thread does.
  func run(steps: Int, seed: UInt64) -> ModelHistory {
    var generator = RepeatableGenerator(seed: seed)
    var history = ModelHistory()
    var snapshots: [(snapshot: Registry.Snapshot, registrations: [ModelKey: Int])] = []
    for _ in 0..<steps {
      let key = ModelKey.allCases.randomElement(using: &generator)!
      switch Int.random(in: 0..<100, using: &generator) {
      case 0..<12: register(&history, &generator)
      case 12..<16:
        let interval = timed { cast.unregister(key, from: container) }.interval
        history.writes.append(ModelHistory.Write(key: key, registration: nil, interval: interval))
        history.log.append((interval, "unregister \(key)"))
      case 16:
        let interval = timed { container.reset() }.interval
        history.resets.append(interval)
        history.log.append((interval, "reset"))
      case 17..<19:
        let (snapshot, interval) = timed { container.registry.snapshot() }
        let registrations = registrations(in: snapshot)
        history.cuts.append(ModelHistory.Cut(registrations: registrations, interval: interval))
        history.log.append((interval, "snapshot: \(registrations)"))
        snapshots.append((snapshot, registrations))
        if snapshots.count > 3 { snapshots.removeFirst() }
      case 19..<21 where restoring:
        guard let snapshot = snapshots.randomElement(using: &generator) else { continue }
        let interval = timed { container.restore(snapshot.snapshot) }.interval
        history.restores.append(interval)
        history.log.append((interval, "restore: \(snapshot.registrations)"))
        history.writes += ModelKey.allCases.map {
          ModelHistory.Write(key: $0, registration: snapshot.registrations[$0], interval: interval)
        }
      default:
        // A failing factory would trap.
        let form: ResolveForm = key != .called && Bool.random(using: &generator) ? .optional : .throwing
        let isChild = Int.random(in: 0..<3, using: &generator) == 0
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
          if let fault = read(key, form, from: isChild ? child : container, &history) { fatalError(fault) }
        }
      }
    }
    return history
  }

  private func register(_ history: inout ModelHistory, _ generator: inout RepeatableGenerator) {
    let entry = entries.change { entries in
      let entry = ModelEntry.random(
        entries.count + 1, withParts: false, lives: [.shared, .session, .new], using: &generator)
      entries[entry.number] = entry
      return entry
    }
    let list = cast.registration(of: entry, in: world)
    let interval = timed { container.register(list) }.interval
    history.writes += entry.allKeys.map {
      ModelHistory.Write(key: $0, registration: entry.number, interval: interval)
    }
    history.log.append((interval, "register \(entry)"))
  }

  /// Resolves a key; what is dead ends the process, because nothing can be trusted anymore.
  func read(
    _ key: ModelKey, _ form: ResolveForm, from container: DIContainer, _ history: inout ModelHistory
  ) -> String? {
    let (found, interval) = timed { () -> (registration: Int?, serial: Int?, isIntact: Bool, isError: Bool) in
      guard let found = try? cast.resolve(key, form, from: container) else { return (nil, nil, true, true) }
      return (found.trace.registration, found.trace.serial, found.trace.token?.isIntact ?? true, false)
    }
    guard found.isIntact else { return "\(key) led to a dead instance of number \(found.registration ?? 0)." }
    // A call without its argument, or one that fails, tells nothing.
    if key == .called, found.registration == nil { return nil }
    history.reads.append(
      ModelHistory.Read(key: key, registration: found.registration, serial: found.serial, interval: interval))
    let what = found.registration.map { "number \($0), instance \(found.serial!)" } ?? "nothing"
    history.log.append((interval, "resolve \(key): \(what)"))
    return nil
  }

  /// The numbers of the registrations in a snapshot: of those that another container has that goes back to it.
  private func registrations(in snapshot: Registry.Snapshot) -> [ModelKey: Int] {
    let container = DIContainer()
    container.restore(snapshot)
    return ModelWorld.$isLooking.withValue(true) {
      var numbers: [ModelKey: Int] = [:]
      for key in ModelKey.allCases {
        do throws(ResolutionError) {
          numbers[key] = try cast.resolve(key, .throwing, from: container)?.trace.registration
        } catch {
          // The number is the line.
          numbers[key] = (error.registration?.line).map { Int($0) }
        }
      }
      return numbers
    }
  }

  /// What is wrong once all threads have come back.
  func fault(in history: inout ModelHistory) -> ModelHistory.Fault? {
    let entries = entries.change { $0 }
    var kept: Set<Int> = []
    for container in [container, child] {
      for key in ModelKey.allCases where key != .called {
        if let fault = read(key, .optional, from: container, &history) {
          return ModelHistory.Fault(text: fault, moment: .max)
        }
        let read = history.reads.last!
        guard let entry = read.registration.flatMap({ entries[$0] }), entry.life.isKept, entry.kind != .small else {
          continue
        }
        kept.insert(read.serial!)
      }
    }
    let alive = world.counter.alive
    if alive != kept.count {
      return ModelHistory.Fault(text: "\(alive) instances are alive, expected those of \(kept)", moment: .max)
    }
    return history.fault(creating: world.creations.change { $0 }, keysOf: entries)
  }
}

@Suite(.timeLimit(.minutes(20)))
struct SharedKeysTests {
  @Test(
    "What a thread resolves was current at some moment of the call, and is created once", .serialized,
    arguments: ModelSeeds.seeds(4), [false, true])
  func together(seed: UInt64, restoring: Bool) {
    let steps = ModelSeeds.steps(600)
    let contest = Contest(restoring: restoring)
    let histories = onThreads(4) { index in contest.run(steps: steps, seed: seed &* 31 &+ UInt64(index)) }
    var history = ModelHistory()
    for each in histories { history.add(each) }
    guard let fault = contest.fault(in: &history) else { return }
    let log = history.log.sorted { $0.interval.begin < $1.interval.begin }.filter { $0.interval.begin <= fault.moment }
    let report = ModelSeeds.report(
      "\(restoring ? "with restores" : "without restores"): \(fault.text) at \(fault.moment)", seed: seed, steps: steps,
      of: "SharedKeysTests", after: log.map { "\($0.interval.begin)-\($0.interval.end) \($0.text)" })
    Issue.record("\(report)")
  }

  @Test(
    "Threads that look for an instance all the way up a long chain of containers create it once, where it belongs",
    arguments: [false, true])
  func longChain(isOfChild: Bool) {
    let rounds = ModelSeeds.rounds(40)
    let chains = (0..<rounds).map { _ -> (child: DIContainer, calls: CallCounter) in
      let calls = CallCounter()
      let make = { @Sendable (resolve: Resolver) -> Tail in
        calls.call()
        return Tail(resolve(String.self))
      }
      var container = DIContainer()
      container.register(New("far"))
      if isOfChild {
        container.register(Scoped(in: .container) { resolve in make(resolve) })
      } else {
        container.register(Shared { resolve in make(resolve) })
      }
      for _ in 0..<20 { container = DIContainer(parent: container) }
      container.register(New("near"))
      return (container, calls)
    }
    let arrived = CallCounter()
    let seen = onThreads(2) { _ in
      chains.enumerated().map { round, chain -> Seen in
        arrived.call()
        while arrived.count < 2 * (round + 1) { letOthersRun() }
        let tail = chain.child.resolve(Tail.self)
        return Seen(identity: ObjectIdentifier(tail), text: tail.text)
      }
    }
    #expect(seen[0] == seen[1])
    #expect(seen[0].allSatisfy { $0.text == (isOfChild ? "near" : "far") })
    #expect(chains.allSatisfy { $0.calls.count == 1 })
  }

  private struct Seen: Equatable {
    let identity: ObjectIdentifier
    let text: String
  }

  private final class Tail {
    let text: String
    init(_ text: String) { self.text = text }
  }
}
