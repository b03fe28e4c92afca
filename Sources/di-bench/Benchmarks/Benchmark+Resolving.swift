internal import DIBenchmarking
internal import DependencyInjection

extension Benchmark {
  /// The cost of a resolution.
  static let resolving: [Benchmark] =
    [
      Benchmark(
        "resolve/shared", "a Shared class by its protocol, the same for all threads",
        .container(.same { (DIContainer.resolve() as any Service).identity }),
        .byHand("static-let", .same { HandWrittenPaths().service().identity }), .dictionary,
        .queue { entries in .same { entries.instance((any Service).self).identity } }),
      Benchmark(
        "resolve/class-bound", "a Shared class by a protocol that only classes can conform to", threads: [1],
        gate: .coarse,
        .container(.same { (DIContainer.resolve() as any BoundService).identity }),
        .byHand("static-let", .same { HandWrittenPaths().boundService().identity }),
        .dictionary { entries in .same { entries.instance((any BoundService).self).identity } }),
      Benchmark(
        "resolve/struct", "a Shared struct without references", gate: .coarse,
        .container(.same { DIContainer.resolve() as Settings }),
        .byHand("static-let", .same { HandWrittenPaths().settings() }),
        .dictionary { entries in .same { entries.instance(Settings.self) } }),
      Benchmark(
        "resolve/struct-references", "a Shared struct with two references and three numbers", threads: [1],
        gate: .coarse,
        .container(sessions { DIContainer.resolve() }),
        .byHand("static-let", sessions { HandWrittenPaths().session() }),
        .dictionary { entries in sessions { entries.instance(Session.self) } }),
      Benchmark(
        "resolve/new", "a New class by its protocol",
        .container(.newest { DIContainer.resolve() }), .byHand("init", .newest { HandWrittenPaths().item() }),
        .dictionary { entries in .newest { entries.make((any Item).self, ()) } },
        .queue { entries in .newest { entries.make((any Item).self, ()) } }),
      Benchmark(
        "resolve/arguments", "a New class with an Int and a String that the caller passes",
        .container(.labelled { id, name in DIContainer.resolve { (id, name) } }),
        .byHand("init", .labelled { HandWrittenPaths().labelled(id: $0, name: $1) }),
        .dictionary { entries in .labelled { entries.make((any Labelled).self, ($0, $1)) } }),
      Benchmark(
        "resolve/view-model", "a New that resolves three Shared", depth: 2,
        .container(.viewModels { DIContainer.resolve() }),
        .byHand("init", .viewModels { HandWrittenPaths().viewModel() }),
        .dictionary { entries in .viewModels { entries.make((any ViewModel).self, ()) } }),
      Benchmark(
        Implementation.lockedDictionary, "the usual control: a dictionary behind a mutex", threads: [1],
        gate: .none,
        .dictionary, .byHand("static-let", .same { HandWrittenPaths().service().identity }).asControl),
    ]
    + [1, 100, 10_000].map { size in
      Benchmark(
        "resolve/among", "a Shared class from a container of its own", size: size, threads: [1],
        inOwnProcess: size > 100 ? OwnProcess(interval: 32, seconds: 0.4) : nil, gate: size > 100 ? .none : .coarse,
        .container(among(size, DIContainer.self)),
        .emptyDictionary(among(size, LockedDictionary.self)))
    }

  @inline(__always) private static func sessions(_ resolve: @escaping @Sendable () -> Session) -> Workload {
    let expected = resolve()
    return .counting { count, _ in
      var wrong = 0
      for _ in 0..<count where resolve().differs(from: expected) { wrong &+= 1 }
      return wrong
    }
  }

  @inline(__always) private static func among<Target: Restorable>(_ size: Int, _: Target.Type) -> Workload {
    let target = Target.filled(with: size)
    return .same(registrations: size) { target.revision() }
  }

  private typealias Container = ProbeLoops<ContainerPaths>
  private typealias ByHand = ProbeLoops<HandWrittenPaths>
  /// The cost of other forms of a resolution: optionals, names, errors, declared dependencies and property wrappers.
  ///
  /// They use the loops of the probes, so that times and instruction counts are of the same code.
  static let forms: [Benchmark] = [
    Benchmark(
      "resolve/optional-missing", "an optional that nothing is registered for", threads: [1], gate: .coarse,
      .container(.counting { count, _ in Container().missing(count) }),
      .byHand("static-let", .counting { count, _ in ByHand().missing(count) }),
      .dictionary { entries in
        .counting { count, _ in
          var wrong = 0
          for _ in 0..<count where entries.has(ObjectIdentifier((any MissingPart).self)) { wrong &+= 1 }
          return wrong
        }
      }),
    Benchmark(
      "resolve/named", "a Shared class by its protocol and a name",
      .container(
        .counting { count, _ in Container().named(count) }.with {
          $0.finish = { () throws(Violation) in
            let (named, unnamed) = (ContainerPaths().namedService(), ContainerPaths().service())
            if named.identity == unnamed.identity { throw Violation(message: "a name has the instance of another") }
          }
        }), shared, .dictionary(byName)),
    Benchmark(
      "resolve/typed", "a Shared class that a Dependency declares",
      .container(.counting { count, _ in Container().declared(count) }), shared, .dictionary),
    Benchmark(
      "wrapper/eager", "a struct with an injected property, and its use", threads: [1],
      .container(.counting { count, _ in Container().eager(count) }),
      .byHand("static-let", .counting { count, _ in ByHand().eager(count) }), .dictionary),
    Benchmark(
      "wrapper/lazy-first", "a struct with a lazily injected property, and its first use",
      .container(.counting { count, _ in Container().lazyFirst(count) }),
      .byHand("static-let", .counting { count, _ in ByHand().lazyFirst(count) }), .dictionary),
    Benchmark(
      "wrapper/lazy-again", "another use of a lazily injected property that all threads have", gate: .coarse,
      .container(
        { () -> Workload in
          let owner = ContainerPaths().lazy()
          return .same { owner.service.identity }
        }()), shared, .dictionary),
  ]

  private static let shared = Implementation.byHand("static-let", .counting { count, _ in ByHand().shared(count) })

  /// Looks up a dictionary by its type, and the instance in it by its name.
  @Sendable
  private static func byName(_ entries: LockedDictionary) -> Workload {
    typealias Services = [String: any Service]
    let service = ServiceImpl(launchArguments: CommandLine.arguments.count)
    entries.set(["probe": service] as Services, for: ObjectIdentifier(Services.self))
    return .same { entries.instance(Services.self)["probe"]?.identity }
  }
}
