internal import DependencyInjection
internal import Foundation
internal import Synchronization
internal import Testing

@testable import DIBenchmarking
@testable import di_bench

struct LoopCheckTests {
  /// A loop over something with a fault, and the violation that it finds.
  struct Case: Sendable {
    let message: String

    /// Makes the loop, with the fault or without.
    let workload: @Sendable (_ isFaulty: Bool) -> Workload
  }

  private static let item = ItemImpl()
  private static let direct = HandWrittenPaths()
  private static let parts = (
    services: [ServiceImpl(launchArguments: 0), ServiceImpl(launchArguments: 1)], bound: BoundServices.make(),
    store: StoreImpl()
  )

  /// A slip in the tenth call, or none.
  private static func slip(_ isFaulty: Bool) -> Slip { Slip(at: isFaulty ? 10 : 0) }

  static let cases = [
    Case(message: "1 of 10 operations returned another instance or value of what is shared") { isFaulty in
      let slip = slip(isFaulty)
      return .same { slip.value(1, 2) }
    },
    // The nine before it are right; the tenth creates nothing.
    Case(message: "1 of 10 operations returned an instance that is not the newest") { isFaulty in
      let (slip, item) = (slip(isFaulty), item)
      return .newest { slip.value(ItemImpl(), item) }
    },
    Case(message: "11 instances were created, expected 10") { isFaulty in
      let slip = slip(isFaulty)
      return .newest {
        let item = ItemImpl()
        if slip.value(false, true) { InstanceCount.add() }
        return item
      }
    },
    Case(message: "1 of 10 operations returned an old instance or one with other arguments") { isFaulty in
      let slip = slip(isFaulty)
      return .labelled { LabelledImpl(id: slip.value($0, $0 + 1), name: $1) }
    },
    Case(message: "1 of 10 operations returned an old instance or one with other arguments") { isFaulty in
      let slip = slip(isFaulty)
      return .labelled { LabelledImpl(id: $0, name: slip.value($1, "")) }
    },
    Case(message: "1 of 10 operations returned an old instance or one with other parts") { isFaulty in
      let slip = slip(isFaulty)
      return .viewModels { ViewModelImpl(slip.value(parts.services[0], parts.services[1]), parts.bound, parts.store) }
    },
    Case(message: "1 of 10 operations returned a chain that is not 10 deep, or an old part of one") { isFaulty in
      let slip = slip(isFaulty)
      let last = Locked(direct.chain())
      return .chains {
        last.withLock { last in
          last = slip.value(direct.chain(), Chain.Last(last.next))
          return last
        }
      }
    },
    Case(message: "1 of 10 operations returned an instance other than this thread's") { isFaulty in
      let slip = slip(isFaulty)
      return .perThread(
        { slip.value(direct.threadServiceA() as any ThreadService, direct.threadServiceB()) as! any ThreadServiceA },
        { direct.threadServiceB() },
        { direct.threadServiceC() },
        { direct.threadServiceD() })
    },
    Case(message: "1 of 10 operations returned another instance of a shared class") { isFaulty in
      let slip = Slip(at: isFaulty ? 5 : 0)
      return .mixed(every: 3, { _ in }) { slip.value(parts.services[0], parts.services[1]).identity }
    },
    Case(message: "20 instances were created, expected 50") { isFaulty in
      isFaulty ? NestedShape.diamond.workload(in: Forgetful()) : NestedShape.diamond.workload(in: LockedDictionary())
    },
  ]

  @Test("One wrong result among ten is found, whatever is wrong with it, and the same without a fault passes")
  func faults() throws {
    for testCase in Self.cases {
      let (faulty, right) = (testCase.workload(true), testCase.workload(false))
      #expect(throws: Violation(message: testCase.message)) { try faulty.run(10, 0) }
      try right.run(20, 0)
      try right.finish()
    }
  }

  @Test("What threads lose, or share although each should have its own, is found")
  func threads() throws {
    // An override that is lost is found by the thread that made it, in each turn or at the end.
    do {
      let cases: [(Bool, Int)] = [(true, 11), (false, 1)]
      for (checksEach, wrong) in cases {
        let workload = Workload.same { 1 }.withBackground(by: { _ in }, checkingEach: checksEach) { 0 }
        let background = try #require(workload.background)
        var turns = 0
        #expect(throws: Violation.wrong(wrong, of: 10, "returned what had been overridden")) {
          try background {
            turns += 1
            return turns < 10
          }
        }
        #expect(turns == 10)
      }
    }
    // Instances that threads should have for themselves, and two for one first resolution, are found.
    do {
      do {
        let service = ThreadServiceImpl()
        #expect(throws: Violation(message: "different types have the same instance")) {
          try Workload.perThread({ service }, { service }, { service }, { service }).finish()
        }
      }
      let right = Benchmark.firstResolves(targets: 5, Benchmark.locked)
      for thread in 0..<2 { try right.run(5, thread) }
      let faulty = Benchmark.firstResolves(targets: 5) {
        // Creates another instance every time; kept, so that the next one has another address.
        let created = Locked<[ServiceImpl]>([])
        return {
          let service = ServiceImpl(launchArguments: 0)
          created.withLock { $0.append(service) }
          return service.identity
        }
      }
      try faulty.run(5, 0)
      let violation = Violation(message: "5 of 5 operations returned different instances to two threads")
      #expect(throws: violation) { try faulty.run(5, 1) }
    }
  }

  @Test("Memory that is not given back is found", .exitTest)
  func leak() async {
    // In a process of its own, because the memory that other tests release counts as well.
    await #expect(processExitsWith: .success) {
      let leaked = Locked<[[UInt8]]>([])
      let last = Locked(0)
      let workload = Benchmark.overridingWithoutGrowth(
        { number in
          last.withLock { $0 = number }
          leaked.withLock { $0.append([UInt8](repeating: 1, count: 8192)) }
        }, { last.withLock { $0 } }, { Self.parts.services[0].identity }, times: 1000)
      precondition(workload.onlyOperations == 1000)
      var message = ""
      do throws(Violation) { try workload.run(1000, 0) } catch { message = error.message }
      precondition(message.hasPrefix("the memory of the process grew by "), message)
      precondition((workload.growth() ?? 0) >= 4 << 20)
    }
  }

  private var parts: (services: [ServiceImpl], bound: any BoundService, store: StoreImpl) { Self.parts }

  @Test("A wrong answer while memory is measured, and a registration that is lost, are found")
  func wrong() throws {
    // A wrong answer is found while memory is measured.
    do {
      let workload = Benchmark.overridingWithoutGrowth({ _ in }, { 0 }, { parts.services[0].identity }, times: 10)
      // The first revision is 0.
      let violation = Violation(
        message: "45 of 100 operations returned what had been overridden, or another instance")
      #expect(throws: violation) { try workload.run(10, 0) }
    }
    // A registration that is lost, cannot be created, or adds a type where it should replace one is found.
    do {
      let workload = Benchmark.filling { Losing(PlainDictionary(), losesAtOnce: true) }
      try workload.run(1000, 0)
      #expect(throws: Violation(message: "999 types are registered, expected 1000")) { try workload.finish() }
      do {
        let workload = Benchmark.filling { Losing(PlainDictionary(), losesAtOnce: false) }
        try workload.run(1000, 0)
        #expect(throws: Violation(message: "\(Keys.all[50]) was registered but cannot be created")) {
          try workload.finish()
        }
      }
      try Benchmark.starting(PlainDictionary.init).run(1, 0)
      #expect(throws: Violation(message: "\(Keys.all[50]) was registered but cannot be created")) {
        try Benchmark.starting { Losing(PlainDictionary(), losesAtOnce: false) }.run(1, 0)
      }
      let right = Benchmark.together(LockedDictionary.init, targets: 2, types: 10)
      for thread in 0..<2 { try right.run(20, thread) }
      try right.finish()
      let faulty = Benchmark.together(LockedDictionary.init, targets: 2, types: 10)
      for thread in 0..<2 { try faulty.run(20 - 10 * thread, thread) }
      #expect(throws: Violation(message: "10 types are registered, expected 20")) { try faulty.finish() }
      try Benchmark.again(LockedDictionary()).run(3, 0)
      let filled = LockedDictionary()
      filled.register(Keys.all[1])
      #expect(throws: Violation.self) { try Benchmark.again(filled).run(3, 0) }
    }
  }
}

// MARK: - Faults

/// A target that creates what is requested, but nothing that it needs.
private struct Forgetful: NestedTarget {
  func register<Value: Keyed>(_: Value.Type, after _: @escaping @Sendable (any NestedMaker) -> Void) {}

  func make<Value: Keyed>(_: Value.Type) {
    InstanceCount.add()
    InstanceCount.add()
  }
}

/// A target that does not register one of the types, or cannot create it.
private struct Losing: Registrar {
  private let base: PlainDictionary
  private let losesAtOnce: Bool

  init() { self.init(PlainDictionary(), losesAtOnce: true) }

  init(_ base: PlainDictionary, losesAtOnce: Bool) {
    self.base = base
    self.losesAtOnce = losesAtOnce
  }

  var count: Int { base.count }

  func register<Value: Keyed>(_ type: Value.Type) {
    if type != Keys.all[50] || !losesAtOnce { base.register(type) }
  }

  func create<Value: Keyed>(_ type: Value.Type) -> Value? { type == Keys.all[50] ? nil : base.create(type) }
}
