@testable import DITesting
import DependencyInjection
import Testing

/// A service that keeps what it was built with.
private final class Service {
  let router: any Router
  init(router: any Router) { self.router = router }
}

private final class Screen {
  let service: Service
  init(service: Service) { self.service = service }
}

private final class LazyScreen {
  @LazyInject var router: any Router
}

private final class Bystander {}

@Suite("An override of what a Shared instance was built from", .isolatedContainer(.empty) { appRegistrations })
struct RebuildTests {
  @Test("leads to a new one, also if others lie between")
  func dependents() {
    DIContainer.register {
      Shared { resolve in Screen(service: resolve()) }
      Shared { resolve in Service(router: resolve()) }
    }
    let old = DIContainer.resolve(Screen.self)
    let mock = MockRouter()
    DIContainer.override((any Router).self, with: mock)
    let new = DIContainer.resolve(Screen.self)
    #expect(new !== old)
    #expect(new.service.router === mock)
    #expect(new.service === DIContainer.resolve(Service.self))
    #expect(new === DIContainer.resolve(Screen.self), "once")
    #expect(old.service.router.name == "real", "whoever holds the old one goes on holding it")
  }

  @Test("leads to a new one if it has resolved it lazily, or has found nothing")
  func lazyAndMissing() {
    final class Hopeful {
      let number: Int?
      init(number: Int?) { self.number = number }
    }
    DIContainer.register {
      Shared(LazyScreen())
      Shared { resolve in Hopeful(number: resolve()) }
    }
    #expect(DIContainer.resolve(LazyScreen.self).router.name == "real")
    #expect(DIContainer.resolve(Hopeful.self).number == nil)
    DIContainer.override {
      New(MockRouter() as any Router)
      New(7)
    }
    #expect(DIContainer.resolve(LazyScreen.self).router.name == "mock")
    #expect(DIContainer.resolve(Hopeful.self).number == 7)
  }

  @Test("releases the old one at once")
  func releases() {
    DIContainer.register(Shared { resolve in Service(router: resolve()) })
    weak let old = DIContainer.resolve(Service.self)
    #expect(old != nil)
    DIContainer.override { New(MockRouter() as any Router) }
    #expect(old == nil)
  }

  @Test("leaves everything else as it is")
  func others() {
    DIContainer.register(Shared(Bystander()))
    let bystander = DIContainer.resolve(Bystander.self)
    DIContainer.override((any Router).self, with: MockRouter())
    #expect(DIContainer.resolve(Bystander.self) === bystander)
  }

  @Test("of one alias leaves what was built from the others")
  func aliases() {
    final class Concrete {
      let router: RouterImpl
      init(router: RouterImpl) { self.router = router }
    }
    DIContainer.register {
      Shared(RouterImpl(), as: (any Router).self, RouterImpl.self)
      Shared { resolve in Concrete(router: resolve()) }
      Shared { resolve in Service(router: resolve()) }
    }
    let concrete = DIContainer.resolve(Concrete.self)
    let service = DIContainer.resolve(Service.self)
    #expect(service.router === concrete.router)
    DIContainer.override((any Router).self, with: MockRouter())
    #expect(DIContainer.resolve(Concrete.self) === concrete)
    #expect(DIContainer.resolve(Service.self).router.name == "mock")
  }

  @Test("of all aliases replaces all")
  func allAliases() {
    DIContainer.register(Shared(RouterImpl(), as: (any Router).self, RouterImpl.self))
    let real = DIContainer.resolve(RouterImpl.self)
    DIContainer.override { Shared(RouterImpl(), as: (any Router).self, RouterImpl.self) }
    #expect(DIContainer.resolve(RouterImpl.self) !== real)
    #expect(DIContainer.resolve((any Router).self) === DIContainer.resolve(RouterImpl.self))
  }

  @Test("in a child or in its parent reaches what the child has built")
  func children() {
    let parent = DIContainer()
    parent.register {
      Shared(RouterImpl() as any Router)
      Shared { resolve in Service(router: resolve()) }
    }
    let child = DIContainer(parent: parent)
    child.register(Shared { resolve in Screen(service: resolve()) })
    let first = child.resolve(Screen.self)
    child.override { Shared(MockRouter("child") as any Router) }
    #expect(child.resolve(Screen.self).service.router.name == "child")
    #expect(parent.resolve(Service.self) === first.service)
    child.unregister((any Router).self)
    child.reset()
    #expect(child.resolve(Screen.self).service.router.name == "real")
    parent.override { Shared(MockRouter("parent") as any Router) }
    #expect(child.resolve(Screen.self).service.router.name == "parent")
  }

  @Test("while it is being created is not missed")
  func duringCreation() {
    DIContainer.register(
      Shared { resolve in
        let service = Service(router: resolve())
        if service.router.name == "real" { DIContainer.override((any Router).self, with: MockRouter()) }
        return service
      })
    #expect(DIContainer.resolve(Service.self).router.name == "real")
    #expect(DIContainer.resolve(Service.self).router.name == "mock")
  }

  @Test("does not happen by registering, in a test as in an app")
  func registering() {
    DIContainer.register(Shared { resolve in Service(router: resolve()) })
    let service = DIContainer.resolve(Service.self)
    DIContainer.register(Shared(MockRouter() as any Router))
    #expect(DIContainer.resolve(Service.self) === service)
  }

  @Test("lasts for a closure with withOverrides")
  func scoped() async {
    DIContainer.register(Shared { resolve in Service(router: resolve()) })
    let service = DIContainer.resolve(Service.self)
    await DIContainer.withOverrides {
      New(MockRouter() as any Router)
    } perform: {
      await Task.yield()
      #expect(DIContainer.resolve(Service.self).router.name == "mock")
      DIContainer.override((any Router).self, with: MockRouter("value"))
      #expect(DIContainer.resolve(Service.self).router.name == "value")
    }
    #expect(DIContainer.resolve(Service.self) === service)
  }
}
