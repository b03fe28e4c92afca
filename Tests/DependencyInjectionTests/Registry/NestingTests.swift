internal import DependencyInjection
internal import Testing

private struct Session {}

private final class Service {
  let session: Session
  init(_ session: Session) { self.session = session }
}

extension Scope {
  fileprivate static let session = Scope("session")
}

struct NestingTests {
  /// The number of containers: far more than fit on the stack if each needs a stack frame.
  static var count: Int { 20_000 }

  /// Runs a closure on a thread with a small stack, of which each container gets 26 bytes.
  private static func onSmallStack(_ body: @escaping @Sendable () -> Void) { startThread(stackSize: 512 << 10, body) }

  /// Runs a closure on such a thread with three of many nested containers.
  private static func withNestedContainers(
    _ body: @escaping @Sendable (_ root: DIContainer, _ middle: DIContainer, _ innermost: DIContainer) -> Void
  ) {
    onSmallStack {
      var containers = [DIContainer()]
      for _ in 1..<count { containers.append(DIContainer(parent: containers[containers.count - 1])) }
      body(containers[0], containers[count / 2], containers[count - 1])
    }
  }

  /// The innermost of nested containers of which some keep an instance that is counted.
  private static func nest(keeping counter: LifetimeCounter) -> DIContainer {
    var innermost = DIContainer()
    for number in 1..<count {
      innermost = DIContainer(parent: innermost)
      if number % 1_000 == 0 {
        innermost.register(Shared { Tracked(counter) })
        _ = innermost.resolve(Tracked.self)
      }
    }
    precondition(counter.alive == (count - 1) / 1_000)
    return innermost
  }

  // In a process of its own, because an overflow of the stack ends it.
  @Test(
    "Twenty thousand nested containers: resolving, copies, scopes, inspection and their release need no stack for each",
    .exitTest)
  func nested() async {
    await #expect(processExitsWith: .success) {
      Self.changes()
      Self.perContainer()
      Self.copies()
      Self.scopes()
      Self.inspection()
      Self.decorators()
      Self.release()
    }
  }

  /// The innermost resolves what the root keeps, and sees each change of it.
  private static func changes() {
    withNestedContainers { root, _, innermost in
      let calls = CallCounter()
      root.register {
        Scoped(in: .session) { Session() }
        Shared { (resolve: Resolver) in
          calls.call()
          return Service(resolve())
        }
      }
      let first = innermost.resolve(Service.self)
      precondition(root.resolve(Service.self) === first && calls.count == 1)
      // What the innermost overrides does not affect what the root keeps.
      innermost.register(New(Session()))
      precondition(innermost.resolve(Service.self) === first && calls.count == 1)
      root.reset()
      let second = innermost.resolve(Service.self)
      precondition(second !== first && root.resolve(Service.self) === second && calls.count == 2)
      root.register(Shared(Service(Session())))
      precondition(innermost.resolve(Service.self) === root.resolve(Service.self) && calls.count == 2)
      root.unregister(Service.self)
      precondition(innermost.resolve(Service?.self) == nil)
    }
  }

  /// An instance for each container that asks is the innermost's own.
  private static func perContainer() {
    withNestedContainers { root, _, innermost in
      let counter = LifetimeCounter()
      root.register(Scoped(in: .container) { Tracked(counter) })
      let own = innermost.resolve(Tracked.self)
      precondition(innermost.resolve(Tracked.self) === own && root.resolve(Tracked.self) !== own)
      precondition(counter.created == 2)
      root.reset(.container)
      precondition(innermost.resolve(Tracked.self) === own && counter.alive == 1)
    }
  }

  /// A copy of the innermost copies all of them.
  private static func copies() {
    withNestedContainers { root, _, innermost in
      root.register {
        New("root")
        Shared { (resolve: Resolver) in [resolve(String.self)] }
      }
      precondition(innermost.resolve([String].self) == ["root"])
      DIContainer.withCurrent(innermost) {
        DIContainer.withOverrides {
          New("override")
        } perform: {
          precondition(DIContainer.resolve([String].self) == ["override"])
          precondition(innermost.resolve([String].self) == ["root"])
        }
      }
      precondition(innermost.resolve(String.self) == "root")
    }
  }

  /// A scope ends in the container that is reset and in its ancestors, and nowhere below.
  private static func scopes() {
    withNestedContainers { root, middle, innermost in
      let counter = LifetimeCounter()
      root.register(Scoped(in: .session) { Tracked(counter) })
      innermost.register(Scoped(in: .session, { Tracked(counter) }, named: "own"))
      for (container, left) in [(root, 1), (innermost, 0), (middle, 1)] {
        _ = innermost.resolve(Tracked.self)
        _ = innermost.resolve(Tracked.self, named: "own")
        precondition(counter.alive == 2)
        container.reset(.session)
        precondition(counter.alive == left)
      }
    }
  }

  /// A trace of the root sees what the innermost resolves, and listings end.
  private static func inspection() {
    withNestedContainers { root, _, innermost in
      let calls = CallCounter()
      root.register(Shared(AppConfigurationImpl()))
      _ = innermost.resolve(AppConfigurationImpl.self)
      let trace = root.trace { _ in calls.call() }
      _ = innermost.resolve(AppConfigurationImpl.self)
      precondition(calls.count == 1)
      trace.stop()
      _ = innermost.resolve(AppConfigurationImpl.self)
      precondition(calls.count == 1 && innermost.registrations.count == 1)
      innermost.register(Shared { (_: Resolver) in LazyParts() })
      _ = DIContainer.withCurrent(innermost) { innermost.resolve(LazyParts.self).configuration }
    }
  }

  /// A decorator in each of 600 containers, and 1,500 around one registration, are too many for a resolution, and for nothing
  /// else.
  private static func decorators() {
    onSmallStack {
      let root = DIContainer()
      var innermost = root
      root.register(New("root"))
      for _ in 0..<600 {
        innermost = DIContainer(parent: innermost)
        innermost.decorate(String.self) { text, _ in text + "." }
      }
      precondition(root.resolve(String.self) == "root" && isTooDeep(innermost))
      innermost.unregister(String.self)
      innermost.register(New("own"))
      precondition(innermost.resolve(String.self) == "own")
    }
    onSmallStack {
      let container = DIContainer()
      container.register(New("root"))
      for _ in 0..<1_500 { container.decorate(String.self) { text, _ in text + "." } }
      precondition(isTooDeep(container))
      container.register(New("again"))
      precondition(isTooDeep(container))
      container.unregister(String.self)
      precondition(container.resolve(String?.self) == nil)
    }
  }

  private static func isTooDeep(_ container: DIContainer) -> Bool {
    failure { try container.tryResolve(String.self) }?.code == .tooDeep
  }

  /// All of them are released with the innermost, whatever they keep, and whoever releases it.
  private static func release() {
    let counter = LifetimeCounter()
    onSmallStack { _ = nest(keeping: counter) }
    precondition(counter.alive == 0)
    // By the instance of a container that is itself being released.
    onSmallStack {
      let outer = DIContainer(parent: DIContainer())
      outer.register(Shared { nest(keeping: counter) })
      _ = outer.resolve(DIContainer.self)
    }
    precondition(counter.alive == 0)
  }
}

/// Injects something later.
private final class LazyParts {
  @LazyInject var configuration: AppConfigurationImpl
}
