internal import Testing

@testable internal import DependencyInjection

@Suite("Claims of creations")
struct AsyncClaimTests {
  @Test("A creation that is abandoned before it begins does not take the place of the next one")
  func lateBeginning() async throws {
    let parent = DIContainer()
    parent.register(Shared { _ async in RouterImpl() })
    let child = DIContainer(parent: parent)
    let definition = try #require(
      parent.state.withLock { $0.registry.records[Key(RouterImpl.self, named: nil)]?.definition })
    let (abandoned, next) = (TaskCreation(of: definition, for: child), TaskCreation(of: definition, for: child))
    #expect(child.claimCreation(abandoned, of: definition, from: parent) === abandoned)
    await Task {
      cancelCurrentTask()
      _ = try? await abandoned.value(isStarter: true)
    }.value
    #expect(child.claimCreation(next, of: definition, from: parent) === next)
    #expect(child.begin(next, definition, from: parent))
    #expect(!child.begin(abandoned, definition, from: parent))
    child.forget(abandoned, definition, from: parent)
    let inherited = child.state.withLock { $0.inheritedCreations[ObjectIdentifier(definition)]?.creation }
    #expect(inherited === next)
    child.forget(next, definition, from: parent)
  }
}
