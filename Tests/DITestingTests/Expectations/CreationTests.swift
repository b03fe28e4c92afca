import DITesting
import DependencyInjection
import Testing

private protocol Database: AnyObject, Sendable {}
private final class DatabaseImpl: Database, Sendable {}
private final class Store: Sendable {
  let database: any Database
  init(database: any Database) { self.database = database }
}
private final class Start: Sendable {
  let stores: [Store]
  init(stores: [Store]) { self.stores = stores }
}

extension DIContainer {
  fileprivate static let clock = Dependency<Int>(.shared) { 1 }
}

@Suite(
  "Creations", .expectingIssues,
  .isolatedContainer(.empty) {
    Shared(DatabaseImpl(), as: (any Database).self)
    Shared(DatabaseImpl() as any Database, named: .spare)
    New { resolve in Store(database: resolve()) }
    Shared { resolve in Start(stores: [resolve(), resolve()]) }
  })
struct CreationTests {
  @Test("are counted for each type of what was created, in closures and without")
  func created() async {
    expectNotCreated((any Database).self)
    expectNotCreated(DIContainer.clock)
    #expect(expectNotCreated((any Database).self) { 1 } == 1)
    await expectNotCreated((any Database).self) { await Task.yield() }
    expectCreated((any Database).self, times: 1) { _ = DIContainer.resolve(Start.self) }
    await expectCreated((any Database).self, times: 0) {
      await Task.yield()
      _ = DIContainer.resolve(Start.self)
    }
    expectCreated((any Database).self, times: 1)
    expectCreated(DatabaseImpl.self, times: 1)
    expectCreated((any Database).self, named: nil, times: 1)
    expectCreated((any Database).self, named: .spare, times: 0)
    expectCreated(Store.self, times: 2)
    expectCreated(DIContainer.clock, times: 1) { _ = (DIContainer.clock(), DIContainer.clock()) }
    await expectCreated(DIContainer.clock, times: ...0) { await Task.yield() }
    expectCreated(DIContainer.clock)
    expectNotCreated(DIContainer.clock) { _ = DIContainer.clock() }
    await expectNotCreated(DIContainer.clock) { await Task.yield() }
    let start = expectCreated(Start.self, times: 0) { DIContainer.resolve(Start.self) }
    #expect(start.stores.count == 2)
  }

  @Test("that differ from the expected ones are a failure, with the paths of the actual ones, or of existing instances")
  func fails() {
    do {
      let line = #line + 1
      _ = DIContainer.resolve(Store.self)
      expectFailure(
        """
        Expected 'Store' to be created 2 times, but it was created once.
          Store (DITestingTests/CreationTests.swift:\(line))
        """
      ) { expectCreated(Store.self, times: 2) }
      expectFailure("Expected 'Start' to be created at least once, but it was not.") { expectCreated(Start.self) }
      expectFailure(
        """
        Expected 'Store' not to be created, but it was created once.
          Store (DITestingTests/CreationTests.swift:\(line))
        """
      ) { expectNotCreated(Store.self) }
    }
    do {
      _ = DIContainer.resolve(Start.self)
      let line = #line - 1
      expectFailure(
        """
        Expected 'Start' to be created once, but it was not.
          note       it existed already, created at Start (DITestingTests/CreationTests.swift:\(line))
        """
      ) { expectCreated(Start.self, times: 1) { _ = DIContainer.resolve(Start.self) } }
      expectFailure("Expected 'Start' to be created once, but it was not.") {
        expectCreated(Start.self, times: 1) { _ = DIContainer.resolveAll((any Database).self) }
      }
      // What was created elsewhere was not resolved, and an instance that exists was not resolved by this type.
      expectFailure("Expected 'Store' to be created 3 times, but it was not.") {
        expectCreated(Store.self, times: 3) {}
      }
      expectFailure("Expected 'DatabaseImpl' to be resolved once, but it was not.") {
        expectResolved(DatabaseImpl.self, times: 1) { _ = DIContainer.resolve((any Database).self) }
      }
    }
  }

  @Test("resolutions and depth are the cost of a closure, in total and by type")
  func cost() async {
    let cost = DIContainer.cost { _ = DIContainer.resolve(Start.self) }
    let numbers = { (cost: ResolutionCost) in [cost.creations, cost.resolutions, cost.depth] }
    let parts = [cost, cost[Store.self], cost[(any Database).self], cost[Int.self]]
    #expect(cost[Store?.self] == cost[Store.self])
    let declared = Dependency<Store?> { nil }
    let both = DIContainer.cost {
      _ = declared()
      _ = DIContainer.resolve(Start?.self)
      _ = DIContainer.resolve(Store?.self)
    }
    let ofOptionals = [both[Store?.self], both[Store??.self], both[Store.self]]
    #expect(ofOptionals.map(numbers) == [[2, 2, 1], [1, 1, 1], [1, 1, 1]])
    #expect(parts.map(numbers) == [[4, 5, 3], [2, 2, 2], [1, 2, 3], [0, 0, 0]])
    #expect(
      "\(cost)" == """
        4 creations, 5 resolutions, depth 3
          Store: 2 creations, 2 resolutions, depth 2
          Database: 1 creation, 2 resolutions, depth 3
          Start: 1 creation, 1 resolution, depth 1
        """)
    let within = [
      cost.isWithin(creations: 4, resolutions: 5, depth: 3), cost.isWithin(resolutions: 5),
      cost.isWithin(creations: 3), cost.isWithin(resolutions: 4), cost.isWithin(creations: 4, depth: 2),
    ]
    #expect(within == [true, true, false, false, false])
    let failures = issues { #expect(cost.isWithin(creations: 3)) }.map { "\($0)" }
    #expect(failures.first?.contains("Store: 2 creations, 2 resolutions, depth 2") == true)
    let again = await DIContainer.cost {
      await Task.yield()
      _ = DIContainer.resolve(Start.self)
    }
    #expect((numbers(again), DIContainer.cost {}) == ([0, 1, 1], DIContainer.cost {}))
    withIsolatedContainer {
      let repeated = DIContainer.cost {
        for _ in 0..<5 { _ = DIContainer.resolve(Start.self) }
        _ = DIContainer.resolve(Store.self)
        _ = DIContainer.resolve((any Database).self)
      }
      #expect(
        "\(repeated)" == """
          5 creations, 12 resolutions, depth 3
            Store: 3 creations, 3 resolutions, depth 2
            Start: 1 creation, 5 resolutions, depth 1
            Database: 1 creation, 4 resolutions, depth 3
          """)
      let equal = DIContainer.cost {
        _ = DIContainer.resolve(Start.self)
        _ = DIContainer.resolve((any Database).self)
        _ = DIContainer.resolve(DatabaseImpl.self)
      }
      #expect(
        "\(equal)" == """
          0 creations, 3 resolutions, depth 1
            Database: 0 creations, 1 resolution, depth 1
            DatabaseImpl: 0 creations, 1 resolution, depth 1
            Start: 0 creations, 1 resolution, depth 1
          """)
      enum Nested { struct Store: Sendable {} }
      DIContainer.register(New(Nested.Store()))
      #expect(
        "\(DIContainer.cost { _ = DIContainer.resolve(Nested.Store.self) })" == """
          1 creation, 1 resolution, depth 1
            CreationTests.Nested.Store: 1 creation, 1 resolution, depth 1
          """)
    }
  }
}
