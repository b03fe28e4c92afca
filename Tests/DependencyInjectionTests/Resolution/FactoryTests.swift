internal import DependencyInjection
internal import Testing

struct FactoryTests {
  let container = DIContainer()

  @Test("A factory may register, unregister and reset on the container that calls it, also from another thread")
  func registers() {
    let container = container
    container.register(
      Shared { resolve in
        container.register {
          Shared(AppConfigurationImpl("registered inside") as any AppConfiguration)
          New(1)
        }
        return RouterImpl(config: resolve()) as any Router
      })
    #expect(
      container.resolve((any Router).self).config?.name == "registered inside" && container.resolve(Int.self) == 1)
    // A factory may register with the static method, which reaches the container that calls it.
    do {
      let container = DIContainer()
      container.register(
        New {
          DIContainer.register(Shared("inside"))
          return RouterImpl() as any Router
        })
      _ = container.resolve((any Router).self)
      #expect(container.resolve(String.self) == "inside")
    }
    for resets in [false, true] {
      let container = DIContainer()
      let calls = CallCounter()
      container.register {
        Shared("text")
        Shared {
          calls.call()
          if resets { container.reset() } else { container.unregister(String.self) }
          return RouterImpl() as any Router
        }
      }
      _ = container.resolve(String.self)
      _ = container.resolve((any Router).self)
      #expect((container.resolve(String?.self) != nil) == resets)
      _ = container.resolve((any Router).self)
      #expect(calls.count == (resets ? 2 : 1), "an instance whose creation was reset is not kept")
    }
    do {
      let container = DIContainer()
      container.register {
        Shared(AppConfigurationImpl() as any AppConfiguration)
        Shared { resolve in
          let config = onAnotherThread {
            container.register(Shared("from another thread"))
            return Transfer(resolve((any AppConfiguration).self))
          }
          return RouterImpl(config: config.value) as any Router
        }
      }
      #expect(
        container.resolve((any Router).self).config === container.resolve((any AppConfiguration).self) as AnyObject)
      #expect(container.resolve(String.self) == "from another thread")
    }
  }

  @Test("A resolver may be kept and used later, on any thread")
  func keptResolver() {
    struct Maker: Sendable { let make: @Sendable () -> String }
    container.register {
      New("made later")
      Shared { resolve in Maker(make: { resolve() }) }
    }
    let maker = container.resolve(Maker.self)
    #expect([maker.make(), onAnotherThread { maker.make() }] == ["made later", "made later"])
    container.register(New("overridden"))
    #expect(maker.make() == "overridden")
  }
}

private func === (left: (any AppConfiguration)?, right: AnyObject) -> Bool { left as AnyObject? === right }
