internal import DependencyInjection
internal import Testing

private protocol Layer: AnyObject, Sendable {
  var core: Core { get }
}

private final class Core: Layer {
  var core: Core { self }
}

private final class Inner: Layer {
  let layer: any Layer
  init(_ layer: any Layer) { self.layer = layer }
  var core: Core { layer.core }
}

private final class Outer: Layer {
  let layer: any Layer
  init(_ layer: any Layer) { self.layer = layer }
  var core: Core { layer.core }
}

struct TwoDecoratorsTests {
  @Test("A reset of what two decorators wrap replaces it and both, and a child decorates what its parent registers now")
  func reset() async throws {
    let container = DIContainer()
    container.register {
      Shared(Core(), as: (any Layer).self)
      Decorated((any Layer).self) { layer, _ in Inner(layer) as any Layer }
      Decorated((any Layer).self) { layer, _ in Outer(layer) as any Layer }
    }
    let first = container.resolve((any Layer).self)
    container.reset(Core.self)
    let second = container.resolve((any Layer).self)
    #expect(second is Outer && second !== first && second.core !== first.core)
    #expect(second.core === container.resolve(Core.self))
    // A child decorates what its parent registers now, also if that was weak before and is asynchronous now.
    do {
      let parent = DIContainer()
      let child = DIContainer(parent: parent)
      parent.register(Weak(Core() as any Layer))
      child.register(Decorated((any Layer).self) { layer, _ in Inner(layer) as any Layer })
      _ = child.resolve((any Layer).self)
      parent.register(Shared { () async -> any Layer in Core() })
      let layer = try await child.resolveAsync((any Layer).self)
      #expect(layer is Inner)
    }
    // Both wrap it.
    do {
      let parent = DIContainer()
      let child = DIContainer(parent: parent)
      child.register {
        Decorated((any Layer).self) { layer, _ in Inner(layer) as any Layer }
        Decorated((any Layer).self) { layer, _ in Outer(layer) as any Layer }
      }
      for _ in 0..<2 {
        parent.register(Shared(Core() as any Layer))
        let outer = try #require(child.resolve((any Layer).self) as? Outer)
        #expect(outer.layer is Inner && outer.core === parent.resolve((any Layer).self))
        child.reset()
      }
    }
  }
}
