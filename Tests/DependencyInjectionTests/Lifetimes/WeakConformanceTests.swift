internal import DependencyInjection
internal import Testing

private protocol Titled {}

private protocol Numbered {}

private protocol Dated {}

private protocol Signed {}

private typealias Document = Dated & Numbered & Signed & Titled

@MainActor
private final class Letter: @MainActor Titled, @MainActor Numbered, @MainActor Dated, @MainActor Signed {}

struct WeakConformanceTests {
  @Test("Off its actor, a weak instance of four isolated protocols is the error that it belongs to that actor")
  func manyProtocols() async {
    let container = DIContainer()
    container.register(Weak(onMain: Letter() as any Document))
    let letter = await MainActor.run { Transfer(container.resolve((any Document).self)) }
    await Task.detached {
      #expect(failure { try container.tryResolve((any Document).self) }?.code == .wrongActor)
    }.value
    withExtendedLifetime(letter) {}
  }
}
