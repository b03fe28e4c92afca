internal import DependencyInjection
internal import Testing

private final class Config: Sendable {
  let name: String
  init(_ name: String) { self.name = name }
}

private final class Page: Sendable {
  let name: String
  init(_ name: String) { self.name = name }
}

private final class First: Sendable {}
private final class Second: Sendable {}

/// How a factory uses its resolver while it waits for somebody else.
private enum Place: CaseIterable, Sendable {
  case thread, task, asynchronousTask

  /// Resolves a type there, and returns it or the error.
  func resolve<Value: Sendable>(_: Value.Type, with resolve: Resolver) -> Result<Value, any Error> {
    switch self {
    case .thread: return onAnotherThread { Result { try resolve.tryResolve(Value.self) } }
    case .task: return inTask { try resolve.tryResolve(Value.self) }
    case .asynchronousTask: return inTask { try await resolve.resolveAsync(Value.self) }
    }
  }

  private func inTask<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) -> Result<Value, any Error> {
    let result = Monitor<Result<Value, any Error>?>(nil)
    Task.detached(executorPreference: CountingExecutor()) {
      do {
        let value = try await body()
        result.change { $0 = .success(value) }
      } catch {
        result.change { $0 = .failure(error) }
      }
    }
    guard result.wait(until: { $0 != nil }) else { fatalError("The task hangs.") }
    return result.change { $0! }
  }
}

@Suite(.timeLimit(.minutes(20)))
struct ResolverElsewhereTests {
  @Test("What a resolver resolves elsewhere comes from the container that the instance is built for, below a New, too")
  func container() {
    for place in Place.allCases {
      let parent = DIContainer()
      parent.register {
        Shared(Config("app"))
        Shared { resolve in Page(try place.resolve(Config.self, with: resolve).get().name) }
        New({ resolve in Page(try place.resolve(Config.self, with: resolve).get().name) }, named: "new")
      }
      let child = DIContainer(parent: parent)
      child.register(Shared(Config("request")))
      #expect(child.resolve(Page.self).name == "app" && child.resolve(Page.self) === parent.resolve(Page.self))
      #expect(
        [child.resolve(Page.self, named: "new").name, parent.resolve(Page.self, named: "new").name] == [
          "request", "app",
        ])
    }
    // What a New in between resolves with its own sees an override, too.
    for place in Place.allCases {
      let parent = DIContainer()
      parent.register {
        Shared(Config("app"))
        New { resolve in try place.resolve(Config.self, with: resolve).get().name }
        Shared { resolve in Page(resolve(String.self)) }
      }
      DIContainer.withCurrent(parent) {
        DIContainer.withOverrides {
          Shared(Config("mock"))
        } perform: {
          #expect(DIContainer.resolve(Page.self).name == "mock")
        }
        #expect(DIContainer.resolve(Page.self).name == "app")
      }
    }
  }

  @Test("A failure on another thread has the whole path, and resolving there what is being created is a cycle")
  func path() {
    for place in Place.allCases {
      let container = DIContainer()
      container.register {
        Shared { resolve in
          _ = try place.resolve(Config.self, with: resolve).get()
          return First()
        }
        New { resolve in
          _ = try resolve.tryResolve(First.self)
          return Second()
        }
      }
      #expect(failure { try container.tryResolve(Second.self) }?.brief == "missingRegistration: Second First Config")
    }
    for place in Place.allCases {
      let container = DIContainer()
      container.register {
        Shared { resolve in
          _ = try place.resolve(Second.self, with: resolve).get()
          return First()
        }
        Shared { resolve in
          _ = try resolve.tryResolve(First.self)
          return Second()
        }
      }
      #expect(
        failure { try container.tryResolve(First.self) }?.brief == "cycle: First Second First"
          && failure { try container.tryResolve(Second.self) }?.path == ["Second", "First", "Second"])
    }
  }

  @Test("A declared dependency that a factory requests on another thread has the whole path")
  func declared() {
    let page = Dependency<Page> { resolve in Page(try resolve.tryResolve(Config.self).name) }
    let numbered = Dependency { (resolve: Resolver, _: Int) in Page(try resolve.tryResolve(Config.self).name) }
    let container = DIContainer()
    container.register {
      Shared { resolve in
        _ = try onAnotherThread { Result { try page.tryResolve(from: resolve) } }.get()
        return First()
      }
      Shared { resolve in
        _ = try onAnotherThread { Result { try numbered.tryResolve(1, from: resolve) } }.get()
        return Second()
      }
    }
    #expect(
      failure { try container.tryResolve(First.self) }?.brief == "missingRegistration: First Page Config"
        && failure { try container.tryResolve(Second.self) }?.brief == "missingRegistration: Second Page Config")
  }

  @Test("A cycle through three threads is found whichever of them closes it", arguments: Place.allCases)
  fileprivate func acrossThreads(place: Place) {
    for _ in 0..<20 {
      let container = DIContainer()
      let (both, first, second) = (Rendezvous(of: 2), CallCounter(), CallCounter())
      container.register {
        Shared { resolve in
          if first.call() == 1 { both.meet() }
          _ = try place.resolve(Second.self, with: resolve).get()
          return First()
        }
        Shared { resolve in
          if second.call() == 1 { both.meet() }
          _ = try resolve.tryResolve(First.self)
          return Second()
        }
      }
      let codes = onThreads(2) { index in
        index == 0
          ? failure { try container.tryResolve(First.self) }?.code
          : failure { try container.tryResolve(Second.self) }?.code
      }
      // The one that waits for a failed creation gets its error, and calls no factory again.
      #expect(codes == [.cycle, .cycle] && first.count == 1 && second.count == 1)
    }
  }

  @Test("After the factory has returned, its resolver resolves for nobody else")
  func afterwards() {
    final class Keeper: Sendable {
      let resolve: Resolver
      init(_ resolve: Resolver) { self.resolve = resolve }
    }
    let container = DIContainer()
    container.register {
      Shared(Config("app"))
      Shared { resolve in Keeper(resolve) }
      Shared { resolve in Page(resolve(Keeper.self).resolve(Config.self).name) }
    }
    let keeper = container.resolve(Keeper.self)
    #expect(
      onAnotherThread { keeper.resolve(Keeper.self) } === keeper
        && onAnotherThread { failure { try keeper.resolve.tryResolve(First.self) } }?.path == ["First"]
        && container.resolve(Page.self).name == "app")
  }
}
