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

  static let cases = [
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

  @Test("The same provider without a fault passes", arguments: [shared, new, arguments, chain])
  func noFault(_ make: @Sendable (FaultyProvider) -> Workload) throws {
    let workload = make(FaultyProvider(.none))
    try workload.run(20, 0)
    try workload.finish()
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
