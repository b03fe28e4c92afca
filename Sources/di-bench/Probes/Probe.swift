/// One hot path that can be run alone, for tools that count instructions or allocations.
struct Probe: Sendable {
  let name: String

  /// What it is, in one line.
  let summary: String

  /// The probe that does the same by hand; nil for those.
  let reference: String?

  /// Runs it a number of times, and returns how many of the results were wrong.
  let run: @Sendable (_ count: Int) -> Int
}

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
      pair(
        "new-class", "a New class by its own type", { Container().newClass($0) }, { ByHand().newClass($0) }),
      pair(
        "new-argument", "a New class with a number that the caller passes",
        { Container().newWithArgument($0) }, { ByHand().newWithArgument($0) }),
      pair(
        "view-model", "a New that resolves three Shared", { Container().viewModel($0) }, { ByHand().viewModel($0) }),
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
    let afterRecording = Probe(
      name: "shared-after-recording", summary: "shared, in a process that has recorded resolves and stopped",
      reference: "shared"
    ) { Container().sharedAfterRecording($0) }
    // To find it must not cost more than to find the same by its type.
    let declared = Probe(
      name: "declared", summary: "a Shared class that a Dependency declares, by its protocol", reference: "shared"
    ) { Container().declared($0) }
    return pairs.joined() + [afterRecording, declared]
  }()

  private static func pair(
    _ name: String, _ summary: String, _ container: @escaping @Sendable (Int) -> Int,
    _ byHand: @escaping @Sendable (Int) -> Int
  ) -> [Probe] {
    let reference = name + "-by-hand"
    return [
      Probe(name: name, summary: summary, reference: reference, run: container),
      Probe(name: reference, summary: "the same by hand", reference: nil, run: byHand),
    ]
  }
}
