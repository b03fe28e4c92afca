internal import DependencyInjection
internal import Testing

private final class Page: Sendable {
  let id: String
  let number: Int
  let token: LifetimeToken?
  init(_ id: String, _ number: Int = 0, _ counter: LifetimeCounter? = nil) {
    (self.id, self.number, token) = (id, number, counter?.token())
  }
}

private struct Unreadable: Error {}

private final class Chapter: Sendable {
  let previous: Chapter?
  init(_ previous: Chapter?) { self.previous = previous }
}

private struct Ticket: Hashable, Sendable {
  let token: LifetimeToken
  init(_ counter: LifetimeCounter) { token = counter.token() }
  static func == (ticket: Self, other: Self) -> Bool { ticket.token === other.token }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(token)) }
}

/// An argument that does something when it is first hashed.
private struct Acting: Hashable, Sendable {
  let token: LifetimeToken
  let act: @Sendable () -> Void
  private let hasActed = Flag()

  init(_ counter: LifetimeCounter, act: @escaping @Sendable () -> Void) { (token, self.act) = (counter.token(), act) }

  static func == (one: Self, other: Self) -> Bool { one.token === other.token }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(token))
    if hasActed.isSet { return }
    hasActed.set()
    act()
  }
}

/// Resolves later, in the container that has created it.
private final class Opener: Sendable {
  let open: @Sendable (Ticket) -> Void = DIContainer.escaping { ticket in _ = DIContainer.entry(ticket) }
}

extension Scope {
  fileprivate static let book = Scope("book of pages")
}

extension DIContainer {
  fileprivate static let page = Dependency<Page, String, Int>(instancePerArgument: .shared) { _, id, number in
    if id.isEmpty { throw Unreadable() }
    return Page(id, number)
  }
  fileprivate static let entry = Dependency<Int, Ticket>(instancePerArgument: .shared) { _, _ in 1 }
  fileprivate static let chapter = Dependency<Chapter, Int>(instancePerArgument: .shared) { resolve, number in
    Chapter(number == 0 ? nil : try chapterBefore(number, resolve))
  }

  private static func chapterBefore(_ number: Int, _ resolve: Resolver) throws -> Chapter {
    // The seventh leads back to itself.
    try chapter.tryResolve(number == 7 ? 7 : number - 1, from: resolve)
  }
}

struct InstancePerArgumentTests {
  let container = DIContainer()

  @Test("A check reports arguments of other types, and reads none of them as something else")
  func wrongArguments() async throws {
    let container = container
    _ = DIContainer.page("a", 1, from: container)
    let wrong: [any Sendable] = [42, "a", ("a", "b"), CallCounter(), ("a", 1, 2)]
    for argument in wrong {
      let error = await #expect(throws: VerificationError.self) {
        try await container.verify(arguments: { _ in argument })
      }
      #expect(error?.failures.map(\.code) == [.wrongArguments])
    }
    try await container.verify(arguments: { _ in ("a", 1) })
  }

  @Test("Equal arguments get one instance, which may need those of others, also where threads ask first")
  func instances() throws {
    try DIContainer.withCurrent(container) {
      let page = DIContainer.page("a", 1)
      #expect(page.id == "a" && page.number == 1 && DIContainer.page("a", 1) === page)
      let other = try DIContainer.page.tryResolve("a", 1)
      #expect(other === page && DIContainer.page("a", 2) !== page && DIContainer.page("b", 1) !== page)
      #expect(DIContainer.page("a", 1, from: DIContainer()) !== page)
    }
    // Its factory may ask for the instances of other arguments, and for its own in vain.
    do {
      let container = DIContainer()
      let third = DIContainer.chapter(3, from: container)
      #expect(
        third.previous === DIContainer.chapter(2, from: container)
          && third.previous?.previous?.previous?.previous == nil)
      let error = failure { try DIContainer.chapter.tryResolve(8, from: container) }
      let cure = "break the cycle by resolving one of these when it is needed, or by passing it after creation"
      #expect(error?.code == .cycle && error?.notes == [cure + "; do not use it in an initializer"])
      #expect(failure { try DIContainer.page.tryResolve("", 1, from: container) }?.underlyingError is Unreadable)
    }
    do {
      let (container, counter) = (DIContainer(), LifetimeCounter())
      let page = Dependency<Page, Int>(instancePerArgument: .shared) { _, number in Page("", number, counter) }
      onThreads(8) { _ in
        for number in 0..<100 { precondition(page(number, from: container).number == number) }
      }
      #expect(counter.created == 100)
    }
  }

  @Test("The lifetimes do what they do elsewhere, and a container that has ended keeps no arguments")
  func lifetimes() {
    let counter = LifetimeCounter()
    let shared = Dependency<Page, Int>(instancePerArgument: .shared) { _, number in Page("", number, counter) }
    let scoped = Dependency<Page, Int>(instancePerArgument: .scoped(in: .book)) { _, number in Page("", number, counter)
    }
    let weak = Dependency<Page, Int>(instancePerArgument: .weak) { _, number in Page("", number, counter) }
    DIContainer.withCurrent(container) {
      for number in 0..<3 { _ = (shared(number), scoped(number), weak(number)) }
      #expect(counter.created == 9 && counter.alive == 6)
      let page = weak(0)
      #expect(weak(0) === page && counter.alive == 7)
      DIContainer.reset(.book)
      #expect(counter.alive == 4)
      shared.reset()
      #expect(counter.alive == 1)
      _ = shared(0)
      container.reset()
      #expect(counter.alive == 1)
      withExtendedLifetime(page) {}
    }
    do {
      let counter = LifetimeCounter()
      let open: @Sendable (Ticket) -> Void
      do {
        let container = DIContainer()
        open = DIContainer.withCurrent(container) {
          container.register(Shared { _ in Opener() })
          return container.resolve(Opener.self).open
        }
        open(Ticket(counter))
        #expect(counter.alive == 1)
      }
      #expect(counter.alive == 0)
      open(Ticket(counter))
      #expect(counter.alive == 0)
    }
  }

  @Test("A decorator wraps the instance of each argument, and an override answers all")
  func decorator() {
    DIContainer.withCurrent(container) {
      let first = DIContainer.page("a", 1)
      DIContainer.page.decorate { page, _ in Page("decorated \(page.id)", page.number) }
      let (decorated, other) = (DIContainer.page("a", 1), DIContainer.page("b", 2))
      #expect(decorated.id == "decorated a" && other.id == "decorated b" && decorated !== first)
      #expect(DIContainer.page("a", 1) === decorated && DIContainer.page("b", 2) === other)
    }
    // An override answers all arguments, and unregister takes it back.
    do {
      let container = DIContainer()
      DIContainer.withCurrent(container) {
        let page = DIContainer.page("a", 1)
        DIContainer.page.register { _, id, number in Page("mock of \(id)", number) }
        #expect(DIContainer.page("a", 1).id == "mock of a" && DIContainer.page("b", 2).id == "mock of b")
        DIContainer.page.decorate { page, _ in Page("decorated \(page.id)", page.number) }
        #expect(DIContainer.page("a", 1).id == "decorated mock of a", "the declaration is not what it wraps")
        DIContainer.page.unregister()
        let next = DIContainer.page("a", 1)
        #expect(
          next.id == "a" && next !== page, "the override has taken the place of the declaration and its instances")
        #expect(DIContainer.page("a", 1) === next)
      }
    }
  }

  @Test("An argument may override its registration when it is hashed: nothing is created or kept for the former one")
  func hashed() {
    let (created, tokens) = (LifetimeCounter(), LifetimeCounter())
    let page = Dependency<Page, Acting>(instancePerArgument: .shared) { _, _ in Page("declared", 0, created) }
    DIContainer.withCurrent(container) {
      let found = page(Acting(tokens) { page.register(.new) { _, _ in Page("override") } })
      #expect(found.id == "override" && created.created == 0 && tokens.alive == 0)
    }
  }

  @Test("An argument that asks for its own instance when it is compared gets the same one", arguments: [false, true])
  func compared(inGraph: Bool) {
    /// An argument that does something when it is first compared with one that does nothing.
    struct Comparing: Hashable, Sendable {
      let number: Int
      var act: (@Sendable () -> Void)?
      private let token: LifetimeToken
      private let hasActed = Flag()

      init(_ number: Int, _ counter: LifetimeCounter, act: (@Sendable () -> Void)? = nil) {
        (self.number, token, self.act) = (number, counter.token(), act)
      }

      static func == (one: Self, other: Self) -> Bool {
        for argument in [one, other] where argument.act != nil && !argument.hasActed.isSet {
          argument.hasActed.set()
          argument.act?()
        }
        return one.number == other.number
      }

      // All arguments are in one bucket.
      func hash(into hasher: inout Hasher) {}
    }
    let (counter, arguments) = (LifetimeCounter(), LifetimeCounter())
    let page = Dependency<Page, Comparing>(instancePerArgument: inGraph ? .perGraph : .shared) { _, argument in
      Page("", argument.number, counter)
    }
    container.register(
      New { resolve in
        _ = page(Comparing(0, arguments), from: resolve)
        let inner = Monitor<Page?>(nil)
        let outer = page(
          Comparing(1, arguments) {
            let found = page(Comparing(1, arguments), from: resolve)
            inner.change { $0 = found }
          }, from: resolve)
        // Only one of the equal ones is kept.
        return inner.change { $0 === outer } && arguments.alive == 2
      })
    #expect(container.resolve(Bool.self) && counter.created == 2)
  }

  @Test("The main actor's instances are created there", .timeLimit(.minutes(20)))
  func isolation() async throws {
    let container = container
    let screen = Dependency<Screen, Int>(instancePerArgument: .shared) { @MainActor _, _ in
      MainActor.assertIsolated()
      return Screen()
    }
    let error = await Task.detached { failure { try screen.tryResolve(1, from: container) } }.value
    #expect(error?.code == .wrongActor)
    let isKept = try await Task.detached {
      let created = try await screen.resolveAsync(1, from: container)
      return try screen.tryResolve(1, from: container) === created
    }.value
    #expect(isKept)
  }
}
