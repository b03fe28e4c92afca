internal import DIBenchmarking

extension Probe {
  /// Every probe, each before its reference.
  static let all: [Probe] = {
    typealias Container = ProbeLoops<ContainerPaths>
    typealias ByHand = ProbeLoops<HandWrittenPaths>
    let pairs: [[Probe]] = [
      pair("shared", "a Shared class by its protocol", { Container().shared($0) }, { ByHand().shared($0) }),
      pair("named", "a Shared class by its protocol and a name", { Container().named($0) }, { ByHand().named($0) }),
      pair(
        "class-bound", "a Shared class by a protocol that only classes can conform to",
        { Container().classBound($0) }, { ByHand().classBound($0) }),
      pair("struct", "a Shared struct without references", { Container().structure($0) }, { ByHand().structure($0) }),
      pair(
        "struct-references", "a Shared struct with two references and three numbers",
        { Container().structureWithReferences($0) }, { ByHand().structureWithReferences($0) }),
      pair("new", "a New class by its protocol", { Container().new($0) }, { ByHand().new($0) }),
      pair("new-class", "a New class by its own type", { Container().newClass($0) }, { ByHand().newClass($0) }),
      pair(
        "new-argument", "a New class with a number that the caller passes",
        { Container().newWithArgument($0) }, { ByHand().newWithArgument($0) }),
      pair("view-model", "a New that resolves three Shared", { Container().viewModel($0) }, { ByHand().viewModel($0) }),
      pair(
        "chain", "a New that resolves a New, and so on, ten deep", { Container().chain($0) }, { ByHand().chain($0) }),
      pair(
        "optional-missing", "an optional that nothing is registered for",
        { Container().missing($0) }, { ByHand().missing($0) }),
      pair(
        "eager", "a struct with an injected property, and its use", { Container().eager($0) }, { ByHand().eager($0) }),
      pair(
        "lazy-first", "a struct with a lazily injected property, and its first use",
        { Container().lazyFirst($0) }, { ByHand().lazyFirst($0) }),
      pair(
        "lazy-again", "another use of a lazily injected property",
        { Container().lazyAgain($0) }, { ByHand().lazyAgain($0) }),
    ]
    let forms: [Probe] = [
      Probe("optional", of: "shared", "a Shared class, asked for as an optional") { Container().optional($0) },
      Probe("optional-new", of: "new", "a New class, asked for as an optional") { Container().optionalNew($0) },
      Probe("try-shared", of: "shared", "a Shared class, with tryResolve") { Container().tryShared($0) },
      Probe("try-new", of: "new", "a New class, with tryResolve") { Container().tryNew($0) },
      Probe("try-argument", of: "new-argument", "a New class with a number, with tryResolve") {
        Container().tryWithArgument($0)
      },
      Probe("eager-declared", of: "eager", "a struct with an injected Dependency, and its use") {
        Container().eagerDeclared($0)
      },
      Probe("async-shared", of: "shared", "a Shared class, with resolveAsync") { Container().asyncShared($0) },
      Probe("shared-after-override", of: "shared", "shared, in a process that has made another container current") {
        Container().afterOverride($0) { $0.shared }
      },
      Probe("new-after-override", of: "new", "new, in such a process") { Container().afterOverride($0) { $0.new } },
      Probe("chain-after-override", of: "chain", "chain, in such a process") {
        Container().afterOverride($0) { $0.chain }
      },
      Probe("new-after-graph", of: "new", "new, in a process that has resolved a PerGraph") {
        Container().newAfterGraph($0)
      },
      Probe("shared-in-scope", of: "shared", "shared, in a scope that overrides something else") {
        Container().inScope($0) { $0.shared }
      },
      Probe("new-in-scope", of: "new", "new, in such a scope") { Container().inScope($0) { $0.new } },
      Probe("shared-of-own", of: "shared", "a Shared class, from another container") { Container().sharedOfOwn($0) },
      Probe("new-of-own", of: "new", "a New class, from such a container") { Container().newOfOwn($0) },
      Probe("shared-of-parent", of: "shared-of-own", "the same instance, through a child of that container") {
        Container().sharedOfParent($0)
      },
      Probe("request", of: "shared", "a child: 2 registrations, 5 resolutions of its parent, its end") {
        Container().request($0)
      },
      Probe("shared-after-recording", of: "shared", "shared, once resolutions were recorded") {
        Container().sharedAfterRecording($0)
      },
      // Finding it must not cost more than finding the same by its type.
      Probe("declared", of: "shared", "a Shared class that a Dependency declares, by its protocol") {
        Container().declared($0)
      },
    ]
    return pairs.joined() + forms + containers
  }()

  private static func pair(
    _ name: String, _ summary: String, _ container: @escaping @Sendable (Int) -> Int,
    _ byHand: @escaping @Sendable (Int) -> Int
  ) -> [Probe] {
    let reference = name + "-by-hand"
    return [
      Probe(name, of: reference, summary, run: container),
      Probe(reference, of: nil, "the same by hand", run: byHand),
    ]
  }
}
