internal import Foundation
internal import Synchronization

extension CommandSpecification {
  /// Looks for wrong results and hangs: each thread runs one benchmark after another, in an order of its own.
  static let stress = CommandSpecification(
    name: "stress", abstract: "Race threads through all benchmarks at once, and check the results.",
    options: [
      Option(name: "duration", value: "seconds", help: "How long the threads race. (default: 10)"),
      Option(name: "threads", value: "count", help: "How many threads race. (default: 8)"),
      Option(name: "seed", value: "number", help: "Decides what each thread does. (default: 1)"),
    ], handlesInterrupts: true
  ) { (arguments, context) throws(CommandFailure) in
    let seconds = { (text: String) in Double(text).flatMap { $0 > 0 && $0 <= 1e6 ? $0 : nil } }
    let duration = try arguments.value(of: "duration", as: "seconds, more than 0", seconds) ?? 10
    let threads = try arguments.count("threads", in: 1...256) ?? 8
    let seed = try arguments.value(of: "seed", as: "a whole number") { UInt64($0) } ?? 1
    // Benchmarks that need a process of their own, or a single thread, cannot race.
    let racers = context.benchmarks.filter { $0.isConcurrent && $0.ownProcess == nil }.flatMap { benchmark in
      benchmark.implementations.map { ($0.makeWorkload(), "\(benchmark.label) \($0.name)") }
    }
    if racers.isEmpty { throw .usage("Nothing to race: no benchmark may be run by several threads at once") }
    context.terminal.print("Racing \(threads) threads for \(duration.short) s, seed \(seed).")
    let (end, watchdog) = (Date(timeIntervalSinceNow: duration), Watchdog())
    var rounds = 0
    watchdog.watch(context.terminal)
    do throws(Violation) {
      repeat {
        let race = Workload { [rounds] operations, thread throws(Violation) in
          var random = RandomGenerator(seed: seed &+ UInt64(rounds) &* 256 &+ UInt64(thread))
          for _ in 0..<operations where Date() < end && !context.interrupt.isRequested {
            let (workload, name) = racers[Int.random(in: racers.indices, using: &random)]
            let count = workload.batch * Int.random(in: 1...20, using: &random)
            try named(name) { () throws(Violation) in try workload.run(count, thread) }
            watchdog.steps.add(1, ordering: .relaxed)
          }
        }
        _ = try Sampler.measure(race, threads: threads, operations: 100)
        rounds += 1
      } while Date() < end && !context.interrupt.isRequested
      for (workload, name) in racers { try named(name, workload.finish) }
    } catch { throw CommandFailure(.invariantViolated, "Invariant violated: \(error.message)") }
    context.terminal.print("\(rounds.counted("round")): nothing is wrong")
    if context.interrupt.isRequested { throw CommandFailure(.interrupted, "Interrupted") }
  }

  /// Runs a part of a benchmark, and names the benchmark in what is wrong.
  private static func named(_ name: String, _ body: () throws(Violation) -> Void) throws(Violation) {
    do throws(Violation) { try body() } catch { throw Violation(message: "\(name): \(error.message)") }
  }

  /// Ends the process if its threads take no step for so long that they must be waiting for each other.
  private final class Watchdog: Sendable {
    let steps = Atomic(0)

    func watch(_ terminal: Terminal) {
      let before = steps.load(ordering: .relaxed)
      DispatchQueue.global().asyncAfter(deadline: .now() + 120) { [weak self] in
        guard let self else { return }
        if self.steps.load(ordering: .relaxed) > before { return self.watch(terminal) }
        terminal.printError("Error: Invariant violated: nothing has ended for 120 s: threads wait for each other")
        exit(ExitCode.invariantViolated.rawValue)
      }
    }
  }
}
