extension Scenario {
  private typealias Container = ProbeLoops<ContainerPaths>
  private typealias ByHand = ProbeLoops<HandWrittenPaths>

  /// What other ways to ask cost: optionals, names, declared dependencies and property wrappers.
  ///
  /// By the loops of the probes, so that a time and a count of instructions are of the same.
  static let wrappers: [Scenario] = [
    path(
      "resolve/optional-missing", "an optional that nothing is registered for",
      { Container().missing($0) }, { ByHand().missing($0) }, beside: lookingForMissing()),
    path(
      "resolve/named", "a Shared class by its protocol and a name",
      { Container().named($0) }, { ByHand().named($0) }, beside: lookingByName()),
    path(
      "resolve/typed", "a Shared class that a Dependency declares",
      { Container().declared($0) }, { ByHand().declared($0) }),
    path(
      "wrapper/eager", "a struct with an injected property, and its use",
      { Container().eager($0) }, { ByHand().eager($0) }),
    path(
      "wrapper/lazy-first", "a struct with a lazily injected property, and its first use",
      { Container().lazyFirst($0) }, { ByHand().lazyFirst($0) }),
    path(
      "wrapper/lazy-again", "another use of a lazily injected property",
      { Container().lazyAgain($0) }, { ByHand().lazyAgain($0) }),
  ]

  /// A scenario of two probes, beside what `resolve/shared` is to the dictionary unless something else is said.
  private static func path(
    _ name: String, _ summary: String, _ container: @escaping @Sendable (Int) -> Int,
    _ byHand: @escaping @Sendable (Int) -> Int,
    beside yardstick: @autoclosure @escaping @Sendable () -> Workload = Workload(SharedLoop(.lockedDictionary))
  ) -> Scenario {
    Scenario(
      name: name, summary: summary, isSingleThreaded: true,
      subject: Implementation(Implementation.container, CheckedLoop { count, _ in container(count) }),
      reference: Implementation("reference/static-let", CheckedLoop { count, _ in byHand(count) }),
      yardsticks: [Implementation(Implementation.lockedDictionary, yardstick)])
  }

  private static func lookingForMissing() -> Workload {
    let entries = LockedDictionary()
    entries.registerServices()
    return Workload(
      CheckedLoop { count, _ in
        var wrong = 0
        for _ in 0..<count where entries.has(ObjectIdentifier((any MissingPart).self)) { wrong &+= 1 }
        return wrong
      })
  }

  /// Under the type, a dictionary by names.
  private static func lookingByName() -> Workload {
    typealias Services = [String: any Service]
    let entries = LockedDictionary()
    entries.registerServices()
    let service = ServiceImpl(launchArguments: CommandLine.arguments.count)
    let expected = service.identity
    entries.set(["probe": service] as Services, for: ObjectIdentifier(Services.self))
    return Workload(
      CheckedLoop { count, _ in
        var wrong = 0
        for _ in 0..<count where entries.instance(Services.self)["probe"]?.identity != expected { wrong &+= 1 }
        return wrong
      })
  }
}
