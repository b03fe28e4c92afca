internal import DependencyInjection
internal import Testing

@Suite(.timeLimit(.minutes(20)))
struct ModelTests {
  // Few under the thread sanitizer, which has nothing to find on one thread.
  @Test(
    "Containers do what a simple model does, step by step", .serialized,
    arguments: ModelSeeds.seeds(isSanitized ? 6 : 12))
  func sequence(seed: UInt64) {
    let steps = ModelSeeds.steps(250)
    let sequence = ModelSequence(seed: seed, in: ModelWorld())
    var fault = sequence.run(steps: steps)
    if fault == nil {
      sequence.finish()
      fault = sequence.compareLife()
    }
    guard let fault else { return }
    let report = ModelSeeds.report(fault, seed: seed, steps: steps, of: "ModelTests", after: sequence.operations)
    Issue.record("\(report)")
  }

  @Test(
    "Threads that share a container see what each would see alone, as long as they use types of their own", .serialized,
    arguments: ModelSeeds.seeds(2))
  func apart(seed: UInt64) {
    let steps = ModelSeeds.steps(150)
    let root = DIContainer()
    // A session of its own, too.
    let worlds = modelCasts.indices.map { ModelWorld(session: Scope("session \($0)")) }
    let results = onThreads(modelCasts.count) { index -> Transfer<(fault: String?, sequence: ModelSequence)> in
      let sequence = ModelSequence(
        seed: seed &* 31 &+ UInt64(index), in: worlds[index], cast: modelCasts[index], on: root, sharedWithOthers: true)
      let fault = sequence.run(steps: steps)
      sequence.finish()
      return Transfer((fault, sequence))
    }
    for (index, result) in results.map(\.value).enumerated() {
      guard let fault = result.fault ?? result.sequence.compareLife(exactly: true) else { continue }
      let report = ModelSeeds.report(
        "thread \(index): \(fault)", seed: seed, steps: steps, of: "ModelTests", after: result.sequence.operations)
      Issue.record("\(report)")
    }
  }
}
