internal import Foundation
internal import DependencyInjection
internal import Synchronization
internal import Testing

@testable import di_bench

@Suite("Designs", .serialized)
struct DesignsTests {
  /// A design, and what can be done with it, whatever its type.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let replaceAlone: @Sendable () -> [Int]
    let stress: @Sendable (_ seed: UInt64) -> StressResult

    init<Body: Slot & ~Copyable>(_: Body.Type) {
      testDescription = Body.name
      replaceAlone = { DesignStress<Body>.replaceAlone() }
      stress = { DesignStress<Body>.run(seed: $0) }
    }
  }

  /// Those that free what was replaced.
  static let cases =
    [
      Case(LockWordSlot.self), Case(MutexSlot.self), Case(SplitCountSlot.self), Case(EpochSlot.self),
      Case(HazardSlot.self), Case(PrepaidSlot.self), Case(ShardedSlot.self),
    ] + (ProcessBarrier.isAvailable ? [Case(BarrierSlot.self)] : [])

  @Test("A replaced instance that nobody has is gone when the replacement returns", arguments: cases)
  func replaceAlone(_ design: Case) {
    #expect(design.replaceAlone() == [1, 1, 2, 1, 0])
  }

  @Test(
    "Eight threads that take and replace never see a dead instance, and leave none behind", arguments: cases,
    [1, 2, 3] as [UInt64])
  func stress(_ design: Case, seed: UInt64) {
    let result = design.stress(seed)
    #expect(result.dead == 0, "seed \(seed)")
    #expect(result.alive == 0, "seed \(seed)")
    #expect(result.replaced > 1_000, "seed \(seed)")
  }

  @Test("The design that frees nothing leaks, and that is all that is wrong with it")
  func leaks() {
    let result = DesignStress<LeakingSlot>.run(seed: 1)
    #expect(result.dead == 0)
    #expect(result.alive == result.replaced + DesignStress<LeakingSlot>.slotCount)
  }

  @Test("A value is never torn, and boxes are freed", arguments: [1, 2, 3] as [UInt64])
  func values(seed: UInt64) {
    #expect(ValueStress<SequenceSlot>.run(seed: seed).torn == 0)
    let (torn, slots) = ValueStress<BoxedValueSlot>.run(seed: seed)
    #expect(torn == 0)
    #expect(slots.allSatisfy { unsafe $0.pointer.pointee.boxCount == 1 })
  }

  @Test("Every cell of the scenarios gives right answers and frees what it replaced", arguments: Scenario.designs)
  func scenarios(_ scenario: Scenario) throws {
    for implementation in scenario.implementations {
      let workload = implementation.makeWorkload()
      for threads in try #require(scenario.threads) {
        let sample = try Sampler.measure(workload, threads: threads, operations: 2_000)
        #expect(sample.operations == threads * 2_000)
      }
      try workload.finish()
    }
  }

  @Test("A design that hands out a dead instance, or keeps one, is found out")
  func faults() {
    struct Faulty: Design {
      struct Dead: Poisoned {
        var isIntact: Bool { false }
      }
      let count = LiveCount()
      var registrations: Int? { nil }
      func probe() -> any Poisoned { Dead() }
      func replaceThis() {}
      func replaceOther() {}
    }
    let workload = Workload(DesignLoop(Faulty()))
    #expect(throws: Violation(message: "10 of 10 operations returned a dead instance")) { try workload.run(10, 0) }
    #expect(throws: Violation(message: "0 instances are alive, expected 2")) { try workload.finish() }
  }
}

@Suite("Designs in a run")
struct DesignsRunTests {
  @Test("They are measured only when they are asked for, on the threads that make sense")
  func notByDefault() throws {
    func plan(_ values: [String: String]) throws -> Plan {
      var context = CommandContext()
      context.isDebug = false
      return try PlanOptions.plan(ParsedArguments(values: values), context)
    }
    #expect(try plan([:]).scenarios.map(\.name) == Scenario.all.map(\.name))
    let designs = try plan(["filter": "design/"])
    #expect(designs.scenarios.map(\.name) == Scenario.designs.map(\.name))
    #expect(Set(designs.cells().joined().map(\.threads)) == [1, 2])
    let candidate = try #require(designs.cells().joined().first { $0.scenario.name == "design/mutex/writer-here" })
    #expect(candidate.threads == 1)
    #expect(throws: CommandFailure.self) { try plan(["filter": "design/mutex/writer-here", "threads": "4"]) }
  }
}
