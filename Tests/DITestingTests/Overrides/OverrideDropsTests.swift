import DITesting
import DependencyInjection
import Testing

private final class Screen {
  let service: Service
  init(service: Service) { self.service = service }
}

private final class LazyScreen {
  @LazyInject var router: any Router
}

/// A type that depends on nothing.
private final class Bystander {}

extension DIContainer {
  fileprivate static let declared = Dependency<Bystander>(.shared) { Bystander() }
  fileprivate static let numbered = Dependency<Bystander, Int>(instancePerArgument: .shared) { _, _ in Bystander() }
}

@Suite(.isolatedContainer(.empty) { appRegistrations })
struct OverrideDropsTests {
  @Test(
    "so that what was built from the overridden type, or has found nothing, is built anew, even if others lie between")
  func dependents() {
    anew {
      DIContainer.register {
        Shared { resolve in Screen(service: resolve()) }
        Shared { resolve in Service(router: resolve()) }
      }
      let old = DIContainer.resolve(Screen.self)
      let mock = MockRouter()
      DIContainer.override((any Router).self, with: mock)
      let new = DIContainer.resolve(Screen.self)
      #expect(new !== old && new.service.router === mock && new.service === DIContainer.resolve(Service.self))
      #expect(new === DIContainer.resolve(Screen.self), "once")
      #expect(old.service.router.name == "real", "code that holds the old one goes on holding it")
    }
    // What has resolved it lazily, or has found nothing, finds it.
    anew {
      final class Hopeful {
        let number: Int?
        init(number: Int?) { self.number = number }
      }
      DIContainer.register {
        Shared(LazyScreen())
        Shared { resolve in Hopeful(number: resolve()) }
      }
      #expect(
        DIContainer.resolve(LazyScreen.self).router.name == "real" && DIContainer.resolve(Hopeful.self).number == nil)
      DIContainer.override {
        New(MockRouter() as any Router)
        New(7)
      }
      #expect(
        (DIContainer.resolve(LazyScreen.self).router.name, DIContainer.resolve(Hopeful.self).number) == ("mock", 7))
    }
  }

  @Test("whatever their lifetime, even if they have nothing to do with it, in each form of an override")
  func lifetimes() {
    DIContainer.register {
      Shared(Bystander())
      Shared(Bystander(), named: "named")
      Scoped(in: .visit, Bystander(), named: "visit")
      Scoped(in: .container, Bystander(), named: "container")
      Weak(Bystander(), named: "weak")
    }
    func all() -> [Bystander] {
      let names: [DependencyName?] = [nil, "named", "visit", "container", "weak"]
      let registered = names.map { DIContainer.resolve(Bystander.self, named: $0) }
      return registered + [DIContainer.declared(), DIContainer.numbered(1)]
    }
    let before = all()
    #expect(zip(before, all()).allSatisfy { $0 === $1 })
    DIContainer.override((any Router).self, with: MockRouter())
    #expect(zip(before, all()).allSatisfy { $0 !== $1 })
    let forms: [() -> Void] = [
      { DIContainer.override((any Router).self, with: MockRouter()) },
      { DIContainer.override(DIContainer.declared, with: Bystander()) },
      { DIContainer.override { New(MockRouter() as any Router) } },
      { DIContainer.override { Unexpected((any Router).self) } },
      { DIContainer.override { Decorated((any Router).self) { router, _ in router } } },
    ]
    for override in forms {
      anew {
        DIContainer.register(Shared(Bystander()))
        let bystander = DIContainer.resolve(Bystander.self)
        override()
        #expect(DIContainer.resolve(Bystander.self) !== bystander)
      }
    }
  }

  @Test("and releases them at once, which registering does not do, not even that of the registration that is there")
  func releases() {
    anew {
      DIContainer.register {
        Shared { resolve in Service(router: resolve()) }
        Shared(Bystander())
      }
      weak let service = DIContainer.resolve(Service.self)
      weak let bystander = DIContainer.resolve(Bystander.self)
      #expect(service != nil && bystander != nil)
      DIContainer.override { New(MockRouter() as any Router) }
      #expect(service == nil && bystander == nil)
      _ = DIContainer.resolve((any Router).self)
    }
    anew {
      DIContainer.register {
        Shared { resolve in Service(router: resolve()) }
        Shared(Bystander())
      }
      let (service, bystander) = (DIContainer.resolve(Service.self), DIContainer.resolve(Bystander.self))
      DIContainer.register(Shared(MockRouter() as any Router))
      #expect(
        DIContainer.resolve((any Router).self).name == "mock" && DIContainer.resolve(Service.self) === service
          && DIContainer.resolve(Bystander.self) === bystander)
      anew {
        let registration = Shared(MockRouter() as any Router)
        DIContainer.override { registration }
        let first = DIContainer.resolve((any Router).self)
        DIContainer.register(registration)
        #expect(DIContainer.resolve((any Router).self) === first)
        DIContainer.override { registration }
        #expect(DIContainer.resolve((any Router).self) !== first)
      }
    }
  }

  @Test("together with those of the aliases that it leaves as they are, or has")
  func aliases() {
    do {
      final class Concrete {
        let router: RouterImpl
        init(router: RouterImpl) { self.router = router }
      }
      DIContainer.register {
        Shared(RouterImpl(), as: (any Router).self, RouterImpl.self)
        Shared { resolve in Concrete(router: resolve()) }
        Shared { resolve in Service(router: resolve()) }
      }
      let old = DIContainer.resolve(Concrete.self)
      #expect(DIContainer.resolve(Service.self).router === old.router)
      DIContainer.override((any Router).self, with: MockRouter())
      let new = DIContainer.resolve(Concrete.self)
      #expect(new !== old && new.router !== old.router && new.router === DIContainer.resolve(RouterImpl.self))
      #expect(DIContainer.resolve(Service.self).router.name == "mock")
    }
    anew {
      DIContainer.register(Shared(RouterImpl(), as: (any Router).self, RouterImpl.self))
      let real = DIContainer.resolve(RouterImpl.self)
      DIContainer.override { Shared(RouterImpl(), as: (any Router).self, RouterImpl.self) }
      #expect(
        DIContainer.resolve(RouterImpl.self) !== real
          && DIContainer.resolve((any Router).self) === DIContainer.resolve(RouterImpl.self))
    }
  }

  @Test("and none of that container's parent or of its children, but one that is being created")
  func otherContainers() {
    anew {
      let parent = DIContainer()
      parent.register {
        Shared(RouterImpl() as any Router)
        Shared { resolve in Service(router: resolve()) }
      }
      let child = DIContainer(parent: parent)
      child.register(Shared { resolve in Screen(service: resolve()) })
      let first = child.resolve(Screen.self)
      #expect(parent.resolve(Service.self) === first.service)

      child.override { Shared(MockRouter("child") as any Router) }
      #expect(child.resolve((any Router).self).name == "child" && parent.resolve(Service.self) === first.service)
      let second = child.resolve(Screen.self)
      #expect(second !== first && second.service === first.service, "the parent keeps it, with the parent's router")

      parent.override { Shared(MockRouter("parent") as any Router) }
      #expect(parent.resolve(Service.self).router.name == "parent")
      #expect(child.resolve(Screen.self) === second, "an override ends at its own container")
    }
    anew {
      DIContainer.register(
        Shared { resolve in
          let service = Service(router: resolve())
          if service.router.name == "real" { DIContainer.override((any Router).self, with: MockRouter()) }
          return service
        })
      #expect(
        (DIContainer.resolve(Service.self).router.name, DIContainer.resolve(Service.self).router.name) == (
          "real", "mock"
        )
      )
    }
  }
}
