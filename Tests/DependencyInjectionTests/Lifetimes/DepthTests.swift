internal import DependencyInjection
internal import Testing

private final class Link: Sendable {
  let depth: Int
  init(_ inner: Link?) { depth = (inner?.depth ?? 0) + 1 }
}

/// The lifetimes, as functions that register one link of a chain.
private let lifetimes: [@Sendable (DependencyName, @escaping @Sendable (Resolver) throws -> Link) -> any Registration] =
  [
    { Shared($1, named: $0) },
    { New($1, named: $0) },
    { Weak($1, named: $0) },
    { PerGraph($1, named: $0) },
    { Scoped(in: .container, $1, named: $0) },
  ]

/// Registers a chain, of which each link resolves the one before, with the number of a lifetime, or with all in turn.
private func registerChain(
  of count: Int, _ lifetime: Int?, with container: DIContainer, counting calls: CallCounter = CallCounter()
) {
  func register(_ registration: some Registration) { container.register(registration) }
  for number in 1...count {
    let make = lifetimes[lifetime ?? number % lifetimes.count]
    register(
      make(DependencyName("\(number)")) { resolve in
        calls.call()
        return Link(number == 1 ? nil : try resolve.tryResolve(Link.self, named: DependencyName("\(number - 1)")))
      })
  }
}

/// Asks deeper and deeper in the stack, until there is an error, which it throws.
private func askDeeper(_ ask: () -> ResolutionError?) throws -> [Link] {
  if let error = ask() { throw error }
  // Something is left to do after the call, so that each call stays on the stack.
  return try askDeeper(ask) + []
}

struct DepthTests {
  @Test("A long chain is not a cycle: the error has its own code, says how deep and where it is, and the note helps")
  func chain() throws {
    for lifetime in Array(lifetimes.indices) + [nil] {
      let (container, calls) = (DIContainer(), CallCounter())
      registerChain(of: 3_000, lifetime, with: container, counting: calls)
      // The second time, tables have the factories of what nothing keeps.
      for round in 1...2 {
        let error = try #require(failure { try container.tryResolve(Link.self, named: "3000") })
        #expect(
          error.code == .tooDeep
            && error.description.hasPrefix("'Link' is created inside of 256 other factories, which is the limit.\n")
            && error.path.count == 257)
        #expect(calls.count == 256 * round, "the last one is not called")
        #expect(
          error.notes == ["resolve one in the middle first if it is kept, or inject one with `@LazyInject`"],
          "\(error)")
        // A long path is shown with its beginning and its end.
        let shown = (0...256).map { "Link (\(3_000 - $0))" }
        let ends = shown.prefix(12) + ["… 234 more …"] + shown.suffix(11)
        #expect(
          error.path == shown
            && error.description.contains("\n  resolving  \(ends.joined(separator: " → "))\n  asked at   "), "\(error)")
      }
      #expect(try container.tryResolve(Link.self, named: "256").depth == 256)
    }
    // As the note says, a link in the middle that is kept divides the chain.
    do {
      let container = DIContainer()
      registerChain(of: 400, 0, with: container)
      #expect(failure { try container.tryResolve(Link.self, named: "400") }?.code == .tooDeep)
      _ = try container.tryResolve(Link.self, named: "200")
      #expect(try container.tryResolve(Link.self, named: "400").depth == 400)
    }
    // A path of one type is shown whole, if each link is another registration.
    do {
      var container = DIContainer()
      container.register(New(Link(nil)))
      for _ in 1...256 {
        let inner = container
        container = DIContainer()
        container.register(New { () throws in Link(try inner.tryResolve(Link.self)) })
      }
      let error = failure { try container.tryResolve(Link.self) }
      #expect(error?.code == .tooDeep && error?.path == Array(repeating: "Link", count: 257))
    }
  }

  @Test("Lazy properties do not count toward the limit of nested factories")
  func lazily() {
    final class Chain: Sendable {
      init(_ number: Int) {
        if number > 0 { _ = LazyInject<Chain>(named: DependencyName("\(number - 1)")).wrappedValue }
      }
    }
    let container = DIContainer()
    for number in 0...140 { container.register(Shared(Chain(number), named: DependencyName("\(number)"))) }
    let isFound = Event()
    startThread(stackSize: 64 << 20) {
      DIContainer.withCurrent(container) { _ = container.resolve(Chain.self, named: "140") }
      isFound.signal()
    }
    #expect(isFound.wait())
  }

  @Test("Too many decorators are an error that says so")
  func decorators() throws {
    let container = DIContainer()
    container.register(Shared(Link(nil)))
    for _ in 1...300 { container.decorate(Link.self) { link, _ in Link(link) } }
    let error = try #require(failure { try container.tryResolve(Link.self) })
    #expect(error.code == .tooDeep && error.notes == ["300 decorators wrap one of them: register each decorator once"])
    #expect(error.path == ["Link"])
  }

  @Test("A factory that leads back to itself in ever new containers, or over threads and resets, comes to an end")
  func restless() throws {
    let container = DIContainer()
    container.register {
      New(
        { _ in
          Link(
            try DIContainer.withOverrides {
            } perform: {
              try DIContainer.tryResolve(named: "again")
            })
        }, named: "again")
      Shared(
        { resolve in
          container.reset()
          return Link(try onAnotherThread { Result { try resolve.tryResolve(Link.self, named: "reset") } }.get())
        }, named: "reset")
    }
    for name in ["again", "reset"] as [DependencyName] {
      let error = try #require(
        failure { try DIContainer.withCurrent(container) { try container.tryResolve(Link.self, named: name) } })
      #expect(
        error.code == .cycle
          && error.notes == [
            "it leads back to itself, in another container or after a reset: break the cycle by injecting one of these with "
              + "`@LazyInject`" + (name == "again" ? ", which gets another instance because nothing keeps these" : "")
          ], "\(name)")
    }
  }

  @Test(
    "A recursion with ever other arguments is a cycle, whatever leads to it, and however many factories are in a round")
  func recursion() throws {
    let container = DIContainer()
    container.register {
      New { (resolve: Resolver, n: Int) -> [Int] in [try resolve.tryResolve(Double.self) { n + 1 } == 0 ? 0 : 1] }
      New { (resolve: Resolver, n: Int) -> Double in try resolve.tryResolve(String.self) { n + 1 } == "" ? 0 : 1 }
      New { (resolve: Resolver, n: Int) -> String in "\(try resolve.tryResolve([Int].self) { n + 1 })" }
      New({ (resolve: Resolver) in Link((try resolve.tryResolve([Int].self) { 1 }).isEmpty ? nil : nil) }, named: "0")
    }
    for number in 1...100 {
      container.register(
        Shared(
          { resolve in Link(try resolve.tryResolve(named: DependencyName("\(number - 1)"))) },
          named: DependencyName("\(number)")))
    }
    for (name, links) in [("0", 1), ("100", 101)] {
      let error = failure { try container.tryResolve(Link.self, named: DependencyName(name)) }
      // What leads to the recursion, and one round of it, which may begin in the middle of one.
      let path = error?.path ?? []
      #expect(path.prefix(links).last == "Link (0)" && (4...6).contains(path.count - links), "\(path)")
      #expect(path.last == path.dropLast(3).last, "\(path)")
      #expect(
        error?.code == .cycle
          && error?.notes == ["the factory leads back to itself: its arguments have to end the recursion"])
    }
    // One of the factories in a round takes arguments, whichever comes first.
    container.register {
      New({ resolve in Link(try resolve.tryResolve(named: "of") { 1 }) }, named: "without")
      New({ (resolve: Resolver, _: Int) in Link(try resolve.tryResolve(named: "without")) }, named: "of")
    }
    for error in [
      failure { try container.tryResolve(Link.self, named: "without") },
      failure { try container.tryResolve(Link.self, named: "of") { 1 } },
    ] {
      #expect(error?.notes == ["the factory leads back to itself: its arguments have to end the recursion"])
    }
    // A decorator or what it wraps may be the one too many.
    container.register {
      New { (resolve: Resolver, n: Int) in Set([try resolve.tryResolve(Set<Int>.self) { n + 1 }.count]) }
      Decorated(Set<Int>.self) { set, _ in set }
      New { (resolve: Resolver) in Set([try "\(resolve.tryResolve(Set<Int>.self) { 1 })"]) }
    }
    for error in [
      failure { try container.tryResolve(Set<Int>.self) { 1 } }, failure { try container.tryResolve(Set<String>.self) },
    ] {
      #expect(error?.code == .cycle && error?.path.filter { $0 != "Set<String>" } == ["Set<Int>", "Set<Int>"])
      #expect(error?.notes == ["the factory leads back to itself: its arguments have to end the recursion"])
    }
  }

  // In a process of its own, because an overflow of the stack ends it. A debug build takes 10 KiB for each factory, and 30 to
  // report a cycle. The checks of the sanitizers need several times as much.
  @Test(
    "On a small stack a chain ends earlier, with an error that says so, and a cycle and endless recursion are found",
    .exitTest)
  func smallStack() async {
    await #expect(processExitsWith: .success) {
      let isLarger = isSanitized || hasAddressSanitizer
      for lifetime in lifetimes.indices {
        startThread(stackSize: isLarger ? 512 << 14 : 512 << 10) {
          let container = DIContainer()
          registerChain(of: 3_000, lifetime, with: container)
          let error = failure { try container.tryResolve(Link.self, named: "3000") }
          precondition(error?.code == .tooDeep)
          if !isLarger {
            precondition(
              error?.description.hasPrefix(
                "'Link' is created inside of \((error?.path.count ?? 0) - 1) other factories, which is too deep for the stack "
                  + "of this thread, 512 KiB.\n") == true)
            precondition(error?.notes.last?.hasSuffix("; a thread with a larger stack has room for more") == true)
          }
          // On the next request, nothing is left of it.
          precondition((try? container.tryResolve(Link.self, named: "10"))?.depth == 10)
        }
      }
      // The code that asks may have used the stack, which the error says.
      for isInFactory in [false, true] {
        startThread(stackSize: isLarger ? 512 << 14 : 512 << 10) {
          let container = DIContainer()
          container.register {
            New { Link(nil) }
            New { resolve -> [Link] in try askDeeper { failure { _ = try resolve.tryResolve(Link.self) } } }
          }
          let error =
            isInFactory
            ? failure { try container.tryResolve([Link].self) }
            : failure { try askDeeper { failure { try container.tryResolve(Link.self) } } }
          precondition(error?.code == .tooDeep)
          if isLarger { return }
          let place = isInFactory ? "inside of 1 other factory, which" : "by code that"
          precondition(
            error?.description.hasPrefix(
              "'Link' is created \(place) is too deep for the stack of this thread, 512 KiB.\n") == true)
          precondition(
            isInFactory
              || error?.notes == [
                "resolve it before that code calls so many functions, or on a thread with a larger stack"
              ])
        }
      }
      startThread(stackSize: isLarger ? 512 << 10 : 128 << 10) {
        let container = DIContainer()
        container.register {
          New { resolve -> Link in Link(try resolve.tryResolve([Link].self).first) }
          New { resolve -> [Link] in [try resolve.tryResolve(Link.self)] }
        }
        precondition(failure { try container.tryResolve(Link.self) }?.code == .cycle)
      }
      // The least is what Apple's systems give to a thread.
      for stackSize in [1 << 19, 1 << 22, 1 << 20] {
        startThread(stackSize: isLarger ? stackSize << 4 : stackSize) {
          let container = DIContainer()
          container.register(
            New { (resolve: Resolver, n: Int) -> [Int] in try resolve.tryResolve([Int].self) { n } })
          precondition(failure { try container.tryResolve([Int].self) { 1 } }?.code == .cycle)
        }
      }
    }
  }
}
