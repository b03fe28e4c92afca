internal import DependencyInjection
internal import Testing

/// Types whose names are those of others.
enum Elsewhere {
  protocol Router {}
  struct Holder: Router {}
}

/// Types whose short names are the same.
enum Article {
  struct ID {}
}

enum Author {
  struct ID {}
}

private struct Rates: Sendable { var tax = 0.0 }

extension DIContainer {
  fileprivate static let rates = Dependency<Rates>(.shared) { Rates(tax: 0.2) }
}

private protocol Part {}

private final class DeclaredPart: Part, Sendable {}

private let declaredPart = Dependency<DeclaredPart>(.shared) { DeclaredPart() }
private let declaredLine = #line - 1

struct ErrorTests {
  let container = DIContainer()

  private enum Cause: Error, CustomStringConvertible {
    case offline
    var description: String { "the network is offline" }
  }

  @Test(
    "A missing registration is named, with the location of the request, and so is a container without registrations")
  func missing() throws {
    container.register(Shared(DiskCache()))
    let line = #line + 1
    let error = try #require(failure { try container.tryResolve((any Router).self) })
    #expect(error.code == .missingRegistration && ObjectIdentifier(error.type) == ObjectIdentifier((any Router).self))
    #expect(error.path == ["Router"] && error.location.line == line && error.registration == nil)
    #expect(error.notes == [] && error.underlyingError == nil)
    #expect(
      error.description == """
        No registration for 'Router'.
          resolving  Router
          asked at   \(place(line))
        """)
    // If nothing is registered at all, the error says so.
    do {
      let container = DIContainer()
      #expect(
        failure { try container.tryResolve((any Router).self) }?.notes == [
          "nothing is registered in this container: register before the first resolution"
        ])
      let inCopy = try #require(
        failure {
          try DIContainer.withCurrent(container) {
            try DIContainer.withOverrides {
            } perform: {
              try DIContainer.tryResolve((any Router).self)
            }
          }
        })
      #expect(
        inCopy.notes == [
          """
          nothing is registered in this container: it is a copy of an empty container; let the test register: in \
          Swift Testing, `.isolatedContainer { Module.app }`; in a `DITestCase`, `override var registrations`
          """
        ])
      let withOverride = try #require(
        failure {
          try DIContainer.withCurrent(container) {
            try DIContainer.withOverrides {
              New(1)
            } perform: {
              // A note on what was probably meant is the better one.
              #expect(
                failure { try DIContainer.tryResolve(Int.self, named: "one") }?.notes == [
                  "Int is registered without a name at \(place(#line))"
                ])
              return try DIContainer.tryResolve((any Router).self)
            }
          }
        })
      #expect(
        withOverride.notes == [
          """
          this container has only what was added to it: it is a copy of an empty container; let the test register \
          this type, too: in Swift Testing, `.isolatedContainer { Module.app }`; in a `DITestCase`, \
          `override var registrations`
          """
        ])
    }
  }

  @Test("Near misses are concrete types, named ones, declarations, and other types of the same name")
  func nearMisses() throws {
    let line = #line + 1
    container.register(Shared(RouterImpl()))
    #expect(
      failure { try container.tryResolve((any Router).self) }?.notes == [
        "RouterImpl is registered at \(place(line)); did you mean to register as `Router`?"
      ])
    #expect(
      failure { try container.tryResolve((any Router).self, named: "main") }?.notes == [
        "RouterImpl is registered at \(place(line)); did you mean to register as `Router`, named 'main'?"
      ])
    do {
      let (container, line) = (DIContainer(), #line + 1)
      container.register(Shared(RouterImpl(), named: "test"))
      #expect(
        failure { try container.tryResolve((any Router).self) }?.notes == [
          "RouterImpl (test) is registered at \(place(line)); did you mean to register as `Router`, without a name?"
        ])
    }
    // No value is registered as another one, nor what is just being created as what it asks for.
    do {
      let container = DIContainer()
      struct Near {}
      struct FarNear {}
      final class AskingRouter: Router {
        let config: (any AppConfiguration)? = nil
      }
      container.register {
        New(FarNear())
        New { (resolve: Resolver) throws in try (resolve.tryResolve((any Router).self), AskingRouter()).1 }
      }
      #expect(
        failure { try container.tryResolve(Near.self) }?.notes == []
          && failure { try container.tryResolve(AskingRouter.self) }?.notes == [])
    }
    // What is declared as a dependency is a near miss of its type.
    do {
      let container = DIContainer()
      _ = declaredPart(from: container)
      #expect(
        failure { try container.tryResolve(DeclaredPart.self) }?.notes == [
          "DeclaredPart is declared as a `Dependency` at \(place(declaredLine)): resolve that"
        ])
      #expect(failure { try container.tryResolve((any Part).self) }?.notes == [])
    }
    // A type that is registered with a name, under its aliases, is a near miss.
    do {
      let container = DIContainer()
      let line = #line + 1
      container.register(Shared(RouterImpl(), as: (any Router).self, AnyObject.self, named: "main"))
      #expect(
        failure { try container.tryResolve(RouterImpl.self) }?.notes == [
          "RouterImpl is registered with the name 'main' at \(place(line))"
        ])
    }
    // Another type of the same name is a near miss.
    do {
      let container = DIContainer()
      let line = #line + 1
      container.register(Shared(Elsewhere.Holder() as any Elsewhere.Router))
      #expect(
        failure { try container.tryResolve((any Router).self) }?.notes == [
          "another type of that name, 'DependencyInjectionTests.Elsewhere.Router', is registered at \(place(line)); "
            + "'DependencyInjectionTests.Router' was asked for"
        ])
    }
    // Near misses of the parent count, and unrelated registrations are not mentioned.
    do {
      let container = DIContainer()
      let line = #line + 1
      container.register(Shared(RouterImpl()))
      let child = DIContainer(parent: container)
      child.register {
        New(MockRouter())
        Shared(DiskCache())
      }
      let error = try #require(failure { try child.tryResolve((any Router).self) })
      #expect(
        error.notes == [
          "types that conform to it are registered: RouterImpl at \(place(line)), MockRouter at \(place(line + 3)); "
            + "did you mean to register as `Router`?"
        ])
    }
  }

  @Test("Two types of one short name are told apart by the types around them, where both occur")
  func shortNames() throws {
    container.register {
      New { (resolve: Resolver) throws in try (resolve.tryResolve(Author.ID.self), Article.ID()).1 }
      New { (_, id: Article.ID) in "\(id)" }
    }
    let path = failure { try container.tryResolve(Article.ID.self) }
    #expect(
      path?.description.hasPrefix("No registration for 'Author.ID'.\n  resolving  Article.ID → Author.ID\n") == true)
    let arguments = failure { try container.tryResolve(String.self) { Author.ID() } }
    #expect(arguments?.description.hasPrefix("'String' takes arguments (Article.ID), got (Author.ID).") == true)
    #expect(
      failure { try DIContainer().tryResolve(Author.ID.self) }?.description.hasPrefix(
        "No registration for 'ID'.\n  resolving  ID\n") == true)
  }

  @Test("What only a child has is missing where the parent keeps an instance, and a note names the three ways out")
  func missingInParent() throws {
    let (parent, child) = (container, DIContainer(parent: container))
    child.register(Shared(AppConfigurationImpl() as any AppConfiguration))
    parent.register {
      Shared { resolve in ConcreteViewModel(id: try resolve.tryResolve((any AppConfiguration).self).name) }
      New { resolve in "\(try resolve.tryResolve(ConcreteViewModel.self))" }
    }
    func notesOfTheWays(_ error: ResolutionError) -> [String] {
      error.notes.filter { note in ["child", "Scoped(in: .container)", "New"].allSatisfy { note.contains($0) } }
    }
    let direct = try #require(failure { try child.tryResolve(ConcreteViewModel.self) })
    #expect(direct.brief == "missingRegistration: ConcreteViewModel AppConfiguration")
    #expect(notesOfTheWays(direct).count == 1, "\(direct)")
    // The same below a New, which is built for the child, and in a grandchild.
    let indirect = try #require(failure { try DIContainer(parent: child).tryResolve(String.self) })
    #expect(indirect.path == ["String", "ConcreteViewModel", "AppConfiguration"])
    #expect(notesOfTheWays(indirect).count == 1, "\(indirect)")
    // The parent itself does not know of the child, and what nobody has is nothing to register there.
    let ofParent = try #require(failure { try parent.tryResolve(ConcreteViewModel.self) })
    #expect(ofParent.code == .missingRegistration && notesOfTheWays(ofParent).isEmpty, "\(ofParent)")
    child.unregister((any AppConfiguration).self)
    let nowhere = try #require(failure { try child.tryResolve(ConcreteViewModel.self) })
    #expect(nowhere.code == .missingRegistration && notesOfTheWays(nowhere).isEmpty, "\(nowhere)")
  }

  @Test(
    "An override that resolves what it overrides is a cycle, and a note says to do that before",
    arguments: [false, true])
  func overrideOfItself(isCopy: Bool) throws {
    let registration = DIContainer.rates.overridden { resolve in
      var copy = try DIContainer.rates.tryResolve(from: resolve)
      copy.tax = 0
      return copy
    }
    func isAboutOverrides(_ note: String) -> Bool {
      note.contains("overrid") && (note.contains("before") || note.contains("first"))
    }
    try DIContainer.withCurrent(container) {
      let found: ResolutionError?
      if isCopy {
        found = DIContainer.withOverrides {
          registration
        } perform: {
          failure { try DIContainer.rates.tryResolve() }
        }
      } else {
        DIContainer.register(registration)
        found = failure { try DIContainer.rates.tryResolve() }
      }
      let error = try #require(found)
      #expect(error.brief == "cycle: Rates Rates")
      #expect(
        error.notes == [
          "the override resolves what it overrides: copy that first, `let original = dependency()`, and override it then"
        ])
      DIContainer.rates.unregister()
      // As the note says.
      var copy = DIContainer.rates()
      copy.tax = 0
      let mine = copy
      DIContainer.withOverrides {
        DIContainer.rates.overridden { mine }
      } perform: {
        #expect(DIContainer.rates().tax == 0)
      }
      #expect(DIContainer.rates().tax == 0.2)
    }
    container.register(New { resolve in try resolve.tryResolve(String.self) + "" })
    let plain = try #require(failure { try container.tryResolve(String.self) })
    #expect(plain.code == .cycle && !plain.notes.contains { isAboutOverrides($0) }, "\(plain)")
  }

  @Test("Wrong arguments are named, with the registration that was replaced, and create nothing")
  func arguments() throws {
    let line = #line + 2
    container.register(
      New { (_, a: String, b: String, c: Int) in ConcreteViewModel(id: "\(a)\(b)\(c)") as any ViewModel })
    let error = failure { try container.tryResolve((any ViewModel).self) { ("one", 2) } }
    #expect(error?.code == .wrongArguments)
    #expect(
      error?.description == """
        'ViewModel' takes arguments (String, String, Int), got (String, Int).
          resolving  ViewModel
          asked at   \(place(line + 1))
          registered \(place(line))
          note       it takes 3 arguments, but 2 were passed
        """)
    // Arguments for a registration that takes none are an error, such as those for the original of a mock.
    for isShared in [false, true] {
      let container = DIContainer()
      container.register {
        if isShared { Shared(RouterImpl() as any Router) } else { New(RouterImpl() as any Router) }
      }
      let error = failure { try container.tryResolve((any Router).self) { "id" } }
      #expect(
        error?.code == .wrongArguments
          && error?.description.hasPrefix("'Router' takes no arguments, got (String).\n") == true
          && error?.notes == [
            "leave out the closure of the resolution, or let the factory take the arguments; "
              + "the newest registration of a type wins"
          ])
    }
    // A Shared whose first arguments are wrong is not created, and right ones create it.
    do {
      let container = DIContainer()
      container.register(Shared { (_, id: String) in ConcreteViewModel(id: id) as any ViewModel })
      #expect(failure { try container.tryResolve((any ViewModel).self) }?.code == .wrongArguments)
      #expect(failure { try container.tryResolve((any ViewModel).self) { 1 } }?.code == .wrongArguments)
      #expect(container.resolve((any ViewModel).self) { "right" }.id == "right")
    }
  }

  @Test("What a factory throws is the cause of the error", arguments: [false, true])
  func cause(isShared: Bool) throws {
    let line = #line + 2
    container.register {
      if isShared { Shared { try Self.fail() } } else { New { try Self.fail() } }
    }
    let error = try #require(failure { try container.tryResolve((any Router).self) })
    #expect(error.code == .factoryFailed && error.underlyingError is Cause)
    #expect(
      error.description == """
        The factory of 'Router' failed.
          resolving  Router
          asked at   \(place(line + 2))
          registered \(place(line))
          error      the network is offline
        """)
  }

  private static func fail() throws -> any Router { throw Cause.offline }
}
