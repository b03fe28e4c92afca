internal import DependencyInjection
internal import Testing

private final class Log: Sendable {}

private final class Wired: Router, Cache {
  let config: (any AppConfiguration)?
  let log: Log
  let player: (any MediaPlayer)?
  let id: String

  init(config: any AppConfiguration, log: Log, player: (any MediaPlayer)?) {
    (self.config, self.log, self.player, id) = (config, log, player, "")
  }

  init(log: Log, id: String, player: (any MediaPlayer)?, number: Int) {
    (config, self.log, self.player, self.id) = (nil, log, player, "\(id) \(number)")
  }
}

@MainActor
private final class Page {
  let log: Log
  nonisolated init(_ log: Log, off _: Void) { self.log = log }
  init(log: Log) { self.log = log }
}

private struct Headline: Sendable {}
private struct Footer: Sendable {}

/// Takes two arguments, in this order.
private struct Sheet {
  init(headline: Headline, log: Log, footer: Footer) {}
}

protocol Paper: AnyObject, Sendable {}
private final class Poster: Paper {}

private struct Frame {
  let poster: Poster
  let paper: any Paper
}

private struct Labelled {
  let player: (any MediaPlayer)?
  let text: String?
}

extension DIContainer {
  fileprivate static let wired = Dependency<Wired>(.shared, autowire: Wired.init(config:log:player:))
  fileprivate static let wiredWithArguments = Dependency<Wired, String, Int>(
    autowire: Wired.init(log:id:player:number:))
  fileprivate static let sheet = Dependency<Sheet, Footer, Headline>(autowire: Sheet.init(headline:log:footer:))
}

struct AutowireTests {
  let container = DIContainer()

  init() {
    container.register {
      Shared(AppConfigurationImpl() as any AppConfiguration)
      Shared(Log())
    }
  }

  @Test("An autowired initializer keeps its isolation, and has lifetimes, names, aliases and declarations")
  func forms() async throws {
    container.register {
      Shared(autowire: MockRouter.init, as: (any Router).self)
      Scoped(in: Scope("autowired"), autowire: DiskCache.init, as: (any Cache).self)
      New(autowire: PlayerObject.init, as: (any MediaPlayer).self, named: "player")
    }
    #expect(
      container.resolve((any Router).self) === container.resolve(MockRouter.self)
        && container.resolve((any Cache).self) is DiskCache)
    #expect(container.resolve((any MediaPlayer).self, named: "player") is PlayerObject)
    do {
      let container = Self().container
      container.register {
        Shared(autowire: Wired.init(config:log:player:), as: (any Router).self, (any Cache).self, named: "wired")
      }
      let router = container.resolve((any Router).self, named: "wired")
      #expect(
        router === container.resolve((any Cache).self, named: "wired") && container.resolve((any Router)?.self) == nil)
    }
    // A declared dependency resolves the parameters of its initializer, and takes others as arguments.
    do {
      let container = Self().container
      DIContainer.withCurrent(container) {
        #expect(
          DIContainer.wired().log === DIContainer.resolve(Log.self) && DIContainer.wired() === DIContainer.wired())
        #expect(DIContainer.wiredWithArguments("42", 7).id == "42 7")
        DIContainer.wiredWithArguments.register { _, _, _ in DIContainer.wired() }
        #expect(DIContainer.wiredWithArguments("42", 7) === DIContainer.wired())
      }
    }
    do {
      let container = Self().container
      container.register(New(autowire: Page.init(log:)))
      let page = try await container.resolveAsync(Page.self)
      let log = page.log
      #expect(log === container.resolve(Log.self))
      let error = await Task.detached { failure { try container.tryResolve(Page.self) } }.value
      #expect(error?.code == .wrongActor)
    }
  }

  @Test("Parameters are resolved or taken from the arguments of their types, in order; an optional one may be missing")
  func parameters() {
    container.register(New(autowire: Wired.init(config:log:player:)))
    let first = container.resolve(Wired.self)
    #expect(first.log === container.resolve(Log.self) && first.config?.name == "production" && first.player == nil)
    container.register(Shared(SimplePlayer() as any MediaPlayer))
    #expect(container.resolve(Wired.self).player != nil)
    // Arguments go to the parameters of their types, in order; the rest is resolved.
    do {
      let container = Self().container
      container.register(New(autowire: Wired.init(log:id:player:number:), arguments: String.self, Int.self))
      let wired = container.resolve(Wired.self) { ("seven", 7) }
      #expect(wired.id == "seven 7" && wired.log === container.resolve(Log.self) && wired.player == nil)
      let error = failure { try container.tryResolve(Wired.self) }
      #expect(error?.description.hasPrefix("'Wired' takes arguments (String, Int), got none.") == true)
    }
    // An argument that is nil goes to the parameter of its type, not to another optional one.
    do {
      let container = Self().container
      container.register {
        Shared(SimplePlayer() as any MediaPlayer)
        New(autowire: Labelled.init(player:text:), arguments: String?.self)
      }
      let none = container.resolve(Labelled.self) { nil as String? }
      #expect(
        none.player != nil && none.text == nil && container.resolve(Labelled.self) { "text" as String? }.text == "text")
      // One that is not optional goes to an optional parameter of its type, too.
      container.register(New(autowire: Labelled.init(player:text:), arguments: String.self))
      #expect(container.resolve(Labelled.self) { "text" }.text == "text")
    }
  }

  /// Checks that an error says which argument no parameter has taken.
  private func expectLeftover(_ error: ResolutionError?, source: SourceLocation = #_sourceLocation) {
    let text = error?.description ?? ""
    #expect(error?.code == .wrongArguments, "\(text)", sourceLocation: source)
    #expect(
      text.hasPrefix("'\(error?.path.last ?? "")' got an argument of the type 'Headline', which no parameter takes.\n"),
      "\(text)", sourceLocation: source)
    #expect(
      error?.notes == ["each argument must have the type of a parameter, in the order of the parameters"],
      sourceLocation: source)
  }

  @Test("An argument that is left over is an error that names it, and the initializer is not called")
  func leftover() async {
    container.register {
      New(Headline())
      New(Footer())
      New(autowire: Sheet.init(headline:log:footer:), arguments: Footer.self, Headline.self)
    }
    // The first parameter is no footer, so it is resolved, and then none is left for the headline.
    for _ in 0..<2 { expectLeftover(failure { try container.tryResolve(Sheet.self) { (Footer(), Headline()) } }) }
    DIContainer.withCurrent(container) {
      expectLeftover(failure { try DIContainer.sheet.tryResolve(Footer(), Headline()) })
    }
    container.register(New(autowire: { (_: Log, _: Footer) in 7 }, arguments: Footer.self, Headline.self))
    expectLeftover(failure { try container.tryResolve(Int.self) { (Footer(), Headline()) } })
    container.register(New(autowire: Sheet.init(headline:log:footer:), arguments: Headline.self, Footer.self))
    #expect(failure { try container.tryResolve(Sheet.self) { (Headline(), Footer()) } } == nil)
    do {
      let container = Self().container
      let calls = CallCounter()
      container.register(New(autowire: { (_: Log) in calls.call() }, arguments: Headline.self))
      #expect(failure { try container.tryResolve(Int.self) { Headline() } }?.code == .wrongArguments)
      container.register {
        New { () async in Footer() }
        New(autowire: { (_: Footer, _: Log) in calls.call() }, arguments: Headline.self)
      }
      expectLeftover(await asyncFailure { try await container.resolveAsync(Int.self) { Headline() } })
      #expect(calls.count == 0)
    }
  }

  @Test("An argument is for the parameter of the type that is listed, whatever the type of the argument itself is")
  func listedType() async throws {
    let (registered, passed) = (Poster(), Poster())
    container.register {
      Shared { registered }
      New(autowire: Frame.init(poster:paper:), arguments: (any Paper).self)
      New({ () async in Headline() })
      New(
        autowire: { (_: Headline, poster: Poster, paper: any Paper) in Frame(poster: poster, paper: paper) },
        arguments: (any Paper).self, named: "awaited")
    }
    container.register(
      New(
        autowire: { (poster: Poster?, paper: any Paper) in [poster === registered, paper === passed] },
        arguments: (any Paper).self))
    #expect(try container.tryResolve([Bool].self) { passed as any Paper } == [true, true])
    let frame = try container.tryResolve(Frame.self) { passed as any Paper }
    #expect(frame.poster === registered && frame.paper === passed)
    let awaited = try await container.resolveAsync(Frame.self, named: "awaited") { passed as any Paper }
    #expect(awaited.poster === registered && awaited.paper === passed)
  }

  @Test("A value that is missing may be meant as an argument, which no class, protocol or declaration is")
  func meantAsArgument() {
    let declared = Dependency<Footer>(autowire: { (_: Int) in Footer() })
    container.register {
      New(autowire: { (_: [Int]) in Footer() })
      New(autowire: { (_: DiskCache) in Headline() })
      New(autowire: { (_: any MediaPlayer) in RouterImpl() })
      New { resolve in "\(try resolve.tryResolve(Int.self))" }
    }
    let errors = [
      failure { try container.tryResolve(Footer.self) }, failure { try container.tryResolve(Headline.self) },
      failure { try container.tryResolve(RouterImpl.self) }, failure { try container.tryResolve(String.self) },
      failure { try declared.tryResolve(from: container) },
    ]
    #expect(
      errors.map(\.?.notes) == [
        ["if it is an argument, list its type: `autowire: …, arguments: Array<Int>.self`"], [], [], [], [],
      ])
    // What is registered under a name is more likely to be meant.
    container.register(New([1], named: "one", line: 7))
    let notes = failure { try container.tryResolve(Footer.self) }?.notes
    #expect(notes == ["Array<Int> is registered with the name 'one' at \(place(7))"])
  }

  @Test("What is missing is thrown with its path, and so is a cycle, also from the table and with arguments")
  func failures() async {
    container.register {
      New(autowire: Labelled.init(player:text:))
      New(autowire: { (_: Labelled, _: Wired) in 7 })
      New(autowire: { (_: Int, n: Double) in Float(n) }, arguments: Double.self)
    }
    for _ in 0..<3 {
      #expect(
        container.resolve(Labelled.self).text == nil
          && failure { try container.tryResolve(Int.self) }?.description.contains("Int → Wired") == true)
      #expect(failure { try container.tryResolve(Float.self) { 1.5 } }?.code == .missingRegistration)
    }
    container.register {
      New(autowire: { (_: Double) in 7 })
      New(autowire: { (_: Int) in 1.5 })
    }
    for _ in 0..<3 { #expect(failure { try container.tryResolve(Int.self) }?.code == .cycle) }
    // A missing parameter is an error at the registration, with the path.
    do {
      let container = Self().container
      container.register(New(autowire: { (_: any MediaPlayer) in RouterImpl() }))
      let line = #line - 1
      container.register {
        New { () async in Headline() }
        New(autowire: { (_: Headline, _: any MediaPlayer) in Footer() }, line: 7)
      }
      let errors = [
        failure { try container.tryResolve(RouterImpl.self) },
        await asyncFailure { try await container.resolveAsync(Footer.self) },
      ]
      #expect(errors.map { $0?.location.description } == [place(line), place(7)])
      container.unregister(Log.self)
      container.register(New { try Wired(config: $0.tryResolve(), log: $0.tryResolve(), player: nil) })
      #expect(
        failure { try container.tryResolve(Wired.self) }?.path == ["Wired", "Log"]
          && container.registrations.contains { $0.location.line == line })
    }
  }
}
