import DITesting
import DependencyInjection
import Testing

private struct Item: Equatable {
  var number = 0
}

private final class Page {
  let item: Item
  init(item: Item) { self.item = item }
}

extension DIContainer {
  fileprivate static let item = Dependency<Item, Int> { _, number in Item(number: number) }
}

@Suite(
  "An override by value of what takes arguments", .expectingIssues,
  .isolatedContainer(.empty) {
    New({ _, number in Item(number: number) }, file: "App/App.swift", line: 1)
    New { resolve in Page(item: resolve(Item.self) { 1 }) }
  })
struct OverrideArgumentsTests {
  @Test("reports what was passed, and answers any arguments, or none, for a declared dependency, too")
  func recorded() async throws {
    // Reports what was passed, answers any arguments, or none, and is checked without any.
    try await withIsolatedContainer {
      _ = DIContainer.resolve(Item.self) { 0 }
      DIContainer.override(Item.self, with: Item())
      _ = DIContainer.resolve(Item.self) { 42 }
      _ = DIContainer.resolve(Item.self) { ("other", 7) }
      _ = DIContainer.resolve(Item.self)
      let arguments = DIContainer.resolutions(of: Item.self).map(\.arguments)
      #expect((arguments.map { $0 as? Int }, (arguments[2] as? (String, Int))?.1) == ([nil, 42, nil, nil], 7))
      #expect(arguments[0] == nil && arguments[3] == nil)
      DIContainer.override(Item.self, with: Item(number: -1))
      #expect(
        try (
          DIContainer.resolve(Item.self) { 42 }, DIContainer.resolve(Item.self) { ("other", 7) },
          DIContainer.resolve(Item.self), DIContainer.tryResolve(Item.self) { "text" }
        ) == (Item(number: -1), Item(number: -1), Item(number: -1), Item(number: -1)))
      #expect(try await DIContainer.resolveAsync(Item.self) { 42 } == Item(number: -1))
      #expect(DIContainer.resolve(Page.self).item == Item(number: -1))
      DIContainer.override(Item.self, with: Item())
      try await DIContainer.current.verify()
    }
    // Does so for a declared dependency, whose resolutions count.
    withIsolatedContainer {
      expectNotResolved(DIContainer.item)
      #expect(DIContainer.item(1) == Item(number: 1))
      DIContainer.override(DIContainer.item, with: Item(number: -1))
      #expect(DIContainer.item(42) == Item(number: -1))
      let arguments = DIContainer.resolutions(of: DIContainer.item).map { $0.arguments as? Int }
      #expect(arguments == [nil, 42])
      expectResolved(DIContainer.item, times: 2)
      expectOverridesResolved()
      let line = #line + 1
      DIContainer.override { Unexpected(DIContainer.item) { Item(number: -2) } }
      expectFailure(
        """
        'Item' was resolved, but the test declares it unexpected.
          Item (DITestingTests/OverrideArgumentsTests.swift:\(line + 8))
          declared   DITestingTests/OverrideArgumentsTests.swift:\(line)
        """
      ) {
        #expect(DIContainer.item(7) == Item(number: -2))
      }
    }
  }
}
