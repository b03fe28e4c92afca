package import DIBenchmarking
internal import Foundation

extension CommandSpecification {
  /// Looks for wrong answers and hangs.
  ///
  /// - Parameter makeTarget: Makes the container to put under stress.
  /// - Returns: The command.
  package static func stress(
    _ makeTarget: @escaping @Sendable () -> any StressTarget = { StressContainer() }
  ) -> CommandSpecification {
    CommandSpecification(
      name: "stress", abstract: "Race threads on the container and check what must always hold.",
      options: [
        Option(name: "duration", value: "seconds", help: "How long the threads race. (default: 10)"),
        Option(name: "threads", value: "count", help: "How many threads race. (default: 8)"),
        Option(name: "seed", value: "number", help: "Decides what each thread does. (default: another one each time)"),
        Option(name: "patience", value: "seconds", help: "How long a hang lasts without progress. (default: 10)"),
      ], handlesInterrupts: true
    ) { (arguments, context) throws(CommandFailure) in
      let seconds = { (text: String) in Double(text).flatMap { $0 > 0 && $0 <= 1e6 ? $0 : nil } }
      let duration = try arguments.value(of: "duration", as: "seconds, more than 0", seconds) ?? 10
      let patience = try arguments.value(of: "patience", as: "seconds, more than 0", seconds) ?? 10
      let threads = try arguments.count("threads", in: 1...256) ?? 8
      let first =
        try arguments.value(of: "seed", as: "a whole number") { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000_000)
      let run = StressRun(threads: threads, patience: patience, makeTarget: makeTarget)
      let terminal = context.terminal
      terminal.print("Racing \(threads) threads for \(duration.short) s, seed \(first).")
      let start = Date()
      var seed = first
      var tries = StressRun.noTries
      defer { terminal.clearProgress() }
      repeat {
        let passed = Date().timeIntervalSince(start)
        terminal.showProgress("round \(seed &- first &+ 1), \(Int(duration - passed)) s left")
        do throws(Violation) {
          for (index, count) in try run.round(seed: seed).enumerated() { tries[index] += count }
        } catch {
          throw CommandFailure(
            .invariantViolated,
            """
            Invariant violated: \(error.message)
            Seed \(seed), \(threads) threads, in round \(seed &- first + 1) after \(passed.fixed(1)) s. To try again: \
            \(context.name) stress --seed \(seed) --threads \(threads)
            """)
        }
        seed &+= 1
      } while Date().timeIntervalSince(start) < duration && !context.interrupt.isRequested
      for (check, count) in zip(StressRun.checks, tries) {
        let number = "\(count)"
        terminal.print(String(repeating: " ", count: max(0, 10 - number.count)) + "\(number)  \(check.invariant)")
      }
      terminal.print("\(seed &- first) rounds, \(tries.reduce(0, +)) steps: nothing is wrong")
      if context.interrupt.isRequested { throw CommandFailure(.interrupted, "Interrupted") }
    }
  }
}
