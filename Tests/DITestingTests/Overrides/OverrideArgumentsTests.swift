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

@Suite(
  "An override by value of what takes arguments",
  .isolatedContainer(.empty) {
    New { _, number in Item(number: number) }
    New { resolve in Page(item: resolve(Item.self) { 1 }) }
  })
struct OverrideArgumentsTests {
  @Test("answers whatever arguments there are, and none")
  func any() throws {
    DIContainer.override(Item.self, with: Item(number: -1))
    #expect(DIContainer.resolve(Item.self) { 42 } == Item(number: -1))
    #expect(DIContainer.resolve(Item.self) { ("other", 7) } == Item(number: -1))
    #expect(DIContainer.resolve(Item.self) == Item(number: -1))
    #expect(try DIContainer.tryResolve(Item.self) { "text" } == Item(number: -1))
    #expect(DIContainer.resolve(Page.self).item == Item(number: -1))
  }

  @Test("tells what was passed")
  func recorded() {
    _ = DIContainer.resolve(Item.self) { 0 }
    DIContainer.override(Item.self, with: Item())
    _ = DIContainer.resolve(Item.self) { 42 }
    _ = DIContainer.resolve(Item.self) { ("other", 7) }
    _ = DIContainer.resolve(Item.self)
    let arguments = DIContainer.resolutions(of: Item.self).map(\.arguments)
    #expect(arguments.map { $0 as? Int } == [nil, 42, nil, nil])
    #expect((arguments[2] as? (String, Int))?.1 == 7)
    #expect(arguments[0] == nil && arguments[3] == nil)
  }

  @Test("is checked without any")
  func verified() async throws {
    DIContainer.override(Item.self, with: Item())
    try await DIContainer.current.verify()
  }
}
