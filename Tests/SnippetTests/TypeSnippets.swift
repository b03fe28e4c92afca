import DependencyInjection
import Testing

// The code between the markers is in the articles, word for word.

private class Shape {}

private final class Circle: Shape {}

private struct Upload {
  let done: @Sendable () -> Void
}

private final class Volume: Sendable {}

private final class Chapter: Sendable {
  let volume: @Sendable () -> Volume
  init(volume: @escaping @Sendable () -> Volume) { self.volume = volume }
}

struct TypeSnippets {
  @Test("the static type, an argument that is a function, and a closure that captures the resolver")
  func types() {
    // The static type.
    isolated {
      DIContainer.register {
        Shared(Shape())
        Shared(Circle())
      }
      // snippet: static-type
      let kind: Shape.Type = Circle.self
      let shape = DIContainer.resolve(kind)  // asks for a Shape
      // end
      #expect(type(of: shape) == Shape.self)
    }
    // An argument that is a function.
    isolated {
      // snippet: function-argument
      DIContainer.register {
        New { (_: Resolver, done: @escaping @Sendable () -> Void) in Upload(done: done) }
      }

      let upload = DIContainer.resolve(Upload.self) { {} as @Sendable () -> Void }
      // end
      upload.done()
    }
    // A stored closure that captures the resolver keeps no container alive.
    do {
      weak var ended: DIContainer?
      var chapter: Chapter?
      do {
        let container = DIContainer()
        container.register(Shared(Volume()))
        // snippet: captured-container
        container.register {
          Shared { resolve in Chapter(volume: { resolve(Volume.self) }) }  // not container.resolve
        }
        // end
        chapter = container.resolve()
        #expect(chapter?.volume() === container.resolve(Volume.self))
        ended = container
      }
      #expect(ended == nil)
      // The resolver still answers.
      _ = chapter?.volume()
    }
  }
}
