internal import DIBenchmarking
internal import DependencyInjection

extension Benchmark {
  private typealias Container = ProbeLoops<ContainerPaths>
  /// The cost of a resolution where something is overridden or has been, and in children of a container.
  ///
  /// They run in processes of their own, because they put a process into a mode that could slow other benchmarks.
  static let containers: [Benchmark] = [
    mode("override/overridden", "a Shared class that is overridden in this scope") { count in
      DIContainer.withOverrides {
        Shared(RevisionImpl(number: 7) as any Revision)
      } perform: {
        var wrong = 0
        for _ in 0..<count where (DIContainer.resolve() as any Revision).number != 7 { wrong &+= 1 }
        return wrong
      }
    },
    mode("override/other", "a Shared class in a scope where another one is overridden") { count in
      Container().inScope(count) { $0.shared }
    },
    mode("override/after", "a Shared class in a process that has overridden something before") { count in
      Container().afterOverride(count) { $0.shared }
    },
    mode("graph/after", "a New class in a process that has resolved a PerGraph") { Container().newAfterGraph($0) },
    mode("child/shared", "a Shared class of a parent, through its child") { Container().sharedOfParent($0) },
    Benchmark(
      "own/new", "a New class of a container that is neither shared nor current", inOwnProcess: .quick,
      .container(.counting { count, _ in Container().newOfOwn(count) }),
      .byHand("shared-container", .counting { count, _ in Container().new(count) }), .dictionary),
    Benchmark(
      "child/request", "a child with two registrations, five resolves from its parent, and its end",
      inOwnProcess: .quick, .container(.counting { count, _ in Container().request(count) }),
      .dictionary { entries in
        let expected = entries.instance((any Service).self).identity
        return .counting { count, _ in
          var wrong = 0
          for _ in 0..<count {
            let request = entries.copy()
            request.register(Keys.all[300])
            request.set(ServiceImpl(launchArguments: count), for: ObjectIdentifier(ServiceImpl.self))
            let services = (
              request.instance((any Service).self), request.instance((any BoundService).self),
              request.instance((any Store).self)
            )
            let parts = (request.make((any Item).self, ()), request.instance(Settings.self))
            if services.0.identity != expected || parts.0.number != InstanceCount.current { wrong &+= 1 }
          }
          return wrong
        }
      }),
  ]

  private static func mode(
    _ name: String, _ summary: String, _ body: @escaping @Sendable (_ count: Int) -> Int
  ) -> Benchmark {
    Benchmark(name, summary, inOwnProcess: .quick, .container(.counting { count, _ in body(count) }), .dictionary)
  }
}
