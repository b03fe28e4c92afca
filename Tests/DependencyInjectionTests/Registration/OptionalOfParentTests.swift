internal import DependencyInjection
internal import Testing

private final class Page: Sendable {}

@Suite("Optionals that a parent registers")
struct OptionalOfParentTests {
  @Test("A child resolves an optional that is registered as such, after the optional of the type itself")
  func optionals() {
    let parent = DIContainer()
    let child = DIContainer(parent: parent)
    let (page, optional) = (Page(), Page())
    parent.register(Shared(page))
    parent.register(Shared(Optional(optional)))
    #expect(child.resolve(Page?.self) === page)
    for _ in 0..<3 {
      let found = child.resolve(Page??.self)
      #expect((found ?? nil) === optional)
    }
  }
}
