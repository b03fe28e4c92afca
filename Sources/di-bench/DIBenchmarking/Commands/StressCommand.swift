internal import DependencyInjection
internal import Dispatch
internal import Foundation
internal import Synchronization

extension CommandSpecification {
  /// Looks for wrong results and hangs: each thread runs one benchmark after the other, in an order of its own.
  static let stress = CommandSpecification(
    name: "stress", abstract: "Race threads through all benchmarks at once, and check the results.",
    options: [
      Option(name: "duration", value: "seconds", help: "How long. (default: 10)"),
      Option(name: "threads", value: "count", help: "How many race. (default: 8)"),
      Option(name: "seed", value: "number", help: "Decides what each thread does. (default: another one each time)"),
    ], handlesInterrupts: true
  ) { (arguments, context) throws(CommandFailure) in
    let seconds = { (text: String) in Double(text).flatMap { $0 > 0 && $0 <= 1e6 ? $0 : nil } }
    let duration = try arguments.value(of: "duration", as: "a number of seconds", seconds) ?? 10
    let threads = try arguments.count("threads", in: 1...256) ?? 8
    let seed =
      try arguments.value(of: "seed", as: "a whole number") { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000_000)
    // What needs a process of its own, or only one thread, cannot race.
    let candidates = try PlanOptions.benchmarks(arguments, of: context.benchmarks)
      .filter { $0.isConcurrent && $0.ownProcess == nil }
      .flatMap { benchmark in
        benchmark.implementations.map { Candidate(benchmark: benchmark, implementation: $0, threads: threads) }
      }
    if candidates.isEmpty { throw .usage("Nothing to race: no benchmark may be run by several threads at once") }
    context.terminal.print("Racing \(threads) threads for \(duration.short) s, seed \(seed).")
    let end = Date(timeIntervalSinceNow: duration)
    let race = StressRace(candidates: candidates)
    try race.run(threads: threads, seed: seed) { Date() < end && !context.interrupt.isRequested }
    context.terminal.print("\(race.steps.load(ordering: .relaxed)) steps: nothing is wrong")
    if context.interrupt.isRequested { throw CommandFailure(.interrupted, "Interrupted") }
  }
}

/// The state that the threads of `stress` share; it outlives a hang.
private final class StressRace: Sendable {
  let candidates: [Candidate]
  let steps = Atomic(0)
  private let failure = Locked<CommandFailure?>(nil)
  private let group = DispatchGroup()
  init(candidates: [Candidate]) { self.candidates = candidates }

  /// Runs the threads for as long as a condition holds, or until something is wrong.
  func run(threads: Int, seed: UInt64, while goesOn: @escaping @Sendable () -> Bool) throws(CommandFailure) {
    var seeds = RandomGenerator(seed: seed)
    for thread in 0..<threads {
      let seed = seeds.next()
      group.enter()
      Thread.detachNewThread {
        var random = RandomGenerator(seed: seed)
        repeat { for _ in 0..<100 { self.step(thread, &random) } } while goesOn() && self.failure.withLock { $0 == nil }
        self.group.leave()
      }
    }
    var last = -1
    while group.wait(timeout: .now() + 60) == .timedOut {
      let now = steps.load(ordering: .relaxed)
      if now == last {
        throw CommandFailure(.invariantViolated, "Invariant violated: no thread has taken a step for 60 s")
      }
      last = now
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    for candidate in candidates {
      do { try candidate.workload?.finish() } catch { throw candidate.failure(error) }
    }
  }

  /// Runs some operations of any benchmark.
  private func step(_ thread: Int, _ random: inout RandomGenerator) {
    let candidate = candidates[Int.random(in: candidates.indices, using: &random)]
    guard let workload = candidate.workload else { return }
    do { try workload.run(workload.batch * Int.random(in: 1...20, using: &random), thread) } catch {
      failure.withLock { $0 = $0 ?? candidate.failure(error) }
    }
    steps.add(1, ordering: .relaxed)
  }
}
