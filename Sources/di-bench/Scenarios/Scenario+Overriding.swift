internal import DependencyInjection

extension Scenario {
  /// What a resolve costs among few and many registrations, and where something is overridden.
  ///
  /// In processes of their own, because other containers than the shared one become current.
  static let overriding: [Scenario] =
    [1, 100, 10_000].map { size in
      Scenario(
        "resolve/among", "a Shared class from a container of its own", size: size,
        inOwnProcess: OwnProcess(interval: size > 1000 ? 32 : 8, seconds: size > 1000 ? 0.4 : 0.06),
        ResolveAmongLoop(RestorableContainer.self, of: size), ResolveAmongLoop(RestorableDictionary.self, of: size))
    } + [
      inScope("override/overridden", "a Shared class that is overridden in this scope") { count, _ in
        DIContainer.withOverrides {
          Shared(RevisionImpl(number: 7) as any Revision)
        } perform: {
          var wrong = 0
          for _ in 0..<count where (DIContainer.resolve() as any Revision).number != 7 { wrong &+= 1 }
          return wrong
        }
      },
      inScope("override/other", "a Shared class in a scope where another one is overridden") { count, _ in
        let expected = ContainerProvider.installed.service().identity
        return DIContainer.withOverrides {
          Shared(RevisionImpl(number: 7) as any Revision)
        } perform: {
          var wrong = 0
          for _ in 0..<count where (DIContainer.resolve() as any Service).identity != expected { wrong &+= 1 }
          return wrong
        }
      },
      inScope("override/after", "a Shared class in a process that has overridden something before") { count, _ in
        let expected = ContainerProvider.installed.service().identity
        var wrong = DIContainer.withOverrides {
          Shared(RevisionImpl(number: 7) as any Revision)
        } perform: {
          (DIContainer.resolve() as any Revision).number == 7 ? 0 : 1
        }
        for _ in 0..<count where (DIContainer.resolve() as any Service).identity != expected { wrong &+= 1 }
        return wrong
      },
    ]

  private static func inScope(
    _ name: String, _ summary: String, _ body: @escaping @Sendable (_ count: Int, _ thread: Int) -> Int
  ) -> Scenario {
    Scenario(name, summary, inOwnProcess: .quick, installed(CheckedLoop(body)), SharedLoop(.lockedDictionary))
  }

  /// A loop, after the shared container has been filled.
  private static func installed(_ loop: CheckedLoop) -> CheckedLoop {
    _ = ContainerProvider.installed
    return loop
  }
}
