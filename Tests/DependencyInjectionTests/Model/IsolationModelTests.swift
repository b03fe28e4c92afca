internal import Testing

/// Containers on three levels, their copies, and everything that factories and others can do below them, at random.
///
/// Each instance knows for which container it was created, and holds its parts: what its factory resolves, in one of many
/// ways, and what it resolves later itself, when others use it below other containers. Threads ask everywhere, while they
/// register, override and reset; the seed says what they do, and the system in which order.
///
/// It checks what holds in every order:
///
/// 1. A `Shared`, a `Weak` or one of a session is created for the container that registers it, anything else for the one
///    that is asked.
/// 2. No part, at any depth, was created for or is registered in a container below the one for which the whole was
///    created. So no container keeps anything of those below it.
/// 3. Inside of a copy, everything was created inside of it, and nothing that is outside.
/// 4. A copy has its overrides, and nothing that was registered elsewhere after it was made.
@Suite(.timeLimit(.minutes(20)))
struct IsolationModelTests {
  /// The number of rounds, if the environment sets it.
  ///
  /// `DI_ISOLATION_ROUNDS=5000` sets it. With `DI_MODEL_SEED=17`, all of them have that seed.
  private static let count: Int? = {
    guard let text = ModelSeeds.value(of: "DI_ISOLATION_ROUNDS") else { return nil }
    guard let rounds = Int(text), rounds > 0 else { fatalError("DI_ISOLATION_ROUNDS is '\(text)', expected a number.") }
    return rounds
  }()

  @Test("Nothing of a container gets into those above it, into a copy or out of one, whatever resolves it where")
  func rounds() async throws {
    let seeds = ModelSeeds.seeds(UInt64(Self.count ?? (isSanitized ? 6 : 40)))
    let steps = ModelSeeds.steps(12)
    for number in 0..<(Self.count ?? seeds.count) {
      let seed = seeds[number % seeds.count]
      let round = IsolationRound(seed: seed, steps: steps)
      let fault = try await watched {
        Self.report("a thread or a task waits forever", seed, steps, round)
      } _: {
        try await onOwnThread { round.run() }
      }
      guard let fault else { continue }
      Issue.record("\(Self.report(fault, seed, steps, round))")
      return
    }
  }

  private static func report(_ fault: String, _ seed: UInt64, _ steps: Int, _ round: IsolationRound) -> String {
    ModelSeeds.report(fault, seed: seed, steps: steps, of: "IsolationModelTests", after: round.operations)
      + "\nThe order is another one each time: `DI_ISOLATION_ROUNDS=1000` repeats the seed."
  }
}
