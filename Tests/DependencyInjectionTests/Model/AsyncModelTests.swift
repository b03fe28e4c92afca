internal import DependencyInjection
internal import Testing

/// Tasks that resolve, change and cancel at random.
///
/// The seed decides what they do; the order is up to the system.
///
/// It checks what holds in every order:
///
/// 1. Exactly once: two who ask for an instance that is kept get the same, if the same container keeps it for both: the one
///    that registers it, or for each container that asks, that one. Only a reset of that container, the end of the scope
///    or another registration for the key drops it, and then it is not handed out again. What becomes of its parts, the
///    same registration again, and changes of other containers are nothing to it.
/// 2. The factory of a kept instance runs for the container that keeps it, and any other for the container that asks. Each
///    part, at any depth, is what that container gets: no parent has anything of a child.
/// 3. A container that always overrode a key gets nothing that an ancestor has instead, nor do instances that were
///    created for it.
/// 4. What answers was the nearest registration at some moment of the call; and what is missing was missing then.
/// 5. A factory whose instance is kept does not run twice at the same time for one container, unless somebody was
///    canceled, or its registration changed.
/// 6. Nobody gets an instance of a `New` that somebody else has.
/// 7. One graph has one instance of a `PerGraph`, and two graphs have different ones.
/// 8. Every resolution ends. It throws a `CancellationError` only in a task that is canceled, a cycle only where
///    registrations lead back to themselves, the failure of a factory only if that was asked for and ran for the same
///    container or an ancestor, and never that what it was asked for has to be created asynchronously.
/// 9. What nobody waits for anymore is canceled.
/// 10. When the containers are gone, so are all instances.
///
/// It does not check what depends on the order: who joins a creation from before a change gets its instance.
@Suite(.timeLimit(.minutes(20)))
struct AsyncModelTests {
  @Test("Whatever the order, everybody gets an answer that is right")
  func rounds() async throws {
    let rounds = AsyncRounds(count: 30)
    var number = 0
    while rounds.include(number) {
      let seed = rounds.seed(of: number)
      let round = AsyncRound(seed: seed)
      let fault = try await watched {
        AsyncRounds.report("\n" + round.progress, seed: seed, after: round.log)
      } _: {
        await round.run()
      }
      if let fault {
        Issue.record("\(AsyncRounds.report(fault.text, seed: seed, after: fault.log))")
        return
      }
      if round.hangs { return }
      number += 1
    }
  }
}

/// Which rounds the test runs.
///
/// `DI_ASYNC_SEED=17`, or a range like `DI_ASYNC_SEED=1-100`, replaces the seeds, and `DI_ASYNC_ROUNDS=5000` the number
/// of rounds: each seed again and again, because the order is another one each time. `DI_ASYNC_MINUTES=10` runs as many
/// rounds as that takes.
private struct AsyncRounds {
  private let seeds: ClosedRange<UInt64>
  private let count: Int
  private let end: ContinuousClock.Instant?

  init(count: Int) {
    func value(of variable: String) -> Double? {
      guard let text = ModelSeeds.value(of: variable) else { return nil }
      guard let value = Double(text), value > 0 else { fatalError("\(variable) is '\(text)', expected a number.") }
      return value
    }
    let minutes = value(of: "DI_ASYNC_MINUTES")
    end = minutes.map { .now + .seconds($0 * 60) }
    self.count = value(of: "DI_ASYNC_ROUNDS").map { Int($0) } ?? (minutes == nil ? count : .max)
    guard let text = ModelSeeds.value(of: "DI_ASYNC_SEED") else {
      seeds = 1...(.max / 2)
      return
    }
    let bounds = text.split(separator: "-").compactMap { UInt64($0) }
    guard let first = bounds.first, let last = bounds.last, first <= last else {
      fatalError("DI_ASYNC_SEED is '\(text)', expected a number, or a range like 1-100.")
    }
    seeds = first...last
  }

  func include(_ number: Int) -> Bool { number < count && end.map { .now < $0 } ?? true }

  func seed(of number: Int) -> UInt64 {
    seeds.lowerBound + UInt64(number) % (seeds.upperBound - seeds.lowerBound + 1)
  }

  /// What a failure says: the fault, how to look for it again, and what has happened.
  static func report(_ fault: String, seed: UInt64, after log: [String]) -> String {
    """
    seed \(seed): \(fault)
    Again: DI_ASYNC_SEED=\(seed) DI_ASYNC_ROUNDS=1000 swift test --filter AsyncModelTests
    What has happened, with the moment at which it began:
      \(log.suffix(60).joined(separator: "\n  "))
    """
  }
}
