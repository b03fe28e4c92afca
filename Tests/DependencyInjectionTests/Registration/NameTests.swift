internal import DependencyInjection
internal import Testing

protocol Database: AnyObject, Sendable { var role: String { get } }

final class Primary: Database { let role = "primary" }

final class Replica: Database { let role = "replica" }

extension DependencyName {
  static let replica: Self = "replica"
}

private enum Singletons {
  static let container = DIContainer()
}

struct NameTests {
  let container = DIContainer()

  @Test("A name keeps its place among all of a type when it is replaced, or removed and registered again")
  func order() {
    func register(_ names: String...) { for name in names { container.register(New(name, named: .init(name))) } }
    register("a", "b", "c")
    container.unregister(String.self, named: "a")
    register("b", "a")
    #expect(container.resolveAll(String.self) == ["a", "b", "c"])
    container.removeAll()
    register("d", "c", "a")
    #expect(container.resolveAll(String.self) == ["a", "c", "d"])
  }

  @Test("A name tells registrations of one type apart, in every form, and when they are overridden and unregistered")
  func forms() throws {
    container.register {
      Shared(Primary() as any Database)
      Shared(Replica() as any Database, named: .replica)
      New({ Replica() }, as: (any Database).self, named: "closure")
      New({ _ in Replica() }, as: (any Database).self, named: "resolver")
      New({ _, id in ConcreteViewModel(id: id) as any ViewModel }, named: "argument")
      Shared(Replica(), aliases: { $0 as any Database }, named: "checked")
    }
    let replica: any Database = container.resolve(named: "replica")
    let closure: any Database = try container.tryResolve(named: "closure")
    let others = ["resolver", "checked"].map { container.resolve((any Database).self, named: $0) }
    #expect(container.resolve((any Database).self).role == "primary")
    #expect(([replica, closure] + others).map(\.role) == ["replica", "replica", "replica", "replica"])
    #expect(container.resolve((any ViewModel).self, named: "argument") { "7" }.id == "7")
    let (missing, optional): ((any Database)?, (any Database)?) = (
      container.resolve(named: "missing"), container.resolve(named: .replica)
    )
    #expect(
      missing == nil && optional === replica && container.resolve((any Database).self, named: .replica) === replica)
    // Overriding and unregistering a name leaves the other names as they were.
    do {
      let container = DIContainer()
      container.register {
        Shared(Primary() as any Database)
        Shared(Replica() as any Database, named: .replica)
      }
      let primary = container.resolve((any Database).self)
      let replica = container.resolve((any Database).self, named: .replica)
      container.register(Shared(Replica() as any Database, named: .replica))
      #expect(
        container.resolve((any Database).self) === primary
          && container.resolve((any Database).self, named: .replica) !== replica)
      container.unregister((any Database).self, named: .replica)
      #expect(
        container.resolve((any Database)?.self, named: .replica) == nil
          && container.resolve((any Database).self) === primary)
    }
  }

  @Test("The wrappers inject by name")
  func wrappers() {
    struct Owner {
      @Inject(named: .replica) var eager: any Database
      @LazyInject(named: .replica) var lazy: any Database
      @MutableInject(named: .replica) var mutable: any Database
      @MutableLazyInject(named: .replica) var mutableLazy: any Database
      @Inject(named: "missing") var missing: (any Database)?
    }
    container.register(Shared(Replica() as any Database, named: .replica))
    DIContainer.withCurrent(container) {
      let owner = Owner()
      #expect(owner.eager === owner.lazy && owner.mutable === owner.mutableLazy && owner.eager === owner.mutable)
      #expect(owner.missing == nil)
    }
    struct Explicit {
      @Inject(from: Singletons.container, named: .replica) var eager: any Database
      @LazyInject(from: Singletons.container, named: .replica) var lazy: any Database
    }
    Singletons.container.register(Shared(Replica() as any Database, named: .replica))
    let explicit = Explicit()
    #expect(explicit.eager === explicit.lazy)
  }

  @Test("A missing name says which ones there are, and the path shows names")
  func errors() {
    container.register(Shared(Primary() as any Database))
    container.register(Shared(Replica() as any Database, named: .replica))
    container.register(
      New(
        { resolve in
          _ = try resolve.tryResolve((any Database).self, named: "repilca")
          return RouterImpl()
        }, named: "main"))
    let line = #line
    let error = failure { try container.tryResolve(RouterImpl.self, named: "main") }
    #expect(
      error?.description == """
        No registration for 'Database' named 'repilca'.
          resolving  RouterImpl (main) → Database (repilca)
          asked at   \(place(line - 3))
          note       did you mean 'replica', registered at \(place(line - 7))?
          note       Database is registered without a name at \(place(line - 8))
        """)
    #expect(error?.name == "repilca")
    // A name in place of an argument.
    container.register(New { _, number in number * 2 as Int })
    let note = "Int is registered without a name at \(place(#line - 1))"
    #expect(
      failure { try container.tryResolve(Int.self, named: "21") }?.notes == [note + ": pass its arguments in a closure"]
    )
    #expect(failure { try container.tryResolve(Int.self, named: "21") { 21 } }?.notes == [note])
  }

  @Test("A name that comes too late for a number of its own works like any other, in a process of its own", .exitTest)
  func manyNames() async {
    await #expect(processExitsWith: .success) {
      for number in 0..<70_000 { _ = DependencyName("name \(number)") }
      let container = DIContainer()
      // The numbers of the first two differ only in bits that do not fit.
      for name in ["name 1" as DependencyName, "name 65537", "name 69999"] {
        container.register {
          Shared(RouterImpl() as any Router, named: name)
          Shared(DiskCache() as any Cache, named: name)
        }
      }
      let routers = ["name 1" as DependencyName, "name 65537", "name 69999"].map {
        container.resolve((any Router).self, named: $0)
      }
      precondition(Set(routers.map { ObjectIdentifier($0) }).count == 3)
      for _ in 0..<2 {
        precondition(container.resolve((any Router).self, named: "name 69999") === routers[2])
        precondition(container.resolve((any Cache).self, named: "name 69999") is DiskCache)
      }
    }
  }
}
