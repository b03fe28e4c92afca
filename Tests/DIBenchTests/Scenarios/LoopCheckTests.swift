internal import Testing

@testable import di_bench

@Suite("What the loops check")
struct LoopCheckTests {
  /// A loop over a provider with a fault, and what it finds wrong.
  struct Case: Sendable, CustomTestStringConvertible {
    let fault: FaultyProvider.Fault
    let message: String
    let workload: @Sendable (FaultyProvider) -> Workload

    var testDescription: String { "\(fault)" }
  }

  private static let shared: @Sendable (FaultyProvider) -> Workload = { Workload(SharedLoop($0)) }
  private static let new: @Sendable (FaultyProvider) -> Workload = { Workload(NewLoop($0)) }
  private static let arguments: @Sendable (FaultyProvider) -> Workload = { Workload(ArgumentsLoop($0)) }
  private static let chain: @Sendable (FaultyProvider) -> Workload = { Workload(ChainLoop($0)) }

  private static let bound: @Sendable (FaultyProvider) -> Workload = { Workload(BoundLoop($0)) }
  private static let structure: @Sendable (FaultyProvider) -> Workload = { Workload(StructLoop($0)) }
  private static let references: @Sendable (FaultyProvider) -> Workload = { Workload(StructReferencesLoop($0)) }
  private static let lanes: @Sendable (FaultyProvider) -> Workload = { Workload(LaneLoop($0)) }
  private static let viewModel: @Sendable (FaultyProvider) -> Workload = { Workload(ViewModelLoop($0)) }
  private static let oneWriter: @Sendable (FaultyProvider) -> Workload = { Workload(OneWriterLoop($0, .creating)) }

  static let cases = [
    Case(
      fault: .recreatesBound, message: "1 of 10 operations returned another instance of a shared class",
      workload: bound),
    Case(
      fault: .changesSettings, message: "1 of 10 operations returned another value of a shared struct",
      workload: structure),
    Case(
      fault: .changesSession, message: "1 of 10 operations returned another value of a shared struct",
      workload: references),
    Case(
      fault: .mixesLanes, message: "1 of 10 operations returned another instance than this thread's", workload: lanes),
    Case(
      fault: .reusesViewModel, message: "6 of 10 operations returned an old instance or one with other parts",
      workload: viewModel),
    Case(
      fault: .changesStore, message: "1 of 10 operations returned an old instance or one with other parts",
      workload: viewModel),
    Case(
      fault: .recreatesShared, message: "1 of 10 operations returned another instance of a shared class",
      workload: oneWriter),
    Case(
      fault: .recreatesShared, message: "1 of 10 operations returned another instance of a shared class",
      workload: shared),
    // The nine before it are right; the tenth creates nothing.
    Case(fault: .reusesNew, message: "1 of 10 operations returned an instance that is not the newest", workload: new),
    Case(fault: .createsOneMore, message: "11 instances were created, expected 10", workload: new),
    Case(
      fault: .changesID, message: "1 of 10 operations returned an old instance or one with other arguments",
      workload: arguments),
    Case(
      fault: .changesName, message: "1 of 10 operations returned an old instance or one with other arguments",
      workload: arguments),
    Case(fault: .reusesLinks, message: "91 instances were created, expected 100", workload: chain),
  ]

  @Test("One wrong result among ten is found, whatever is wrong with it", arguments: cases)
  func faults(_ testCase: Case) {
    let workload = testCase.workload(FaultyProvider(testCase.fault))
    #expect(throws: Violation(message: testCase.message)) { try workload.run(10, 0) }
  }

  @Test(
    "The same provider without a fault passes",
    arguments: [
      shared, new, arguments, chain, bound, structure, references, lanes, viewModel, oneWriter,
    ])
  func noFault(_ make: @Sendable (FaultyProvider) -> Workload) throws {
    let workload = make(FaultyProvider(.none))
    try workload.run(20, 0)
    try workload.finish()
  }

  @Test(
    "An override that is lost is found by the thread that made it",
    arguments: [(.creating, 10), (.overriding, 1), (.absent, nil)]
      as [(Writer, Int?)])
  func lostOverride(_ writer: Writer, _ wrong: Int?) {
    let workload = Workload(OneWriterLoop(FaultyProvider(.keepsOverridden), writer))
    var turns = 0
    var found: Violation?
    do {
      try workload.accompany? {
        turns += 1
        return turns < 10
      }
    } catch {
      found = error
    }
    #expect(found == wrong.map { Violation.wrong($0, of: 10, "returned what had been overridden") })
    #expect(turns == (writer == .absent ? 0 : 10))
  }

  @Test("Instances that threads should have for themselves are found if they share one")
  func sharedLanes() {
    #expect(throws: Violation(message: "different types have the same instance")) {
      try Workload(LaneLoop(FaultyProvider(.sharesLanes))).finish()
    }
  }

  @Test("Memory that is not given back is found")
  func leak() {
    let workload = Workload(MemoryLoop(FaultyProvider(.leaks), overrides: 1000))
    #expect(workload.onlyOperations == 1000)
    #expect {
      try workload.run(1000, 0)
    } throws: { error in
      (error as? Violation)?.message.hasPrefix("the memory of the process grew by ") == true
    }
    #expect((workload.growth() ?? 0) >= 4 << 20)
  }

  @Test("A wrong answer is found while memory is measured")
  func wrongWhileMeasuringMemory() {
    #expect(throws: Violation(message: "1 of 100 operations returned what had been overridden, or another instance")) {
      try Workload(MemoryLoop(FaultyProvider(.recreatesShared), overrides: 10)).run(10, 0)
    }
  }

  @Test("A registration that is lost is found by its count")
  func lostRegistration() {
    let workload = Workload(RegisterLoop<ForgetfulRegistrar>())
    #expect(throws: Violation(message: "999 types are registered, expected 1000")) { try workload.run(1000, 0) }
  }

  @Test("A type that is registered but cannot be created is found at the end")
  func unableRegistrar() throws {
    let workload = Workload(RegisterLoop<UnableRegistrar>())
    try workload.run(1000, 0)
    #expect(throws: Violation(message: "\(Keys.all[500]) was registered but cannot be created")) {
      try workload.finish()
    }
  }
}
